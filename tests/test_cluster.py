"""A real cluster: executors are processes of their own, and only Spark is given the jar."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cluster import Cluster
from places import PROGRAM, ROOT


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
    command = [sys.executable, str(ROOT / "tests" / "cluster_queries.py")]
    command += [cluster.url, str(tpch), str(work)]
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PYSPARK_")
    }
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_answers_are_equal(report):
    assert report["differences"] == {"1": None, "4": None, "6": None}


def test_executors_ran_natively(report):
    assert report["native"] == {"1": True, "4": True, "6": True}


def test_a_dump_of_several_executors_replays(report):
    done = subprocess.run(
        [PROGRAM, "replay", report["dump"]],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_executors_leave_no_library_behind(cluster, report):
    """Two executors unpacked the jar's libraries; both removed them when they ended."""
    left = [path for path in Path(cluster.folder).rglob("libreprise.so*")]
    assert left == []
