"""What applications without the plug-in would gain, and what became slower from run to run."""

import json
import subprocess
from pathlib import Path

import pytest
from apps import log_file, run_app
from places import PROGRAM, ROOT
from report_pages import page_data, settled_dom

KEPT = sorted((ROOT / "tests" / "eventlogs").glob("*.zstd"))
# What one side shows and the other does not: they hand rows on, or stand for what ran elsewhere.
TRANSITIONS = {"ColumnarToRow", "RowToNative", "NativeToRow", "ReusedExchange"}


def reprise(*arguments: object) -> subprocess.CompletedProcess:
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def told(*arguments: object) -> dict:
    done = reprise(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def logs(tpch, tmp_path_factory) -> tuple[Path, Path]:
    """The same queries on Spark alone, and with the plug-in and fewer partitions."""
    folder = tmp_path_factory.mktemp("qualify")
    run_app("qualify_app.py", folder / "spark", tpch, cwd=folder)
    options = ["plugin", "spark.sql.shuffle.partitions=3"]
    run_app("qualify_app.py", folder / "native", tpch, *options, cwd=folder)
    return log_file(folder / "spark"), log_file(folder / "native")


def by_name(queries: list[dict]) -> dict[str, dict]:
    return {query["description"]: query for query in queries}


def test_operators_would_run_where_they_do(logs):
    """What is foretold of Spark's plans is what the plug-in made of them."""
    spark, native = logs
    foretold = by_name(told("qualify", spark)["applications"][0]["queries"])
    came = by_name(told("report", native)["queries"])
    compared = 0
    for name, query in foretold.items():
        if name not in came or " at " in name:
            continue
        stays = sorted(
            each["name"].strip()
            for each in query["operators"]
            if each["runs"] == "spark" and each["name"] not in TRANSITIONS
        )
        stayed = sorted(
            node["name"].strip()
            for node in came[name]["plan"]
            if node["runs"] == "spark" and node["name"] not in TRANSITIONS
        )
        assert stays == stayed, name
        compared += 1
    assert compared >= 12


def test_guests_are_named(logs):
    queries = by_name(told("qualify", logs[0])["applications"][0]["queries"])
    guests = [each for each in queries["guest"]["operators"] if each["runs"] == "guest"]
    assert {each["reason"] for each in guests} == {"Spark evaluates regexp_replace"}


def test_times_lie_within_their_bounds(logs):
    (application,) = told("qualify", logs[0])["applications"]
    for each in [application, *application["queries"]]:
        bounds = each["nativeWallMs"]
        assert 0 <= bounds["least"] <= bounds["expected"] <= bounds["most"]
        assert bounds["expected"] <= 1.01 * each["wallMs"]
        assert 0 <= each["nativeShare"] <= 1
    assert application["speedup"]["least"] <= application["speedup"]["expected"]


def test_the_text_tells_what_stands_in_the_way(logs):
    text = reprise("qualify", logs[0]).stdout
    assert "qualify (local-" in text
    assert "What stands in the way" in text
    assert "its functions take pickled rows" in text


def test_an_application_with_the_plugin_is_refused(logs):
    done = reprise("qualify", logs[1])
    assert done.returncode == 2
    assert f"`reprise report {logs[1]}` tells what ran natively" in done.stderr


def test_many_logs_are_a_line_each_and_one_that_is_damaged_hides_none(logs, tmp_path):
    damaged = tmp_path / "damaged"
    damaged.write_text("{no json\n")
    done = reprise("qualify", *KEPT, damaged, logs[0])
    assert done.returncode == 2
    assert "damaged" in done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2 + len(KEPT)
    assert any("qualify" in line for line in lines)


def test_two_runs_are_compared_by_query(logs):
    comparison = told("report", *logs)["comparison"]
    pairs = by_name(comparison["queries"])
    assert {"aggregate", "join", "broadcast", "window", "guest", "csv", "python"} <= set(pairs)
    assert comparison["onlyLeft"] == []
    changed = [query["rightMs"] - query["leftMs"] for query in comparison["queries"]]
    assert changed == sorted(changed, reverse=True)
    differ = {each["name"]: (each["left"], each["right"]) for each in comparison["settings"]}
    assert differ["spark.sql.shuffle.partitions"] == ("4", "3")
    assert differ["spark.plugins"] == ("", "reprise.ReprisePlugin")
    scans = [
        each
        for each in pairs["aggregate"]["operators"]
        if each["left"] and "Scan" in each["left"]["name"]
    ]
    assert [each["right"]["name"] for each in scans] == ["ParquetScan"]
    assert not pairs["join"]["samePlan"]  # the native one sorts nothing
    assert pairs["broadcast"]["samePlan"]


def test_a_run_is_the_same_as_itself(logs):
    comparison = told("report", logs[0], logs[0])["comparison"]
    assert comparison["settings"] == comparison["onlyLeft"] == comparison["onlyRight"] == []
    for query in comparison["queries"]:
        assert query["left"] == query["right"]
        assert query["samePlan"]
    assert "became" not in reprise("report", logs[0], logs[0]).stdout


def test_the_page_shows_the_comparison(logs, tmp_path):
    page = tmp_path / "compared.html"
    done = reprise("report", *logs, "-o", page)
    assert (done.returncode, done.stderr) == (0, "")
    assert page_data(page)["comparison"]["settings"]
    dom = settled_dom(page.as_uri())
    assert "Compared with another run" in dom
    assert "spark.sql.shuffle.partitions" in dom
