"""An executor that dies of memory leaves a report of who held it, which `reprise show` reads."""

import json
import time
from pathlib import Path

import pytest
from applications import run_python
from cluster import Cluster
from places import SUPPORT
from test_dump import reprise


@pytest.fixture(scope="module")
def died(with_plugin, tmp_path_factory):
    """What the application says, and the reports that its executors have left."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    folder = tmp_path_factory.mktemp("memory")
    cluster = Cluster(folder)
    reports = folder / "reports"
    try:
        app = SUPPORT / "memory_reports_app.py"
        done = run_python(app, cluster.url, reports, folder / "work", timeout=300)
        # The executors that are left end when the application has ended.
        time.sleep(3)
    finally:
        cluster.stop()
    return json.loads(done.stdout.splitlines()[-1]), reports


def read(report: Path) -> dict:
    return json.loads(report.read_text())


def test_executors_that_end_well_leave_nothing(died):
    said, reports = died
    assert said["answer"] == 1000
    left = {path.name: read(path) for path in reports.glob("*")}
    assert said["killed"] in left
    # The one that was killed and the one whose heap was full; those in their places ended well.
    assert len(left) == 2, left


def test_one_that_was_killed_says_who_held_what(died):
    said, reports = died
    report = read(reports / said["killed"])
    assert "error" not in report
    (fragment, *_) = report["native"]["fragments"]
    (sort,) = (op for op in fragment["operators"] if op["name"].startswith("RepriseSort"))
    assert sort["held"] > 1_000_000
    assert 0 < fragment["allocated"] <= fragment["peak"]
    assert fragment["granted"] > 0
    task = next(task for task in report["tasks"] if task["attempt"] == fragment["attempt"])
    assert task["held"] >= sum(consumer["bytes"] for consumer in task["consumers"]) > 0
    shown = reprise("show", reports / said["killed"])
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"Executor {report['executor']} of {report['application']} on ")
    assert "RepriseSort" in shown.stdout
    assert "ms before" in shown.stdout


def test_one_without_heap_says_so(died):
    said, reports = died
    assert said["error"]
    (other, *_) = (path for path in reports.glob("*") if path.name != said["killed"])
    shown = reprise("show", other)
    report = read(other)
    # A heap that is full may have no room to say so.
    if "error" in report:
        assert "OutOfMemoryError" in report["error"]
        assert f"\nIt ended with {report['error']}\n" in shown.stdout
    assert report["tasks"]
    assert 0 < report["jvm"]["heapUsed"] <= report["jvm"]["heapMax"]
    assert json.loads(reprise("show", other, "--json").stdout) == report


def test_what_is_no_report_is_an_error(tmp_path):
    path = tmp_path / "a.memory.json"
    path.write_text("{}")
    shown = reprise("show", path)
    assert shown.returncode == 2
    assert shown.stderr == f"reprise: {path} is no report of an executor's memory\n"
