"""Dumps of a stage or a query hold what enters and leaves its fragments, and replay as one."""

import json
import re
import subprocess

import pytest
import tpch_queries
from places import PROGRAM
from test_dump import reprise
from whole_dumps import Dump, dump_all, natively, rows_of

IDS = "spark.reprise.lore.idsToDump"
LAYOUTS = {
    "adaptive": {"spark.sql.adaptive.enabled": "true"},
    "static, shuffled": {
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
    },
}
# Joins of every kind that TPC-H has, subqueries, a union of conditions, aggregates of aggregates.
NUMBERS = [1, 4, 5, 11, 13, 15, 16, 19, 21, 22]
JOINED = """SELECT o_orderpriority, count(*) AS n FROM orders JOIN customer ON o_custkey = c_custkey
            WHERE o_totalprice > 1000 AND c_acctbal > 0 GROUP BY o_orderpriority"""
SHIPPED = "SELECT l_shipmode, sum(l_tax) + 1 AS t FROM lineitem WHERE l_tax > 0 GROUP BY l_shipmode"
FAILING = "SELECT 1000 / (id - 650) AS r FROM range(0, 1000, 1, 2) WHERE id % 10 = 0"


def fragments(dumps: dict[int, Dump]) -> dict[int, Dump]:
    return {i: dump for i, dump in dumps.items() if dump.name == "RepriseFragment"}


def operators_of(dump: Dump) -> list[int]:
    """The LORE ids of a fragment's operators, the root first."""
    ids = []

    def visit(node: dict) -> None:
        if "leaf" not in node:
            ids.append(node["operator"]["lore_id"])
            for below in node["inputs"]:
                visit(below)

    visit(dump.plan["operator"]["arguments"]["operators"])
    return ids


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("number", NUMBERS)
def test_each_stage_of_a_query_replays(native, tmp_path, number, layout):
    for key, value in LAYOUTS[layout].items():
        native.conf.set(key, value)
    query = tpch_queries.query(number)
    expected = rows_of(native, query)
    rows, found = dump_all(native, query, tmp_path / "dump", **{IDS: "query"})
    assert rows == expected
    dumps = {i: dump for i, dump in found.items() if dump.has_records}
    wholes = fragments(dumps)
    assert wholes
    inside = [i for dump in wholes.values() for i in operators_of(dump)]
    assert len(inside) == len(set(inside)) >= 2 * len(wholes)
    assert not (set(dumps) - set(wholes)) & set(inside), "of those inside nothing is recorded"
    assert "ShuffleExchange" not in {dump.name for dump in dumps.values()}
    wrong = natively(dump.folder for dump in dumps.values() if dump.is_native)
    assert not wrong, "\n".join(f"{folder}: {text}" for folder, text in wrong.items())


def test_a_stage_is_named_by_any_of_its_operators(native, tpch, tmp_path):
    _, alone = dump_all(native, JOINED, tmp_path / "alone")
    _, whole = dump_all(native, JOINED, tmp_path / "whole", **{IDS: "query"})
    root, dump = max(fragments(whole).items(), key=lambda item: len(operators_of(item[1])))
    ids = operators_of(dump)
    for number in (ids[0], ids[-1]):
        path = tmp_path / f"stage-{number}"
        _, stage = dump_all(native, JOINED, path, **{IDS: f"stage:{number}[0]"})
        assert operators_of(stage[root]) == ids
        assert len(list(stage[root].folder.glob("output/partition-*"))) == 1
    report = json.loads(reprise("replay", dump.folder, "--json").stdout)
    told = report["partitions"][0]["operators"]
    assert [one["loreId"] for one in told] == ids
    per_operator = {i: alone[i].rows("output") for i in ids}
    summed = dict.fromkeys(ids, 0)
    for partition in report["partitions"]:
        for one in partition["operators"]:
            summed[one["loreId"]] += one["rows"]
    assert summed == per_operator, "as many rows went through as each alone has recorded"
    assert all(one["firstRows"] for one in told)
    assert max(one["peakBytes"] for one in told) > 0
    assert told[0]["firstRows"][0].startswith("o_orderpriority=")


def test_what_a_fragment_is_made_of_is_shown(native, tpch, tmp_path):
    _, whole = dump_all(native, SHIPPED, tmp_path, **{IDS: "query"})
    first = max(fragments(whole))
    shown = reprise("show", whole[first].folder).stdout
    below = first + 1
    assert re.search(
        rf"operators    RepriseHashAggregate \[loreId={first}\]\n"
        rf" +RepriseFilter \[loreId={below}\]\n",
        shown,
    ), shown
    listed = reprise("show", tmp_path).stdout
    assert "HashAggregate#1 and 1 below" in listed, listed
    replayed = reprise("replay", tmp_path)
    assert replayed.returncode == 0, replayed.stdout
    assert re.search(r"HashAggregate#1 and 1 below .* equal", replayed.stdout), replayed.stdout
    no_sql = reprise("show", whole[first].folder, "--sql")
    assert no_sql.returncode == 2
    assert "it is several operators: dump the one that you want" in no_sql.stderr


def test_a_fragment_stops_under_gdb_where_one_of_its_operators_computes(native, tpch, tmp_path):
    _, whole = dump_all(native, JOINED, tmp_path, **{IDS: "query"})
    root, dump = max(fragments(whole).items(), key=lambda item: len(operators_of(item[1])))
    under_gdb = [PROGRAM, "replay", dump.folder, "--partition", "0", "--gdb", "--break"]
    join = next(i for i in operators_of(dump) if i != root)
    told = subprocess.run(
        [*under_gdb, f"loreId-{join}"],
        input="info breakpoints\nquit\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "breakpoint already hit 1 time" in told.stdout, told.stdout + told.stderr
    assert "stop only if $rsi == 0x" in told.stdout
    unknown = reprise("replay", dump.folder, "--break", "999", "--under-gdb")
    assert unknown.returncode == 2
    assert "--break 999: " in unknown.stderr
    assert "has no operator with this LORE id" in unknown.stderr


def test_who_holds_the_memory_of_a_fragment_is_told(native, tpch, tmp_path):
    _, whole = dump_all(native, JOINED, tmp_path / "dump", **{IDS: "query"})
    dump = max(fragments(whole).values(), key=lambda one: len(operators_of(one)))
    page = tmp_path / "peak.html"
    command = ("replay", dump.folder, "--partition", 0, "--memory-profile", page)
    told = reprise(*command)
    assert told.returncode == 0, told.stdout + told.stderr
    shown = re.search(r"held at the peak  allocated by\n +[0-9.]+ k?B  \w+", told.stdout)
    assert shown, told.stdout
    report = json.loads(reprise(*command, "--json").stdout)
    sites = report["memorySites"]
    peak = report["partitions"][0]["memory"]["peakBytes"]
    assert 0.98 * peak <= sum(site["bytes"] for site in sites) <= peak
    assert "NextBatch" in page.read_text()
    lost = reprise("replay", dump.folder, "--memory-profile", tmp_path / "none" / "peak.html")
    assert lost.returncode == 2
    assert "none/peak.html: cannot be written" in lost.stderr


def test_a_stage_that_fails_fails_again_inside(native, tmp_path):
    native.conf.set("spark.sql.ansi.enabled", "true")
    query = f"SELECT r + 1 FROM ({FAILING}) WHERE r > -100000"
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        dump_all(native, query, tmp_path, **{IDS: "query", "spark.reprise.lore.when": "failure"})
    (folder,) = [path.parent for path in tmp_path.glob("loreId-*/input-0")]
    assert Dump(folder).name == "RepriseFragment"
    found = reprise("replay", folder, "--failed")
    assert found.returncode == 1
    assert "failed again, in the same way: " in found.stdout, found.stdout
    assert "DIVIDE_BY_ZERO" in found.stdout


def test_what_is_masked_is_dumped_operator_by_operator(native, tpch, tmp_path):
    mask = {IDS: "query", "spark.reprise.lore.mask": "l_shipmode:hash"}
    _, dumps = dump_all(native, SHIPPED, tmp_path, **mask)
    assert not fragments(dumps)
    assert {"RepriseHashAggregate", "RepriseFilter"} <= {dump.name for dump in dumps.values()}


def test_a_fragment_shrinks(native, tpch, tmp_path):
    _, whole = dump_all(native, SHIPPED, tmp_path / "dump", **{IDS: "query"})
    dump = max(fragments(whole).values(), key=lambda one: len(operators_of(one)))
    out = tmp_path / "small"
    shrunk = reprise("shrink", dump.folder, "--while-assert", "l_shipmode <> 'RAIL'", "--out", out)
    assert shrunk.returncode == 0, shrunk.stdout + shrunk.stderr
    assert "1 row of " in shrunk.stdout
    small = reprise("replay", out / dump.folder.name, "--assert", "l_shipmode <> 'RAIL'")
    assert "The assertion FAILS" in small.stdout, small.stdout
