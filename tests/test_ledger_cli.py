"""`reprise ledger` over the ledgers of real runs: retries, another time zone, the plug-in off."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cluster import Cluster
from places import PROGRAM, SUPPORT
from replay_apps import compiled, submit


def run(application: str, base: Path, *arguments: str) -> Path:
    """The base folder of the ledger of an application that has ended."""
    command = [sys.executable, SUPPORT / application, base.as_uri(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return base


def run_job(folder: Path, job: str, *settings: str) -> Path:
    work = folder / "work"
    work.mkdir(parents=True)
    return run("ledger_jobs.py", folder / "ledger", job, str(work), *settings)


def reprise(*arguments: object) -> subprocess.CompletedProcess:
    command = [PROGRAM, "ledger", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def answer(status: int, *arguments: object) -> dict:
    done = reprise(*arguments, "--json")
    assert done.returncode == status, done.stdout[-3000:] + done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def changing(tmp_path_factory) -> Path:
    return run_job(tmp_path_factory.mktemp("changing"), "changing")


def test_check_names_a_map_that_changes_when_its_stage_is_tried_again(changing):
    found = answer(1, "check", changing)
    assert found["ledger"]["ended"]
    assert found["ledger"]["missing"] == []
    first, *others = found["differences"]
    assert first["of"] == "shuffle"
    assert first["origin"] == "departs"
    assert first["differ"] == "values"
    assert [partition["partition"] for partition in first["partitions"]] == [0, 1]
    attempts = first["partitions"][0]["attempts"]
    assert [attempt["stageAttempt"] for attempt in attempts] == [0, 1] or attempts[0][
        "stage"
    ] != attempts[1]["stage"]
    assert any("PythonRDD" in rdd and "ledger_jobs.py" in rdd for rdd in first["rdds"])
    assert others, "what is behind the shuffle changes with it"
    assert {other["origin"] for other in others} == {"inherits"}
    text = reprise("check", changing)
    assert text.returncode == 1
    assert " departs: it reads nothing that differs, its output differs in partitions 0, 1.\n" in (
        text.stdout
    )
    assert "One of the RDDs that its stage computes in one go makes the difference:" in text.stdout


def test_check_finds_a_steady_map_the_same_each_time(tmp_path):
    found = answer(0, "check", run_job(tmp_path, "steady"))
    assert found["subjectsRepeated"] >= 2
    assert found["partitionsRepeated"] >= 5
    assert [each for each in found["differences"] if each["differ"] == "values"] == []


def test_diff_of_rdds_names_the_map(changing, tmp_path):
    found = answer(1, "diff", changing, run_job(tmp_path, "steady"))
    first, *others = found["differences"]
    assert first["first"]["of"] == "shuffle"
    assert first["origin"] == "departs"
    assert {other["origin"] for other in others} == {"inherits"}


@pytest.fixture(scope="module")
def values(tmp_path_factory) -> dict[str, Path]:
    """Ledgers of runs whose Python gives the same values, or nearly so."""
    conf = {"cut": ["spark.python.worker.memory=1m"]}  # a shuffle then sends each 1,000 values
    return {
        how: run_job(
            tmp_path_factory.mktemp("values"),
            "values",
            f"spark.tests.values={how}",
            *conf.get(how, []),
        )
        for how in ("plain", "reversed", "cut", "changed", "own")
    }


def checksums_of(base: Path, of: str) -> list[dict]:
    (file,) = base.glob("*/sums.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [entry for line in lines for entry in line.get("sums", []) if entry["of"] == of]


def test_each_value_of_python_is_a_row(values):
    for of in ("result", "shuffle"):
        rows = [checksums["rows"] for checksums in checksums_of(values["plain"], of)]
        assert rows[:2] == [2500, 2500]
        assert not any("batches" in checksums for checksums in checksums_of(values["plain"], of))


def test_values_of_python_in_another_order_are_told_by_it(values):
    found = answer(0, "diff", values["plain"], values["reversed"])
    assert found["differences"] == []
    assert {pair["first"]["of"] for pair in found["orders"]} == {"result", "shuffle"}
    text = reprise("diff", "--order", values["plain"], values["reversed"])
    assert text.returncode == 1
    assert "its rows come in another order in partitions 0, 1.\n" in text.stdout


def test_values_of_python_in_other_batches_are_equal(values):
    found = answer(0, "diff", values["plain"], values["cut"])
    assert found["compared"] >= 3
    assert found["differences"] == found["orders"] == []


def test_a_value_of_python_that_differs_names_its_rdd(values):
    found = answer(1, "diff", values["plain"], values["changed"])
    first, *_ = found["differences"]
    assert (first["origin"], first["differ"], first["rows"]) == ("departs", "values", [5000, 5000])
    assert first["partitions"] == [0, 1]
    # The action and the shuffle that read it stand below the RDD that is cached.
    departing = [pair for pair in found["differences"] if pair["origin"] == "departs"]
    assert [pair["first"]["of"] for pair in departing] == ["result", "shuffle"]
    assert {pair["cachedRdd"] for pair in departing} == {first["first"]["rdd"]}
    assert any("PairwiseRDD partitionBy at " in rdd for rdd in departing[1]["first"]["rdds"])
    text = reprise("diff", values["plain"], values["changed"]).stdout
    assert f"#{first['cachedRdd']} PythonRDD " in text
    assert ", which is cached, departs, or 2 that have read it do: it reads nothing that" in text
    assert text.count(" departs") == 1


def test_batches_of_classes_that_python_sends_along_stay_whole(values):
    shuffled = checksums_of(values["own"], "shuffle")
    assert all(0 < checksums["batches"] == checksums["rows"] for checksums in shuffled)
    found = answer(1, "diff", values["plain"], values["own"])
    assert all(pair["second"]["pythonBatches"] > 0 for pair in found["differences"])
    text = reprise("diff", values["plain"], values["own"])
    assert "of Python's values could not be taken apart: " in text.stdout


def test_what_a_sort_sampled_of_other_partitions_is_explained(tmp_path):
    runs = [
        run_job(tmp_path / count, "sorted_keys", f"spark.tests.partitions={count}")
        for count in ("3", "5")
    ]
    found = answer(0, "diff", *runs)
    looks = [pair for pair in found["differences"] if pair["lookedAtFor"]]
    assert {pair["lookedAtFor"] for pair in looks} == {"sortByKey", "sortBy"}
    assert sum("NativeMethodAccessorImpl" in pair["first"]["name"] for pair in looks) == 2
    assert all(pair["explainedByDistribution"] for pair in found["differences"])
    text = reprise("diff", *runs).stdout
    said = "  sortByKey looked at it for its partitioner, and gave it to nothing else; what it sees"
    assert said in text
    assert "DIFFER" not in text
    # An RDD that a shuffle and an action read is compared across both.
    checked = answer(0, "check", runs[0])
    assert (checked["subjectsRepeated"], checked["partitionsRepeated"]) == (1, 3)
    assert {each["differ"] for each in checked["differences"]} <= {"order"}


def test_diff_names_the_projection_that_depends_on_the_time_zone(tmp_path):
    runs = [
        run_job(tmp_path / zone.replace("/", "-"), "hours", f"spark.sql.session.timeZone={zone}")
        for zone in ("UTC", "Asia/Tokyo")
    ]
    assert answer(0, "diff", runs[0], runs[0])["compared"] >= 6
    found = answer(1, "diff", *runs)
    first, *others = found["differences"]
    assert first["first"]["name"].startswith("Project [loreId=")
    assert first["origin"] == "departs"
    assert first["inputs"][0]["differ"] == "equal"
    assert len(first["columns"]) == 1
    assert len(others) >= 3
    assert {other["origin"] for other in others} == {"inherits"}
    text = reprise("diff", *runs)
    lore_id = first["first"]["loreId"]
    assert f"Project [loreId={lore_id}] of query " in text.stdout
    assert "departs: its input agrees (46 rows), its output differs in column " in text.stdout
    assert f'spark.conf.set("spark.reprise.lore.idsToDump", "{lore_id}[0]")' in text.stdout


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_diff_names_what_filled_a_cache(tmp_path, adaptive):
    same = f"spark.sql.adaptive.enabled={adaptive}"
    runs = [
        run_job(tmp_path / salt, "cached", same, f"spark.tests.salt={salt}") for salt in ("1", "2")
    ]
    found = answer(1, "diff", *runs)
    assert [ledger["damages"] for ledger in found["ledgers"]] == [[], []]
    first, *others = found["differences"]
    assert first["first"]["name"].startswith("Project [loreId=")
    assert first["first"]["place"] == "a query that is cached"
    assert first["origin"] == "departs"
    assert {other["origin"] for other in others} == {"inherits"}
    scans = [other for other in others if "InMemoryTableScan" in other["first"]["name"]]
    assert len(scans) == 2


def test_a_stage_that_only_passes_rows_on_is_not_missing(tmp_path):
    found = answer(0, "check", run_job(tmp_path, "passed_on"))
    assert found["ledger"]["missing"] == []
    assert found["ledger"]["tasks"] == (2 + 3 + 3 + 1) + (2 + 4)


@pytest.fixture(scope="module")
def tpch_runs(tpch, tmp_path_factory) -> dict[str, Path]:
    settings = ["spark.reprise.sql.mode=explainOnly", "spark.reprise.ledger.operators=all"]
    base = tmp_path_factory.mktemp("tpch")
    return {
        "native": run("ledger_runs.py", base / "native", tpch, "1,3,4,13,18"),
        "spark": run("ledger_runs.py", base / "spark", tpch, "1,3,4,13,18", *settings),
    }


@pytest.mark.parametrize("mode", ["native", "spark"])
def test_explain_shows_the_stages_of_a_query_as_one_tree(tpch_runs, mode):
    """The ledger's events are an event log; adaptive execution planned each query by stages."""
    (events,) = tpch_runs[mode].glob("*/events")
    command = [PROGRAM, "explain", "--json", events]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    queries = [query for sql in told["sql"] for query in sql["queries"]]
    assert len(queries) == 5
    for query in queries:
        parents = {each["loreId"]: each["parent"] for each in query["operators"]}
        assert [lore_id for lore_id, parent in parents.items() if parent is None] == [1]
        assert sorted(parents) == list(range(1, len(parents) + 1))
        assert all(parent < lore_id for lore_id, parent in parents.items() if parent)
        ran = {each["loreId"] for each in query["operators"] if each["ran"]}
        assert len(ran) >= 4
        checksummed = {
            entry["loreId"]
            for entry in checksums_of(tpch_runs[mode], "operator")
            if entry["query"] == query["query"]
        }
        assert checksummed <= ran
        assert len(checksummed) >= 3


def test_native_operators_agree_with_sparks(tpch_runs):
    found = answer(0, "diff", tpch_runs["native"], tpch_runs["spark"])
    assert found["differences"] == []
    assert found["compared"] >= 40


@pytest.mark.thorough
def test_check_compares_a_speculative_attempt_with_the_one_that_it_overtook(tmp_path):
    (tmp_path / "cluster").mkdir()
    jar = compiled([SUPPORT / "ledger_speculation.scala"], tmp_path)
    cluster = Cluster(tmp_path / "cluster", own_hosts=True)
    try:
        conf = {
            "spark.master": cluster.url,
            "spark.executor.memory": "600m",
            "spark.plugins": "reprise.ReprisePlugin",
            "spark.reprise.ledger.path": (tmp_path / "ledger").as_uri(),
            "spark.speculation": "true",
            "spark.speculation.interval": "100ms",
            "spark.speculation.multiplier": "1.1",
            "spark.speculation.quantile": "0.5",
            "spark.test.given": str(tmp_path / "given"),
        }
        said = submit("LedgerSpeculation", jar, **conf)
    finally:
        cluster.stop()
    assert "sum 80200\nended true" in said
    found = answer(1, "check", tmp_path / "ledger")
    (only,) = found["differences"]
    assert (only["of"], only["origin"], only["differ"]) == ("result", "departs", "values")
    (partition,) = only["partitions"]
    assert partition["partition"] == 2
    slow, speculative = sorted(partition["attempts"], key=lambda attempt: attempt["success"])
    assert [slow["rows"], speculative["rows"]] == [100, 100]
    assert [slow["success"], speculative["success"]] == [False, True]
    assert slow["executor"] != speculative["executor"]
