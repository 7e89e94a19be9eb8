"""`reprise diagnose`: one command from a query whose answer is not Spark's to the rows.

A library with a fault in one of its operators (core/faults) is what it has to find.
"""

import os
import subprocess
from pathlib import Path

import pytest
import reprise as package
from places import BUILD, PROGRAM, SPARK_HOME

FAULTY = BUILD / "release" / "faulty"

ALL_TYPES = "SELECT id, n, x, c, flag, d, ts, s FROM t WHERE id >= 0"
COUNTED = "SELECT id % 10 AS g, count(*), sum(id) FROM t WHERE id > 5 GROUP BY id % 10"
JOINED = "SELECT a.id, b.s, a.n FROM t a JOIN t b ON a.id = b.id + 1 WHERE b.s IS NOT NULL"
RANKED = "SELECT id, s, row_number() OVER (PARTITION BY id % 5 ORDER BY id) AS r FROM t"
DERIVED = "SELECT id + 1 AS id, id % 3 = 0 AS flag, concat(s, '!') AS s, x * 2 AS x FROM t"

# The kind of operator, what it does wrong, the query, and the name by which it must be called.
FAULTS = [
    ("filter", "off_by_one", ALL_TYPES, "Filter"),
    ("hash_aggregate", "negated", COUNTED, "HashAggregate"),
    ("hash_join", "lost_last_row", JOINED, "SortMergeJoin"),
    ("window", "off_by_one", RANKED, "Window"),
    ("project", "flipped", DERIVED, "Project"),
    ("filter", "zero_as_null", ALL_TYPES, "Filter"),
    ("filter", "null_as_zero", ALL_TYPES.replace("id, n", "n, id"), "Filter"),
    ("project", "rounded", DERIVED, "Project"),
    ("filter", "minus_zero", ALL_TYPES, "Filter"),
    ("filter", "a_cent_more", ALL_TYPES, "Filter"),
    ("filter", "a_day_late", ALL_TYPES, "Filter"),
    ("filter", "an_hour_late", ALL_TYPES, "Filter"),
    ("project", "cut_text", DERIVED, "Project"),
    ("project", "upper_text", DERIVED, "Project"),
    ("filter", "trailing_space", ALL_TYPES, "Filter"),
    ("filter", "null_as_empty", ALL_TYPES, "Filter"),
    ("project", "wrapped", DERIVED, "Project"),
    ("hash_aggregate", "lost_batch", COUNTED, "HashAggregate"),
    ("hash_join", "doubled_row", JOINED, "SortMergeJoin"),
    ("filter", "lost_first_row", ALL_TYPES, "Filter"),
    ("project", "shifted_column", DERIVED, "Project"),
]
TRIED = FAULTS if os.environ.get("REPRISE_FAULTS") == "all" else FAULTS[:1]


@pytest.fixture(scope="module")
def table(spark, with_plugin, tmp_path_factory) -> Path:
    if not with_plugin:
        pytest.skip("needs the plug-in")
    folder = tmp_path_factory.mktemp("tables") / "t"
    rows = spark.range(0, 3000, 1, 2).selectExpr(
        "id",
        "if(id % 9 = 0, null, id % 4) AS n",
        "if(id % 8 = 0, 0, id / 7) AS x",
        "cast(id / 100 AS decimal(9, 2)) AS c",
        "id % 2 = 0 AS flag",
        "date'2020-01-01' + cast(id AS int) AS d",
        "timestamp'2020-01-01 00:00:00' + make_interval(0, 0, 0, 0, id, 0, 0) AS ts",
        "if(id % 6 = 0, null, concat('a text ', id)) AS s",
    )
    rows.write.parquet(str(folder))
    return folder


def diagnose(query: str, tables: Path, work: Path, against: Path | None = None, **environment: str):
    """Runs the program as a user does, with Spark in the environment."""
    file = work / "query.sql"
    file.write_text(f"-- the query\nSET spark.sql.autoBroadcastJoinThreshold = -1;\n{query};\n")
    where = {"SPARK_HOME": str(SPARK_HOME)} | environment
    command = [PROGRAM, "diagnose", file, "--table", f"t={tables}", "--out", work / "out"]
    command += ["--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=3"]
    command += ["--against", against] if against else []
    return subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | where,
    )


@pytest.mark.parametrize(
    ("kind", "fault", "query", "name"), TRIED, ids=["-".join(case[:2]) for case in TRIED]
)
def test_a_planted_fault_is_found(table, tmp_path, kind, fault, query, name):
    planted = {
        "REPRISE_FAULT": f"{kind}:{fault}",
        "JAVA_TOOL_OPTIONS": f"-Dreprise.library.path={FAULTY}",
    }
    result = diagnose(query, table, tmp_path, **planted)
    assert result.returncode == 1, result.stdout + result.stderr
    assert result.stdout.startswith(f"{name} [loreId="), result.stdout
    assert "departs" in result.stdout.splitlines()[0]
    small = next((tmp_path / "out" / "small").glob("loreId-*"))
    shrunk = package.open(small)
    inputs = [shrunk.input(i).num_rows for i in range(2 if "Join" in name else 1)]
    assert 1 <= sum(inputs) <= 3, result.stdout
    # The core without the fault gives what Spark gave.
    assert shrunk.check()


def test_a_query_that_fails_natively_alone(table, tmp_path):
    planted = {
        "REPRISE_FAULT": "filter:raises",
        "JAVA_TOOL_OPTIONS": f"-Dreprise.library.path={FAULTY}",
    }
    result = diagnose(ALL_TYPES, table, tmp_path, **planted)
    assert result.returncode == 1, result.stdout + result.stderr
    assert result.stdout.startswith("Natively the query fails, on Spark it does not:"), result
    assert "no place for 1234" in result.stdout
    # The program's own core has no fault: nothing fails when it is replayed.
    assert "None of its operators fails when it is replayed alone" in result.stdout


def test_answers_that_agree(table, tmp_path):
    result = diagnose(COUNTED, table, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "none departs from Spark's" in result.stdout
    again = diagnose(COUNTED, table, tmp_path)
    assert again.returncode == 2
    assert "must be absent or empty" in again.stderr


@pytest.fixture(scope="module")
def earlier(table, tmp_path_factory) -> Path:
    """Ledgers of a run whose native operators were wrong, and of Spark's."""
    work = tmp_path_factory.mktemp("earlier")
    planted = {
        "REPRISE_FAULT": "filter:off_by_one",
        "JAVA_TOOL_OPTIONS": f"-Dreprise.library.path={FAULTY}",
    }
    assert diagnose(ALL_TYPES, table, work, **planted).returncode == 1
    return work / "out" / "ledgers"


@pytest.mark.thorough
def test_an_earlier_run_that_was_wrong(table, earlier, tmp_path):
    result = diagnose(ALL_TYPES, table, tmp_path, against=earlier / "native")
    assert result.returncode == 1, result.stdout + result.stderr
    assert result.stdout.startswith("Filter [loreId="), result.stdout
    last = result.stdout.splitlines()[-1]
    assert last.startswith("So today's answer is Spark's, and that of the earlier run was another")
    assert "then: reprise 0." in last


@pytest.mark.thorough
def test_data_that_has_changed(spark, table, earlier, tmp_path):
    changed = tmp_path / "changed"
    spark.read.parquet(str(table)).where("id <> 1234").write.parquet(str(changed))
    result = diagnose(ALL_TYPES, changed, tmp_path, against=earlier / "spark")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "FileSourceScan [loreId=" in result.stdout.splitlines()[0], result.stdout
    assert "what lies outside of the query, and that is not what it was" in result.stdout


@pytest.mark.thorough
def test_rows_that_change_from_run_to_run(table, earlier, tmp_path):
    query = ALL_TYPES.replace("WHERE", "WHERE hash(uuid()) > 0 AND")
    result = diagnose(query, table, tmp_path, against=earlier / "spark")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "its rows change from run to run" in result.stdout, result.stdout
