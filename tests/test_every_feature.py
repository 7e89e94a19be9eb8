"""Each feature once, in one application that uses all of them at once: for every Spark there is."""

import json
import subprocess
from pathlib import Path

import pytest
import reprise as package
from apps import log_file, run_app
from flame_pages import page_data, weight
from places import PROGRAM


@pytest.fixture(scope="module")
def folder(with_plugin, tmp_path_factory) -> Path:
    """What every_feature_app.py has left."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    work = tmp_path_factory.mktemp("features")
    run_app("every_feature_app.py", work, cwd=work)
    return work


def answer(*arguments: object) -> dict:
    command = [PROGRAM, *arguments, "--json"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-3000:] + done.stderr[-3000:]
    return json.loads(done.stdout)


def test_explain_says_what_runs_natively(folder):
    text = (folder / "native" / "explained").read_text()
    for operator in ("FilterExec", "HashAggregateExec"):
        assert f"*Exec <{operator}> [loreId=" in text
    assert "because" not in text


def test_dumps_replay(folder):
    """An operator that ran natively, and one that was Spark's own."""
    dumped = package.open(folder / "native" / "dump")
    assert {operator.name for operator in dumped.values()} == {
        "RepriseFilter",
        "RepriseHashAggregate",
    }
    for operator in dumped.values():
        assert operator.partitions
        assert operator.check()
    for operator in package.open(folder / "spark" / "dump").values():
        assert operator.kind == "spark" or operator.check()


@pytest.mark.parametrize("mode", ["native", "spark"])
def test_the_event_log_tells_of_the_query_and_of_the_rdds(folder, mode):
    log = log_file(folder / mode / "log")
    (query,) = [sql for sql in answer("explain", log)["sql"] if sql["queries"]]
    operators = {each["name"]: each for each in query["queries"][0]["operators"]}
    assert {"Filter", "HashAggregate"} <= {name.split("#")[0] for name in operators}
    names = {rdd["name"] for rdd in answer("rdds", log)["rdds"]}
    assert {"ParallelCollectionRDD", "PairwiseRDD", "PythonRDD"} <= names
    states = [stage["state"] for stage in answer("stages", log)["stages"]]
    assert states.count("complete") >= 4


def test_the_lineage_is_recorded(folder):
    recorded = answer("rdds", folder / "native" / "lineage")["rdds"]
    logged = answer("rdds", log_file(folder / "native" / "log"))["rdds"]
    assert {rdd["id"]: rdd["name"] for rdd in logged}.items() <= {
        rdd["id"]: rdd["name"] for rdd in recorded
    }.items()


def test_the_ledgers_of_both_agree(folder):
    found = answer("ledger", "diff", folder / "native" / "ledger", folder / "spark" / "ledger")
    assert found["differences"] == []
    assert found["compared"] >= 5
    assert [ledger["damages"] for ledger in found["ledgers"]] == [[], []]


def test_every_stage_has_a_flame_graph(folder):
    pages = list((folder / "native" / "flames").glob("app-*-exec-driver-stage-*-attempt-0.html"))
    assert len(pages) >= 4
    assert max(weight(page, "CPU", r"^RepriseHashAggregate ") for page in pages) > 0
    assert all(page_data(page)["frames"] for page in pages)
