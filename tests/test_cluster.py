"""A real cluster: executors are processes of their own, and only Spark is given the jar."""

import json
import subprocess
from pathlib import Path

import pytest
from answers import Answer, difference
from applications import run_python
from cluster import Cluster
from cluster_queries import KILLED
from places import PROGRAM, SUPPORT
from tpch_queries import NUMBERS
from traces import events, misplaced, ranges, rows_by_operator


@pytest.fixture(scope="module")
def cluster(with_plugin, tmp_path_factory):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def report(cluster, tpch, tmp_path_factory):
    """What one application found out on the cluster."""
    work = tmp_path_factory.mktemp("application")
    done = run_python(SUPPORT / "cluster_queries.py", cluster.url, tpch, work, timeout=600)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("number", NUMBERS)
def test_answers_are_equal(report, spark_answers, number):
    answer = Answer(**report["answers"][str(number)])
    assert difference(spark_answers(number), answer) is None


@pytest.mark.parametrize("number", NUMBERS)
def test_executors_ran_natively(report, number):
    assert "Reprise" in report["answers"][str(number)]["plan"]


def test_a_killed_executor_changes_no_answer(report, spark_answers):
    """Its map output was lost after a stage had completed, so Spark ran a stage again."""
    for kill in report["kills"]:
        assert kill["executors"] == 2
        assert difference(spark_answers(KILLED), Answer(**kill["answer"])) is None
    assert report["kills"][-1]["running"]
    assert report["kills"][-1]["again"] > 0


def test_rows_that_are_dealt_out_go_to_the_same_partitions_again(report):
    """Spark can run the stage again that deals them out, though others have read some of it."""

    def in_any_order(answer: dict) -> Answer:
        return Answer(**answer | {"rows": sorted(answer["rows"])})

    alone = in_any_order(report["dealt out by Spark"])
    assert len(alone.rows) == 400
    for kill in report["kills while dealt out"]:
        assert "RepriseShuffleExchange" in kill["answer"]["plan"]
        assert difference(alone, in_any_order(kill["answer"])) is None
    assert report["kills while dealt out"][-1]["running"]
    assert report["kills while dealt out"][-1]["again"] > 0


def test_a_dump_of_several_executors_replays(report):
    done = subprocess.run(
        [PROGRAM, "replay", report["dump"]],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_executor_writes_a_trace(report):
    """Their times count from the start of the application, so that the files line up."""
    files = sorted(Path(report["trace"]["folder"]).iterdir())
    assert [file.name.rpartition("-")[2] for file in files] == ["0.json", "1.json"]
    traces = [events(file) for file in files]
    together = traces[0] + traces[1]
    assert misplaced(together) == []
    rows = rows_by_operator(together)
    assert {name: rows.get(name) for name in report["trace"]["rows"]} == report["trace"]["rows"]
    spans = [
        (min(e["ts"] for e in ranges(trace)), max(e["ts"] + e["dur"] for e in ranges(trace)))
        for trace in traces
    ]
    assert 0 < max(span[0] for span in spans) < min(span[1] for span in spans) < 600e6


def test_executors_leave_no_library_behind(cluster, report):
    """Two executors unpacked the jar's libraries; both removed them when they ended."""
    left = [path for path in Path(cluster.folder).rglob("libreprise.so*")]
    assert left == []
