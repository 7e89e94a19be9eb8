"""LORE ids are the plan's own: the same in every run, whatever adaptive execution does."""

import re

import pytest
import sql_files
from operators import lore_id, native_operators
from places import SQL_FILES
from whole_dumps import dump_all

REUSED = (
    "WITH t AS (SELECT k, sum(n) AS total FROM small WHERE i32 > 0 GROUP BY k) "
    "SELECT a.k, b.total FROM t a JOIN t b ON a.k = b.k WHERE a.total > (SELECT avg(n) FROM small)"
)


def ids_of(spark, query: str) -> dict[tuple[str, str], list[int]]:
    """LORE ids of the native operators of one run, by name and arguments without expression ids."""
    # What is cut off of a scan's text depends on how many digits these numbers have.
    spark.conf.set("spark.sql.maxMetadataStringLength", "10000")
    frame = spark.sql(query)
    frame.collect()
    found: dict[tuple[str, str], list[int]] = {}
    for operator in native_operators(frame):
        # Numbers of attributes and subqueries differ from run to run.
        key = (operator.name, re.sub(r"#\d+L?|(?<=Subquery, )\d+", "#", operator.arguments))
        found.setdefault(key, []).append(operator.lore_id)
    return found


def queries():
    for number in (1, 3, 4, 6, 18):
        yield (
            f"q{number:02}",
            sql_files.read(SQL_FILES / f"tpch/q{number:02}.sql").statements[0].text,
        )
    yield "reused", REUSED


@pytest.mark.parametrize(("name", "query"), list(queries()))
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_equal_over_runs(native, name, query, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    first = ids_of(native, query)
    assert first, "no native operator"
    for _ in range(2):
        assert ids_of(native, query) == first


def test_unique_in_a_query(native):
    frame = native.sql(REUSED)
    frame.collect()
    operators = native_operators(frame)
    by_id = {}
    for operator in operators:
        assert by_id.setdefault(operator.lore_id, operator) == operator


def test_another_session_gives_the_same_ids(native):
    query = sql_files.read(SQL_FILES / "tpch/q04.sql").statements[0].text
    other = native.newSession()
    for table in ("orders", "lineitem"):
        native.table(table)  # the views are of this session
        other.read.parquet(native.table(table).inputFiles()[0]).createOrReplaceTempView(table)
    other.conf.set("spark.reprise.sql.enabled", "true")
    assert ids_of(other, query) == ids_of(native, query)


def fingerprints_of(spark, query: str, path) -> dict[str, str]:
    """Those of the operators that can be dumped, by what they are."""
    _, dumps = dump_all(spark, query, path)
    operators = [dump.plan["operator"] for dump in dumps.values()]
    return {operator["occurrence"]: operator["fingerprint"] for operator in operators}


OPAQUE = {
    "arrays": ("array(1, 2)", "array(1, 3)", "Project#0"),
    "maps": ("map('a', 1)", "map('a', 2)", "Project#0"),
    "structs": ("struct(1, 'a')", "struct(1, 'b')", "Project#0"),
    "functions": ("f(id)", "f(id)", "BatchEvalPython#0"),
}


@pytest.mark.parametrize("kind", list(OPAQUE))
def test_what_is_opaque_tells_operators_apart(native, tmp_path, kind):
    one, other, operator = OPAQUE[kind]
    found = []
    for i, (written, added) in enumerate(((one, 1), (other, 2), (one, 1))):
        native.udf.register("f", lambda n, added=added: n + added, "bigint")
        query = f"SELECT id, {written} AS x FROM range(3)"
        found.append(fingerprints_of(native, query, tmp_path / str(i)))
    assert operator in found[0]
    assert found[0] == found[2]
    assert found[0][operator] != found[1][operator]


def test_shown_in_the_plan(native):
    frame = native.sql("SELECT n FROM small WHERE i32 > 7")
    frame.collect()
    assert lore_id(frame, "RepriseFilter", "i32") > 0
