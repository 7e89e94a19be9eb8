"""What the ledger records: checksums, the same of native batches and of Spark's rows."""

import json
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cluster import Cluster
from places import SUPPORT

QUERIES = "1,3,4,9,13,16,18,21,22"


@dataclass
class Ledger:
    """One application's: checksums by query, in the order in which they ran, and by LORE id."""

    header: dict
    tasks: list[dict]
    columns: dict = field(default_factory=dict)
    operators: list[dict] = field(default_factory=list)


def run(base: Path, data: Path, queries: str, *settings: str) -> subprocess.CompletedProcess:
    app = SUPPORT / "ledger_runs.py"
    command = [sys.executable, app, base.as_uri(), data, queries, *settings]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(base: Path) -> Ledger:
    (folder,) = base.iterdir()
    lines = [json.loads(line) for line in (folder / "sums.jsonl").read_text().splitlines()]
    ledger = Ledger(lines[0]["ledger"], [line for line in lines if "task" in line])
    queries: dict[str, dict] = {}
    for line in lines:
        if "operator" in line:
            queries.setdefault(line["operator"]["query"], {})
            key = line["operator"]["query"], line["operator"]["loreId"]
            ledger.columns[key] = line["operator"]["columns"]
    for line in ledger.tasks:
        for entry in line["sums"]:
            if entry["of"] != "operator":
                continue
            stages = queries[entry["query"]].setdefault(entry["loreId"], defaultdict(list))
            stages[line["task"]["stage"]].append(entry)
    ledger.operators = list(queries.values())
    return ledger


def total(stages: dict) -> tuple[int, int, list[int]] | None:
    """Rows and checksums of an operator over its last stage's partitions; none if cut short."""
    entries = stages[max(stages)]
    if not all(entry["complete"] for entry in entries):
        return None
    columns = zip(*([int(c, 16) for c in entry["columns"]] for entry in entries), strict=True)
    return (
        sum(entry["rows"] for entry in entries),
        sum(int(entry["unordered"], 16) for entry in entries) % 2**64,
        [sum(column) % 2**64 for column in columns],
    )


@pytest.fixture(scope="module")
def runs(tpch, tmp_path_factory) -> dict[str, Ledger]:
    """The same queries natively, and by Spark's own operators."""
    modes = {
        "native": [],
        "spark": ["spark.reprise.sql.mode=explainOnly", "spark.reprise.ledger.operators=all"],
        "ends": ["spark.reprise.sql.mode=explainOnly"],
    }
    ledgers = {}
    for name, settings in modes.items():
        base = tmp_path_factory.mktemp(name)
        done = run(base, tpch, QUERIES, *settings)
        assert done.returncode == 0, done.stderr[-3000:]
        ledgers[name] = read(base)
    return ledgers


def test_header(runs):
    assert runs["native"].header["operators"] == "native"
    assert runs["spark"].header["operators"] == "all"
    assert runs["native"].header["format"] == 2
    assert runs["native"].header["application"] == "reprise tests"


def test_native_operators_give_what_sparks_give(runs):
    """By LORE id: the core checksums its batches, and the rows of Spark's operators."""
    native, spark = runs["native"].operators, runs["spark"].operators
    assert len(native) == len(spark) == len(QUERIES.split(","))
    compared = 0
    for number, ours, theirs in zip(QUERIES.split(","), native, spark, strict=True):
        both = ours.keys() & theirs.keys()
        assert len(both) >= 4, f"Q{number}: {sorted(ours)} and {sorted(theirs)}"
        for lore_id in both:
            checksums = total(ours[lore_id]), total(theirs[lore_id])
            if None in checksums:
                continue
            assert checksums[0] == checksums[1], f"Q{number} loreId {lore_id}"
            compared += 1
    assert compared > 60


def test_columns_have_names(runs):
    for ledger in runs.values():
        for task in ledger.tasks:
            for entry in (e for e in task["sums"] if e["of"] == "operator"):
                names = ledger.columns[entry["query"], entry["loreId"]]
                assert len(names) == len(entry["columns"])
    assert any("l_orderkey" in names for names in runs["native"].columns.values())


def test_spark_is_asked_at_the_ends_of_stages_only(runs):
    """Elsewhere it generates code for several operators at once."""
    for ends, every in zip(runs["ends"].operators, runs["spark"].operators, strict=True):
        assert ends.keys() < every.keys()
        for lore_id, stages in ends.items():
            assert total(stages) == total(every[lore_id])


def test_executors_of_their_own(runs, tpch, tmp_path):
    """Their checksums come to the driver, every partition's, and are those of one process."""
    (tmp_path / "cluster").mkdir()
    cluster = Cluster(tmp_path / "cluster")
    try:
        settings = [f"spark.master={cluster.url}", "spark.executor.memory=600m"]
        done = run(tmp_path / "ledger", tpch, "1,18", *settings)
    finally:
        cluster.stop()
    assert done.returncode == 0, done.stderr[-3000:]
    ledger = read(tmp_path / "ledger")
    assert {line["task"]["executor"] for line in ledger.tasks} == {"0", "1"}
    alone = runs["native"].operators
    for number, operators in zip(("1", "18"), ledger.operators, strict=True):
        for lore_id, stages in operators.items():
            there = alone[QUERIES.split(",").index(number)]
            assert total(stages) == total(there[lore_id]), f"Q{number} loreId {lore_id}"


@pytest.mark.parametrize(
    ("base", "reason"),
    [("file:///proc/nowhere", "cannot make a folder there"), ("nosuch://a/b", "nosuch")],
)
def test_a_base_that_cannot_be_written_to(tpch, base, reason):
    app = SUPPORT / "ledger_runs.py"
    done = subprocess.run(
        [sys.executable, app, base, tpch, "6"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert f"spark.reprise.ledger.path: {base}" in done.stderr
    assert reason in done.stderr
