"""What a report tells of what an application has left beside its log."""

import json
import subprocess
from pathlib import Path

import pytest
from apps import log_file, run_app
from places import PROGRAM
from report_pages import used_in_browser


@pytest.fixture(scope="module")
def parts(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("parts")
    run_app("report_parts_app.py", folder / "app", cwd=folder)
    return folder / "app"


@pytest.fixture(scope="module")
def told(parts) -> dict:
    done = subprocess.run(
        [PROGRAM, "report", log_file(parts / "log"), "--json"], capture_output=True, check=True
    )
    return json.loads(done.stdout)


def failed_attempts(told: dict) -> dict[int, dict]:
    """By query, -1 for none."""
    return {
        stage["query"]: attempt
        for stage in told["stages"]
        for attempt in stage["attempts"]
        if attempt["failures"]
    }


def test_assertions_are_told_with_their_outcome(told):
    held, failed, *others = ([query["assertions"], query["error"]] for query in told["queries"])
    assert [each["outcome"] for each in held[0]] == ["held", "held"]
    assert [(each["name"], each["text"]) for each in held[0]] == [
        ("Project", "y >= 0"),
        ("Range", "id < 100"),
    ]
    assert [each["outcome"] for each in failed[0]] == ["untold", "failed"]
    assert "assertion error" in failed[1]
    assert all(assertions == [] for assertions, _ in others)


def test_failed_tasks_lead_to_their_dumps(told):
    attempt = failed_attempts(told)[2]
    (line,) = attempt["failureLines"]
    program, rest = line.split(" ", 1)
    assert program == "reprise"
    done = subprocess.run(f"{PROGRAM} {rest}", shell=True, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "failed again, in the same way" in done.stdout
    (of_rdd,) = failed_attempts(told)[-1]["failureLines"][1:]
    assert of_rdd.startswith("reprise debug-task /tmp/recording --stage ")
    assert of_rdd.endswith("--partition 1")


def test_what_slow_tasks_do_more(told):
    slow = [
        attempt["slowTasks"]
        for stage in told["stages"]
        for attempt in stage["attempts"]
        if stage["query"] == 3 and "slowTasks" in attempt
    ]
    (found,) = slow
    assert (found["event"], found["tasks"], found["slow"]) == ("wall clock", 4, 1)
    assert found["slowMs"] > 5 * found["medianMs"]
    assert Path(found["page"]).is_file()
    assert found["more"]
    assert all(each["slow"] > each["median"] for each in found["more"])


def test_the_ledger_says_what_differs(told, parts):
    assert told["ledger"]["differs"]
    assert "PythonRDD" in told["ledger"]["text"]
    done = subprocess.run(
        [PROGRAM, "report", log_file(parts / "log")], capture_output=True, text=True, check=True
    )
    assert "Its ledger: " in done.stdout


def test_operators_of_a_stage_tell_their_memory(told):
    metrics = {
        name
        for query in told["queries"]
        for node in query["plan"]
        if node["name"] == "HashAggregate"
        for name, *_ in node["metrics"]
    }
    assert "peak memory" in metrics


def test_the_page_shows_all_of_it(parts, tmp_path):
    page = tmp_path / "report.html"
    subprocess.run([PROGRAM, "report", log_file(parts / "log"), "-o", page], check=True)
    seen = used_in_browser(page, tmp_path / "copy.html", 1280)
    assert (seen["failures"], seen["dead"]) == ([], [])
    assert "Assertions" in seen["queries"]["1"]["headings"]
    assert "Assertions" not in seen["queries"]["3"]["headings"]
    of_stages = [heading for stage in seen["stages"].values() for heading in stage["headings"]]
    assert {"What slow tasks do more", "peak memory, all tasks"} <= set(of_stages)
    assert "DIFFER" in seen["ledger"]
