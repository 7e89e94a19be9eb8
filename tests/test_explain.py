"""What Reprise says of a query before it runs: marks, reasons, LORE ids."""

import re

import pytest
import sql_files
from golden import check_golden
from places import SPARK, SQL_FILES

QUERIES = {
    "tpch_q01": None,
    "tpch_q04": None,
    "tpch_q06": None,
    "like_and_upper": "SELECT id, s FROM every_type WHERE s LIKE 'a%' AND upper(s) > 'B'",
    "sort_and_window": (
        "SELECT k, n, sum(i32) OVER (PARTITION BY k ORDER BY n) FROM small WHERE i32 > 0 ORDER BY n"
    ),
    "unsupported_aggregate": "SELECT g, stddev(n), percentile(n, 0.5) FROM small GROUP BY g",
    "python_free_nested": "SELECT struct(n, k), array(n) FROM small WHERE n < 3",
    "guests": (
        "SELECT k, sum(bit_count(n)) FROM small "
        "WHERE n > 3 AND k RLIKE 'e' AND length(overlay(k, '.', 1, 0)) > 2 GROUP BY k"
    ),
    "join_between": (
        "SELECT l.k, count(*) FROM small l JOIN small r ON l.g = r.g WHERE l.i32 > 0 GROUP BY l.k"
    ),
}


def explain(spark, query: str, level: str) -> str:
    return spark._jvm.reprise.Explain.explain(spark.sql(query)._jdf, level)


def text_of(name: str) -> str:
    if QUERIES[name] is None:
        return (
            sql_files.read(SQL_FILES / "tpch" / f"{name.removeprefix('tpch_')}.sql")
            .statements[0]
            .text
        )
    return QUERIES[name]


@pytest.mark.parametrize("name", QUERIES)
def test_explain_all(native, name):
    text = explain(native, text_of(name), "ALL")
    # Fingerprints of scans know where the files are.
    check_golden(f"explain_{name}.txt", re.sub(r"(loreId=\d+ \S+) [0-9a-f]{16}\]", r"\1 …]", text))


def test_not_native_shows_only_what_falls_back(native):
    query = "SELECT k FROM small WHERE overlay(k, '.', 1, 0) > 'B'"
    everything = explain(native, query, "ALL")
    fallbacks = explain(native, query, "NOT_NATIVE")
    assert "*Exec" in everything
    assert "*Exec" not in fallbacks
    assert "expression Overlay: it is not supported natively" in fallbacks


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT k FROM small LIMIT 3", "<CollectLimitExec> … because it takes rows to the driver"),
        ("SELECT * FROM VALUES (1), (2) AS t(a)", "<LocalTableScanExec> … because its rows lie"),
        (
            "SELECT session_window(ts, '1 hour'), count(*) FROM every_type GROUP BY 1",
            "SessionsExec> … because sessions are merged by Spark alone",
        ),
    ],
)
def test_what_stays_sparks_says_why(native, query, reason):
    text = explain(native, query, "NOT_NATIVE")
    assert reason in re.sub(r"> .* because ", "> … because ", text)


def test_a_query_is_explained_by_its_own_session(native):
    """Whichever session the thread used last."""
    frame = native.sql("SELECT id FROM every_type WHERE id > 3")
    other = native.newSession()
    other.conf.set("spark.reprise.sql.enabled", "false")
    package = native._jvm.org.apache.spark.sql
    sessions = (package if SPARK == "3.5" else package.classic).SparkSession
    sessions.setActiveSession(other._jsparkSession)
    try:
        assert "*Exec <FilterExec>" in native._jvm.reprise.Explain.explain(frame._jdf, "ALL")
    finally:
        sessions.setActiveSession(native._jsparkSession)


def test_not_native_shows_guests(native):
    fallbacks = explain(native, text_of("guests"), "NOT_NATIVE")
    assert "will run natively, with 1 guest" in fallbacks
    assert "+Expression <And> " in fallbacks


def test_every_fallback_has_a_reason(native):
    """All 22 TPC-H queries: each mark ! or @ is followed by its reason."""
    for path in sorted((SQL_FILES / "tpch").glob("*.sql")):
        text = explain(native, sql_files.read(path).statements[0].text, "NOT_NATIVE")
        for line in text.splitlines():
            if line.strip().startswith(("!", "@")):
                assert "because" in line and not line.rstrip().endswith("because"), (
                    f"{path.name}: {line}"
                )


def test_explain_only_runs_nothing_natively(native):
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    frame = native.sql("SELECT count(*) FROM small WHERE i32 > 0")
    frame.collect()
    assert "Reprise" not in frame._jdf.queryExecution().executedPlan().toString()


def test_the_aliases_mean_the_same(native):
    native.conf.set("spark.rapids.sql.mode", "explainOnly")
    frame = native.sql("SELECT count(*) FROM small WHERE i32 > 0")
    frame.collect()
    assert "Reprise" not in frame._jdf.queryExecution().executedPlan().toString()


def test_an_unknown_key_is_an_error_that_suggests_the_nearest(native):
    native.conf.set("spark.reprise.sql.enabeld", "true")
    with pytest.raises(
        Exception, match=r"spark\.reprise\.sql\.enabeld.*spark\.reprise\.sql\.enabled"
    ):
        native.sql("SELECT count(*) FROM small WHERE i32 > 0").collect()
