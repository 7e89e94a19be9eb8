"""The report of an application: its findings, and its page in a browser."""

import json
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest
from apps import log_file, run_app
from history_servers import history_server, read
from places import PROGRAM, ROOT
from report_pages import page_data, settled_dom, used_in_browser

KEPT = sorted((ROOT / "tests" / "eventlogs").glob("*.zstd"))


def report(*arguments: object) -> subprocess.CompletedProcess:
    command = [str(PROGRAM), "report", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def told(log: Path) -> dict:
    done = report(log, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """The log of report_app.py, with the plug-in."""
    folder = tmp_path_factory.mktemp("report")
    run_app("report_app.py", folder / "app", "plugin", cwd=folder)
    return log_file(folder / "app" / "log")


def test_operators_say_who_ran_them_and_what_went_through(log):
    queries = told(log)["queries"]
    assert [query["plugin"] for query in queries] == [True] * len(queries)
    native, python, *_ = queries
    assert {node["runs"] for node in native["plan"]} == {"native"}
    assert native["sparkMs"] == 0 < native["nativeMs"]
    rows = {node["name"]: node["rows"] for node in native["plan"]}
    assert rows["Sort"] == 50  # even ids meet even keys alone
    nameless = {node["name"] for node in native["plan"] if node["id"] == 0}
    assert nameless == {"NativeToRow", "ShuffleRead"}
    (evaluated,) = (node for node in python["plan"] if node["name"] == "BatchEvalPython")
    assert (evaluated["runs"], evaluated["rows"], evaluated["id"] > 0) == ("spark", 200, True)
    assert "its functions take pickled rows" in evaluated["reasons"][0]
    # 200 rows of 10 ms each, which Spark 3.5 does not measure.
    assert evaluated["ms"] > 1000
    failed = queries[2]
    assert "DIVIDE_BY_ZERO" in failed["error"]


def test_what_is_wrong_is_found(log):
    findings = told(log)["findings"]
    by_kind = {finding["kind"]: finding for finding in reversed(findings)}
    assert {"driver-alone", "python-function", "not-native", "straggler", "failed-tasks",
            "unread-cache", "same-work"} <= set(by_kind)  # fmt: skip
    # Of all that call Python, which of them costs most is the machine's to say.
    assert 1 in {each["query"] for each in findings if each["kind"] == "python-function"}
    assert "task 5 on executor driver" in by_kind["straggler"]["evidence"]
    assert by_kind["straggler"]["seconds"] > 1
    assert "kept" in by_kind["unread-cache"]["evidence"]
    assert "DIVIDE_BY_ZERO" in by_kind["failed-tasks"]["evidence"]
    assert by_kind["driver-alone"]["seconds"] > 4
    # Nobody sorted, joined, spilled, wrote or collected much.
    assert {"skew", "spill", "few-tasks", "tiny-tasks", "large-result", "nested-loop",
            "small-files", "large-broadcast", "retried-stage"}.isdisjoint(by_kind)  # fmt: skip
    seconds = [finding["seconds"] for finding in findings]
    assert seconds == sorted(seconds, reverse=True)


def test_the_page_can_be_used(log, tmp_path):
    page = tmp_path / "report.html"
    done = report(log, "-o", page)
    assert done.returncode == 0
    assert f"{page}: 9 queries, " in done.stdout
    data = page_data(page)
    seen = used_in_browser(page, tmp_path / "copy.html", 1280)
    assert seen["failures"] == []
    assert seen["dead"] == []
    assert seen["title"] == "<script>alert('name')</script>, Reprise"
    assert seen["queries rows"] == 9
    assert (
        seen["timeline bars"]
        == sum(len(stage["attempts"]) for stage in data["stages"]) + len(data["jobs"]) + 9 + 1
    )
    assert seen["stages found"] == 0
    assert (seen["copy"], seen["copied"]) == ("copied", data["findings"][0]["paste"])
    for query in data["queries"]:
        shown = seen["queries"][str(query["id"])]
        assert len(shown["nodes"]) == len(query["plan"])
        assert shown["with_first"] == len(query["plan"]) + len(query["firstPlan"])
        roots = bool(query["plan"]) + bool(query["firstPlan"])
        assert shown["edges"] == shown["with_first"] - roots
        assert shown["markup"] == 0
    # The last operator was chosen: what it does, and the lines that take it home.
    (last,) = (node for node in data["queries"][0]["plan"][-1:])
    shown = seen["queries"]["0"]
    assert last["text"] in shown["texts"]
    assert f"reprise replay /tmp/dump/loreId-{last['id']}" in shown["copied"]
    assert "refused" in next(n for n in seen["queries"]["1"]["nodes"] if "BatchEvalPython" in n)
    assert "</script><b>" in json.dumps(data["queries"][1]["plan"])


def test_the_page_fits_a_telephone(log, tmp_path):
    page = tmp_path / "report.html"
    assert report(log, "-o", page).returncode == 0
    seen = used_in_browser(page, tmp_path / "copy.html", 500)
    assert (seen["failures"], seen["too_wide"]) == ([], [])


ALIKE = ("queries", "stages", "jobs", "rdds", "settings", "executors")


def test_the_tab_of_a_running_application_tells_the_same(log):
    """What its events have come to before it ended is what its log tells afterwards."""
    folder = log.parent.parent
    live = json.loads((folder / "data.json").read_text())
    ended = told(log)
    assert {part: live[part] for part in ALIKE} == {part: ended[part] for part in ALIKE}
    assert live["application"]["ended"] == 0
    assert live["application"]["sparkVersion"] == ended["application"]["sparkVersion"]
    kinds = {finding["kind"] for finding in ended["findings"]}
    assert {finding["kind"] for finding in live["findings"]} == kinds
    assert 'src="/reprise/report/"' in (folder / "frame.html").read_text()
    assert 'const packed = "";' in (folder / "report.html").read_text()


def node_names(query: dict) -> list[str]:
    """Of the plan as Spark's page of a query shows it, from the root down."""
    return [node["nodeName"] for node in sorted(query["nodes"], key=lambda node: node["nodeId"])]


def test_spark_shows_the_ids_of_all_operators(log):
    """On its page of a query and in its REST interface, of those that it runs itself too."""
    folder = log.parent.parent
    running = node_names(json.loads((folder / "running.json").read_text()))
    assert "BatchEvalPython [loreId=7]" in running
    assert "RepriseRange [loreId=8]" in running
    assert [name for name in running if "will run" in name] == [
        "Sort [loreId=1, will run natively]",
        "Exchange [loreId=2, will run natively]",
        "HashAggregate [loreId=3, will run natively]",
    ]
    ended = json.loads((folder / "sql.json").read_text())
    shown = node_names(ended[-1])
    assert "RepriseSort [loreId=1]" in shown
    assert "BatchEvalPython [loreId=7]" in shown
    assert "will run" not in str(ended)


def test_the_history_server_tells_the_same(log, tmp_path):
    """With the jar on its class path; from what it keeps on disk too, once it has read the log."""
    application = told(log)["application"]["id"]
    ended = told(log)
    for _ in range(2):
        with history_server(log.parent, tmp_path) as url:
            page = f"{url}/history/{application}/reprise"
            shown = json.loads(read(f"{page}/report/data"))
            assert {part: shown[part] for part in ALIKE} == {part: ended[part] for part in ALIKE}
            assert shown["findings"] == [
                finding | {"paste": finding["paste"].replace(str(log), "LOG")}
                for finding in ended["findings"]
            ]
            queries = json.loads(read(f"{url}/api/v1/applications/{application}/sql?length=1000"))
            live = json.loads((log.parent.parent / "sql.json").read_text())
            assert list(map(node_names, queries)) == list(map(node_names, live))
            assert f'src="/history/{application}/reprise/report/"' in read(f"{page}/")
            dom = settled_dom(f"{page}/report/#query=0")
    assert dom.count('class="node native') == len(ended["queries"][0]["plan"])


@pytest.mark.parametrize("log", KEPT, ids=lambda path: path.stem)
def test_logs_without_the_plug_in_have_reports(log, tmp_path):
    """Of Spark 3.5 and 4.1: no operator is said to be native, or to be refused."""
    done = report(log, "-o", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    data = page_data(tmp_path / "report.html")
    assert not any(query["plugin"] for query in data["queries"])
    nodes = [node for query in data["queries"] for node in query["plan"]]
    assert {node["runs"] for node in nodes} <= {"spark", "nothing"}
    assert "not-native" not in {finding["kind"] for finding in data["findings"]}
    assert len(data["stages"]) > 10


def line_of(event: dict) -> str:
    return json.dumps(event, separators=(",", ":")) + "\n"


def multiplied(small: Path, path: Path, queries: int, tasks: int) -> int:
    """A log of many queries and one stage of many tasks, out of a kept one: gives that stage."""
    with pa.input_stream(str(small), compression="zstd") as stream:
        lines = [json.loads(line) for line in stream.read().splitlines()]
    start = next(e for e in lines if e["Event"].endswith("SQLExecutionStart"))
    end = next(e for e in lines if e["Event"].endswith("SQLExecutionEnd"))
    task = next(e for e in lines if e["Event"] == "SparkListenerTaskEnd")
    with path.open("w") as out:
        for event in lines[:-1]:
            out.write(line_of(event))
        for i in range(queries):
            more = {"executionId": 1000 + i, "description": f"query {i} of many"}
            out.write(line_of(start | more))
            out.write(line_of(end | more))
        for i in range(tasks):
            info = task["Task Info"] | {"Task ID": 10**6 + i, "Index": i, "Partition ID": i}
            info["Finish Time"] = info["Launch Time"] + 100 + i % 977
            out.write(line_of(task | {"Task Info": info}))
        out.write(line_of(lines[-1]))
    return task["Stage ID"]


def test_a_large_application_has_a_small_page(tmp_path):
    stage = multiplied(KEPT[-1], tmp_path / "log", 2000, 5000)
    page = tmp_path / "report.html"
    assert report(tmp_path / "log", "-o", page).returncode == 0
    assert page.stat().st_size < 10_000_000
    data = page_data(page)
    attempt = next(s for s in data["stages"] if s["id"] == stage)["attempts"][0]
    assert sum(attempt["histogram"]["counts"]) == attempt["succeeded"] >= 5000
    seen = used_in_browser(page, tmp_path / "copy.html", 1280, queries=3, stages=3)
    assert (seen["failures"], seen["dead"], seen["queries rows"]) == ([], [], 300)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "of which application? Give its event log"),
        (("nowhere",), "nowhere"),
        ((KEPT[0], "-o", "missing/folder/report.html"), "missing/folder/report.html"),
    ],
)
def test_errors_say_what_is_wrong(arguments, message, tmp_path):
    done = report(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
