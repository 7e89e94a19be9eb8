"""Queries that need many times the memory that Spark grants."""

import json

import memory_joins
import memory_wide
import pytest
from answers import Answer, difference
from applications import run_python
from memory_queries import QUERIES
from places import SUPPORT

NOTHING = {"files": 0, "memory": 0}


@pytest.fixture(scope="module")
def report(with_plugin, tmp_path_factory):
    """What one application with 8 MiB of off-heap memory found out."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    work = tmp_path_factory.mktemp("memory")
    run_python(SUPPORT / "memory_queries.py", work, timeout=900)
    return json.loads((work / "report.json").read_text())


@pytest.mark.parametrize("name", QUERIES)
def test_answers_are_equal(report, name):
    native = Answer(**report["native"][name])
    assert "RepriseHashAggregate" in native.plan
    assert difference(Answer(**report["spark"][name]), native) is None


def test_the_tasks_say_that_they_spilled(report):
    assert report["spilled"]["Disk Bytes Spilled"] > 1_000_000
    assert report["spilled"]["Memory Bytes Spilled"] > report["spilled"]["Disk Bytes Spilled"]


def test_a_trace_shows_who_spilled_and_who_waited(report):
    """One file, although tasks spill within calls of Spark, fail and are killed."""
    trace = report["traced"]
    assert trace["misplaced"] == trace["outside"] == 0
    assert "spill RepriseHashAggregate" in trace["spillers"]
    # The event log lacks figures of tasks that were killed.
    assert trace["written"] >= report["spilled"]["Disk Bytes Spilled"]
    assert trace["waits"] > 0


@pytest.mark.parametrize("name", [*QUERIES, "failing"])
def test_nothing_is_left(report, name):
    assert report["left"][name] == NOTHING


def test_a_failing_task_says_why(report):
    assert Answer(**report["failing"]).error == "DIVIDE_BY_ZERO"


def test_a_killed_task_leaves_nothing(report):
    killed = report["killed"]
    assert killed["had_spilled"]
    assert len(killed["failures"]) == 1
    assert killed["left"] == NOTHING
    assert Answer(**report["after"]).rows == ["['int 299999']"]


@pytest.mark.parametrize(("name", "hint"), memory_joins.cases())
def test_joins_are_equal(report, name, hint):
    native = Answer(**report["joins"]["native"][f"{name} {hint}"])
    assert difference(Answer(**report["joins"]["spark"][name]), native) is None
    assert memory_joins.STRATEGIES[hint] in native.plan
    assert report["joins"]["left"][f"{name} {hint}"] == NOTHING


def test_joins_have_spilled(report):
    assert report["joins"]["spilled"]["Disk Bytes Spilled"] > 20_000_000
    for operator in memory_joins.STRATEGIES.values():
        assert f"spill {operator}" in report["traced"]["spillers"]


@pytest.mark.parametrize("name", memory_wide.QUERIES)
def test_wide_rows_need_no_more_than_they_do_on_spark(report, name):
    native = Answer(**report["wide"]["native"][name])
    assert difference(Answer(**report["wide"]["spark"][name]), native) is None
    assert memory_wide.OPERATORS[name] in native.plan
    assert report["wide"]["left"][name] == NOTHING
