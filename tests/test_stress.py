"""SQL files with tiny batches and denied memory: a few; `make test-sql-stress` runs all.

REPRISE_STRESS=all runs all files in the order of their names; that of a file, those from it on.
"""

import os
from functools import partial

import pytest
import test_sql
from answers import Answer, equal_keys_apart, rounded, unordered
from places import SQL_FILES
from sql_files import Statement

# Of so many requests for memory each last one is denied: whoever has anything to spill spills it.
MODES = {
    "a row a batch": {"spark.reprise.sql.batchRows": "1"},
    "three rows a batch": {"spark.reprise.sql.batchRows": "3"},
    "denied memory": {
        "spark.reprise.sql.batchRows": "3",
        "spark.reprise.sql.batchBytes": "200",
        "spark.reprise.memory.denyEvery": "3",
        "spark.reprise.memory.debug": "true",
    },
}
QUICK = ("order_and_limits", "grouping_sets")
# What depends on the pieces that memory allows (docs/internals/differences.md): the order of a
# set's elements.
SETS = ("collected_sets",)


def _without_chance(stem: str, statement: Statement, answer: Answer) -> Answer:
    """What of an answer does not depend on the pieces that memory allows."""
    answer = rounded(answer, statement.ordered)
    if stem in SETS:
        return unordered(answer)
    if statement.keys and answer.error is None:
        return equal_keys_apart(answer, statement.keys, statement.first)
    return answer


def _name(case) -> str:
    """A file's name below tests/sql, without its suffix."""
    return str(case.values[0].path.relative_to(SQL_FILES).with_suffix(""))


def _cases():
    cases = list(test_sql.cases())
    if asked := os.environ.get("REPRISE_STRESS"):
        names = [_name(case) for case in cases]
        if asked != "all" and asked not in names:
            raise pytest.UsageError(f"REPRISE_STRESS={asked}: tests/sql has no {asked}.sql")
        return cases if asked == "all" else cases[names.index(asked) :]
    return [case for case in cases if case.values[0].path.stem in QUICK and not case.marks]


@pytest.fixture(scope="module")
def known():
    """Spark's answers, by file and settings, so that each is asked for once."""
    return {}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("file", "combination"), _cases())
def test_same_answers(
    spark, with_plugin, tpch, test_tables, tmp_path, known, file, combination, mode
):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    places = {"tpch": tpch, "tables": test_tables, "out": tmp_path / "alone"}
    key = (file.path, tuple(combination.items()))
    if key not in known:
        known[key] = test_sql.answers_alone(spark, file, combination, places)
    places["out"] = tmp_path / "native"
    conf = {**combination, **MODES[mode]}
    adjust = partial(_without_chance, file.path.stem) if mode == "denied memory" else None
    problems = test_sql.native_problems(spark, file, known[key], conf, places, adjust)
    test_sql.fail_for(file, problems)
