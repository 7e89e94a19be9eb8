"""LORE ids over runs whose stages end in random order, and of what is no plain query."""

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict

import pytest
from lore_ids_runs import PERTURBED
from places import SUPPORT

RUNS = 3  # in each of two JVMs
ADDED = 10_000  # ids above are of operators that adaptive execution has added
SCRIPT = SUPPORT / "lore_ids_runs.py"


@pytest.fixture(scope="module")
def runs(with_plugin, tmp_path_factory):
    """What two JVMs have told, one after the other; their delays differ."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    told = []
    # The same folder for both: the paths of tables are part of what their scans are.
    work = tmp_path_factory.mktemp("ids") / "run"
    for seed in (1, 2):
        shutil.rmtree(work, ignore_errors=True)
        command = [sys.executable, str(SCRIPT), str(work)]
        result = subprocess.run(
            [*command, str(seed), str(RUNS)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
        )
        assert result.returncode == 0, result.stderr[-3000:]
        told.append(json.loads(result.stdout.splitlines()[-1]))
    return {name: told[0][name] + told[1][name] for name in told[0]}


def check_same(queries: list[dict[str, list[str]]]) -> None:
    """An id means the same operator in all runs, and an operator has one id."""
    meanings = defaultdict(set)
    ids = defaultdict(set)
    for query in queries:
        by_fingerprint = defaultdict(list)
        for number, (occurrence, fingerprint) in query.items():
            if int(number) > ADDED:
                meanings[number].add(occurrence)
                continue
            meanings[number].add((occurrence, fingerprint))
            by_fingerprint[fingerprint].append(int(number))
        for fingerprint, numbers in by_fingerprint.items():
            ids[fingerprint].add(tuple(sorted(numbers)))
    assert {number: all_ for number, all_ in meanings.items() if len(all_) > 1} == {}
    # A part that turned out empty may not have run; then some of the equal ones are missing.
    for all_ids in ids.values():
        longest = set(max(all_ids, key=len))
        assert all(set(some) <= longest for some in all_ids), all_ids


@pytest.mark.parametrize("name", PERTURBED)
def test_ids_do_not_depend_on_which_stage_ends_first(runs, name):
    queries = [query for run in runs[name] for query in run]
    assert len(queries) == 2 * RUNS
    check_same(queries)


def test_occurrences_are_unique_in_a_query(runs):
    for name in PERTURBED:
        for run in runs[name]:
            for query in run:
                occurrences = [occurrence for occurrence, _ in query.values()]
                assert len(set(occurrences)) == len(occurrences)


SCENARIOS = (
    *("rdd", "to_rdd", "cached", "create_table", "insert", "save"),
    *("for_each_batch", "stateful", "at_once", "pruned"),
)


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_beyond_plain_queries(runs, name, adaptive):
    found = runs[f"{name}, adaptive {adaptive}"]
    assert all(found), "a run told of no operator"
    assert len({len(run) for run in found}) == 1, "the runs have different numbers of queries"
    # Queries at once are planned in any order.
    ordered = [sorted(run, key=lambda q: sorted(map(str, q.values()))) for run in found]
    for queries in zip(*ordered, strict=True):
        check_same(list(queries))
