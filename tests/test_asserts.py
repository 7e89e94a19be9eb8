"""Assertions over operators (`spark.reprise.assert`), of native ones and of Spark's own."""

import re

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException
from spark_log import warnings_of

# Filter, project, window, generate, aggregates and a sort over TPC-H's customers.
QUERY = """SELECT c_nationkey, n, r FROM
    (SELECT c_nationkey, c_custkey, count(*) OVER (PARTITION BY c_nationkey) AS n,
            row_number() OVER (PARTITION BY c_nationkey ORDER BY c_custkey) AS r
     FROM customer WHERE c_custkey > 10)
    WHERE r <= 3 ORDER BY c_nationkey, r"""
GROUPS = "SELECT o_custkey, count(*) AS n FROM orders WHERE o_orderkey > 0 GROUP BY o_custkey"


@pytest.fixture(params=["execute", "explainOnly"])
def side(native, with_plugin, request):
    """A session whose operators run natively, or as Spark's own."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    native.conf.set("spark.reprise.sql.mode", request.param)
    yield native
    for key in ("sql.mode", "assert", "lore.mask"):
        native.conf.unset(f"spark.reprise.{key}")


def run(session, query: str, assertions: str) -> list[tuple]:
    session.conf.set("spark.reprise.assert", assertions)
    try:
        return [tuple(row) for row in session.sql(query).collect()]
    finally:
        session.conf.unset("spark.reprise.assert")


def error_of(session, query: str, assertions: str) -> str:
    with pytest.raises((Py4JJavaError, CapturedException)) as failed:
        run(session, query, assertions)
    return str(failed.value)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_what_holds_changes_nothing(side, adaptive):
    side.conf.set("spark.sql.adaptive.enabled", adaptive)
    expected = run(side, QUERY, "")
    holds = """Filter#1: c_custkey > 10 and c_nationkey between 0 and 24;
        Filter#1: unique(c_custkey); Filter#1: no_nulls(); Window#0: sorted(c_nationkey, c_custkey);
        Window#0: exists(r = 1 or n > 0); Filter#0: count between 0 and 75;
        Sort#0: sorted(c_nationkey, r)"""
    assert run(side, QUERY, holds) == expected


def test_a_false_predicate_fails_the_task(side):
    said = error_of(side, GROUPS, "Filter#0: o_orderkey <> 7 and o_custkey is not null")
    assert "Operator forall-assertion error:" in said
    lines = [line.strip() for line in said[said.index("Operator forall") :].splitlines()]
    assert lines[1] == "operator: Filter#0"
    assert re.fullmatch(r"LORE id: \d+", lines[2])
    assert lines[3] == "assertion: o_orderkey <> 7 and o_custkey is not null"
    assert re.fullmatch(r"partition: \d+", lines[4])
    assert re.fullmatch(r"offending rows: 1 of the first \d+", lines[5])
    assert re.fullmatch(r"row \d+: .*o_orderkey bigint = 7.*", lines[6])


@pytest.mark.parametrize(
    ("assertion", "found"),
    [
        ("exists(c_custkey < 0)", "rows that hold: none of 1490"),
        ("no_nulls(c_custkey); Filter#1: unique(c_nationkey)", "offending rows: "),
        ("sorted(c_custkey desc)", "  after row 0: "),
        ("count between 1491 and 1500", "rows: 1490, expected 1491 to 1500"),
        ("count between 0 and 1489", "rows: 1490 or more, expected 0 to 1489"),
    ],
)
def test_every_kind_tells_what_offends(side, assertion, found):
    said = error_of(side, QUERY, f"Filter#1: {assertion}")
    assert re.search(
        r"Operator [a-z-]+-assertion error:\n  operator: Filter#1\n  LORE id: \d", said
    )
    assert found in said


def test_masked_columns_are_not_shown(side):
    side.conf.set("spark.reprise.lore.mask", "o_custkey:hash")
    said = error_of(side, GROUPS, "Filter#0: o_orderkey <> 7")
    assert "o_custkey bigint masked" in said or "o_custkey int masked" in said
    assert "o_orderkey" in said


def test_an_error_of_a_predicate_tells_no_masked_value(side):
    """Whether or not anything is masked, it is an assertion that fails."""
    side.conf.set("spark.sql.ansi.enabled", "true")
    query = "SELECT n_name, n_nationkey FROM nation WHERE n_nationkey < 20"
    holds = "Filter#0: cast(n_name as int) > 0"
    said = error_of(side, query, holds)
    assert "Operator forall-assertion error:" in said
    assert "'ALGERIA'" in said
    side.conf.set("spark.reprise.lore.mask", "n_name:hash")
    said = error_of(side, query, holds)
    assert "Operator forall-assertion error:" in said
    assert "cannot be checked: its predicate fails for a row, whose values are masked" in said
    assert "ALGERIA" not in said


def test_what_only_spark_runs_is_checked(side):
    """A function of Python's between natively run operators."""
    side.udf.register("plus_ten", lambda n: n + 10, "bigint")
    query = "SELECT plus_ten(c_custkey) AS p FROM customer WHERE c_custkey < 100"
    assert len(run(side, query, "BatchEvalPython#0: pythonUDF0 > 10")) == 99
    said = error_of(side, query, "BatchEvalPython#0: pythonUDF0 <> 12")
    assert "operator: BatchEvalPython#0" in said
    assert "pythonUDF0 bigint = 12" in said


def test_what_cannot_be_checked_is_an_error_before_anything_runs(side):
    said = error_of(side, GROUPS, "Filter#0: o_orderkey > 0 and rainbow(o_custkey)")
    assert "spark.reprise.assert: " in said
    assert "rainbow" in said
    assert re.search(r"\n  Filter#0: o_orderkey > 0 and rainbow\(o_custkey\)\n +\^", said)
    assert "the operator gives no column nothing" in error_of(
        side, GROUPS, "HashAggregate#0: unique(nothing)"
    )
    assert "expected ':' and what must hold at character 4" in error_of(side, GROUPS, "12 a > 0")
    assert "choose that one" in error_of(side, GROUPS, "ShuffleExchange#0: unique(o_custkey)")


def test_outer_joins_in_parts_are_checked(side):
    """A join that keeps rows of its broadcast side runs as several operators."""
    query = """SELECT /*+ BROADCAST(n) */ n_name, c_custkey FROM
        (SELECT * FROM customer WHERE c_custkey < 5) c RIGHT JOIN nation n
        ON c_custkey > n_nationkey + 3 AND n_nationkey < 3"""
    expected = sorted(run(side, query, ""), key=str)
    holds = "BroadcastNestedLoopJoin#0: n_name is not null"
    assert sorted(run(side, query, holds), key=str) == expected
    said = error_of(side, query, "BroadcastNestedLoopJoin#0: no_nulls(c_custkey)")
    assert "operator: BroadcastNestedLoopJoin#0" in said


def test_a_choice_without_operator_is_warned_of_at_the_end(side):
    expected = run(side, GROUPS, "")
    with warnings_of(side, "reprise.plugin.QueryEnds") as said:
        assert run(side, GROUPS, "99: count between 0 and 1; Filter#0: o_orderkey > 0") == expected
    (line,) = said
    assert "spark.reprise.assert: no operator of the query has the LORE id 99; near: " in line
