"""Event logs that Spark writes, in every codec, as the program reads them: against their events."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from apps import log_file, run_app
from lineage_app import CODECS
from places import BUILD, PROGRAM, ROOT, SPARK

# Another Spark than the one under test mostly, where `make build/spark-3.5` has put one.
SPARK_35 = BUILD / "spark-3.5" / "bin" / "python"
PYTHONS = {SPARK: Path(sys.executable), "3.5": SPARK_35}
KEPT = sorted((ROOT / "tests" / "eventlogs").glob("*.zstd"))


def program(*arguments: object) -> subprocess.CompletedProcess:
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def answer(subcommand: str, log: Path, *arguments: object) -> dict:
    """What a subcommand says with --json; nothing of the log may be damaged."""
    done = program(subcommand, "--json", *arguments, log)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module", params=PYTHONS)
def logs(request, tmp_path_factory) -> Path:
    """The folders of lineage_app.py's logs."""
    python = PYTHONS[request.param]
    assert python.exists(), f"make build/spark-{request.param} installs it"
    folder = tmp_path_factory.mktemp("eventlogs")
    run_app("lineage_app.py", folder / "logs", cwd=folder, python=python)
    return folder / "logs"


def events(folder: Path) -> list[dict]:
    """The events of an uncompressed log."""
    return [json.loads(line) for line in log_file(folder).read_text().splitlines()]


def of_kind(found: list[dict], kind: str) -> list[dict]:
    return [event for event in found if event["Event"].endswith(f"SparkListener{kind}")]


def stage_infos(found: list[dict]) -> dict[int, dict]:
    jobs = of_kind(found, "JobStart")
    return {stage["Stage ID"]: stage for job in jobs for stage in job["Stage Infos"]}


def test_rdds_are_those_of_the_events(logs):
    wanted = {
        rdd["RDD ID"]: (
            rdd["Name"],
            rdd["Callsite"],
            rdd["Parent IDs"],
            rdd["Number of Partitions"],
        )
        for stage in stage_infos(events(logs / "none")).values()
        for rdd in stage["RDD Info"]
    }
    found = answer("rdds", logs / "none")["rdds"]
    assert {
        rdd["id"]: (rdd["name"], rdd["callSite"], rdd["parents"], rdd["partitions"])
        for rdd in found
    } == wanted
    text = program("rdds", logs / "none").stdout
    assert text == "".join(f"#{i}: {wanted[i][0]} {wanted[i][1]}\n" for i in sorted(wanted))
    assert [rdd["id"] for rdd in found if rdd["storageLevel"]] == [5]


def test_tasks_are_those_of_the_events(logs):
    tasks = of_kind(events(logs / "none"), "TaskEnd")
    stages = {stage["id"]: stage for stage in answer("tasks", logs / "none")["stages"]}
    counts = Counter((task["Stage ID"], task["Task End Reason"]["Reason"]) for task in tasks)
    for stage in {task["Stage ID"] for task in tasks}:
        (attempt,) = stages[stage]["attempts"]
        done = [
            task
            for task in tasks
            if task["Stage ID"] == stage and task["Task End Reason"]["Reason"] == "Success"
        ]
        times = sorted(t["Task Info"]["Finish Time"] - t["Task Info"]["Launch Time"] for t in done)
        ended = [task for task in tasks if task["Stage ID"] == stage]
        metrics = [task["Task Metrics"] for task in ended if task["Task Metrics"]]
        shown = attempt["tasks"]
        assert shown["succeeded"] == counts[stage, "Success"]
        assert shown["failed"] == counts[stage, "ExceptionFailure"]
        if not times:
            continue
        assert shown["minMs"] == times[0]
        assert shown["medianMs"] == times[len(times) // 2]
        assert shown["slowest"]["durationMs"] == times[-1]
        figures = shown["figures"]
        assert figures["runMs"] == sum(m["Executor Run Time"] for m in metrics)
        assert figures["cpuNs"] == sum(m["Executor CPU Time"] for m in metrics)
        assert figures["inputRows"] == sum(m["Input Metrics"]["Records Read"] for m in metrics)
        written = [m["Shuffle Write Metrics"]["Shuffle Bytes Written"] for m in metrics]
        assert figures["shuffleWriteBytes"] == sum(written)
        read = [m["Shuffle Read Metrics"] for m in metrics]
        local, remote = "Local Bytes Read", "Remote Bytes Read"
        assert figures["shuffleReadBytes"] == sum(r[local] + r[remote] for r in read)
    failed = [f["reason"] for s in stages.values() for f in s["attempts"][0]["tasks"]["failures"]]
    assert len(failed) == 1
    assert failed[0].endswith("ZeroDivisionError: division by zero")


def test_stages_are_those_of_the_events(logs):
    found = events(logs / "none")
    infos = stage_infos(found)
    submitted = {e["Stage Info"]["Stage ID"] for e in of_kind(found, "StageSubmitted")}
    stages = {stage["id"]: stage for stage in answer("stages", logs / "none")["stages"]}
    assert stages.keys() == infos.keys()
    skipped = {i for i, stage in stages.items() if stage["state"] == "skipped"}
    assert skipped == infos.keys() - submitted
    assert [stage["state"] for stage in stages.values()].count("failed") == 1
    for number, info in infos.items():
        assert stages[number]["parents"] == info["Parent IDs"]
        assert stages[number]["tasks"] == info["Number of Tasks"]


@pytest.mark.parametrize("codec", [*CODECS[1:], "rolled"])
def test_every_codec_tells_the_same(logs, codec):
    plain = answer("rdds", logs / "none")
    other = answer("rdds", logs / codec)
    assert other["log"]["codec"] == ("zstd" if codec == "rolled" else codec)
    assert other["rdds"] == plain["rdds"]
    assert other["application"]["sparkVersion"] == plain["application"]["sparkVersion"]
    assert other["application"]["ended"] is not None
    states = [(s["id"], s["state"], s["rdds"]) for s in answer("stages", logs / codec)["stages"]]
    expected = [(s["id"], s["state"], s["rdds"]) for s in answer("stages", logs / "none")["stages"]]
    assert states == expected


@pytest.mark.parametrize("codec", CODECS)
def test_a_log_without_its_end_still_tells(logs, codec, tmp_path):
    log = log_file(logs / codec)
    whole = answer("tasks", log)["log"]["events"]
    content = log.read_bytes()
    last = 0
    for part in (4, 6, 8):
        torn = tmp_path / f"{log.name}.inprogress"
        torn.write_bytes(content[: len(content) * part // 9])
        done = program("tasks", "--json", torn)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert last < told["log"]["events"] < whole
        assert told["log"]["inProgress"]
        assert told["application"]["ended"] is None
        last = told["log"]["events"]


def test_als_is_drawn_with_its_stages_and_shuffles(logs, tmp_path):
    """The picture of the replay debugger's document: stages and shuffles as Spark has them."""
    infos = stage_infos(events(logs / "als"))
    lineage = answer("lineage", logs / "als")["lineage"]
    shown = {stage["id"]: stage for stage in lineage["stages"]}
    # Each last RDD has one box, which names all the stages that end in it.
    boxes = {}
    for stage in shown.values():
        for number in [stage["id"], *stage["ranAgainAs"], *stage["skippedAs"]]:
            assert boxes.setdefault(number, stage["id"]) == stage["id"]
    assert boxes.keys() == infos.keys()
    last_rdd = {number: info["RDD Info"][0]["RDD ID"] for number, info in infos.items()}
    assert len({last_rdd[number] for number in boxes}) == len(shown)
    shuffles = {(e["fromStage"], e["toStage"]) for e in lineage["edges"] if e["shuffle"]}
    for stage in shown.values():
        assert [r["id"] for r in stage["rdds"]] == sorted(
            rdd["RDD ID"] for rdd in infos[stage["id"]]["RDD Info"]
        )
        parents = {boxes[parent] for parent in infos[stage["id"]]["Parent IDs"]}
        assert {come for come, to in shuffles if to == stage["id"]} == parents
    assert len(shuffles) >= 6
    cached = {r["name"] for s in shown.values() for r in s["rdds"] if r["storageLevel"]}
    assert {"userInBlocks", "itemOutBlocks", "users", "products"} <= cached
    picture = tmp_path / "als.dot"
    assert program("lineage", logs / "als", "-o", picture).returncode == 0
    text = picture.read_text()
    assert text.count("[color=red ") + text.count('[color="#ef9a9a"') == sum(
        edge["shuffle"] for edge in lineage["edges"]
    )
    assert text.count("subgraph cluster_") >= len(shown)


SVG = "{http://www.w3.org/2000/svg}"


def texts_of(picture: ElementTree.Element) -> list[tuple[str, float, float, float, float]]:
    """Each text with the box that it takes, a little smaller: left, right, top, bottom."""
    found = []
    for text in picture.iter(f"{SVG}text"):
        size, shown = float(text.get("font-size")), "".join(text.itertext())
        width, x, y = 0.45 * size * len(shown), float(text.get("x")), float(text.get("y"))
        left = x - width / 2 if text.get("text-anchor") == "middle" else x
        found.append((shown, left, left + width, y - 0.6 * size, y - 0.1 * size))
    return found


def points_of(path: str) -> list[tuple[float, float]]:
    """Points along an arrow's path of cubic Bezier curves."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    knots = list(zip(numbers[::2], numbers[1::2], strict=True))
    points = []
    for start in range(0, len(knots) - 3, 3):
        a, b, c, d = knots[start : start + 4]
        for t in (step / 50 for step in range(51)):
            shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            weighted = list(zip(shares, (a, b, c, d), strict=True))
            points.append((sum(s * p[0] for s, p in weighted), sum(s * p[1] for s, p in weighted)))
    return points


@pytest.mark.parametrize("log", KEPT, ids=lambda path: path.stem)
def test_a_picture_can_be_read(log, tmp_path):
    """No arrow strikes through text, what is pointed at says what it is, and there is a legend."""
    assert program("lineage", log, "-o", tmp_path / "rdds.svg").returncode == 0
    picture = ElementTree.parse(tmp_path / "rdds.svg").getroot()
    boxes = texts_of(picture)
    edges = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "edge"]
    assert len(edges) > 20
    for edge in edges:
        for x, y in points_of(edge.find(f".//{SVG}path").get("d")):
            struck = [text for text, a, b, c, d in boxes if a < x < b and c < y < d]
            assert not struck, (edge.find(f"{SVG}title").text, struck)
    shown = [text for text, *_ in boxes]
    assert "a shuffle; pale where a cache made it needless" in shown
    assert sum(bool(re.match(r"[\d.]+ m?s(, skew [\d.]+ x)?$", text)) for text in shown) >= 8
    assert sum(text.startswith("reads ") for text in shown) >= 6
    for group in picture.iter(f"{SVG}g"):
        if group.get("class") in ("edge", "node", "cluster"):
            tooltip = group.find(f".//{SVG}a").get("{http://www.w3.org/1999/xlink}title")
            assert re.match(r"Stage \d+: |#\d+ |shuffle: #|\w+|what is what", tooltip), tooltip
            assert not re.match(r"cluster|s\d+r\d+|\\", tooltip), tooltip
    width, height = (float(picture.get(side).removesuffix("pt")) for side in ("width", "height"))
    assert 1 / 3 < width / height < 3


def test_operators_stand_beside_their_rdds(logs):
    lineage = answer("lineage", logs / "none", "--sql", 0)["lineage"]
    scopes = [scope for stage in lineage["stages"] for scope in stage["scopes"]]
    by_name = {scope["name"]: scope["operators"] for scope in scopes}
    assert by_name["WholeStageCodegen (1)"] == ["HashAggregate", "Project", "Range"]
    assert by_name["WholeStageCodegen (2)"] == ["HashAggregate"]
    assert all(scope["rdds"] for scope in scopes)


def test_a_query_without_the_plug_in_shows_what_spark_counted(logs):
    """Conditions and keys as Spark has them, and its metrics: of tasks, and of the driver."""
    shown = program("explain", logs / "none", "--sql", 1).stdout
    assert "it ran without the plug-in" in shown
    rows = r".*\n +: number of output rows 996\n"
    assert re.search(r"\n +Filter \(\(id#\d+L > 3\) AND " + rows, shown)
    assert re.search(r"\n +BroadcastHashJoin \[k#\d+L\], " + rows, shown)
    broadcast = r"\n +BroadcastExchange .*\n +: .*time to build .*number of output rows 7, "
    assert re.search(broadcast + r"data size [\d.]+ [kM]B\n", shown)
    assert re.search(r"\n +WholeStageCodegen \(1\) *\n +: duration \d+ m?s\n", shown)
    (query,) = answer("explain", logs / "none", "--sql", 1)["sql"]
    (join,) = (node for node in query["plan"] if node["name"] == "BroadcastHashJoin")
    assert join["metrics"] == [{"name": "number of output rows", "type": "sum", "value": 996}]


def test_a_folder_with_several_logs_lists_them(logs):
    done = program("rdds", logs)
    assert done.returncode == 2
    assert "holds no event log" in done.stderr  # its logs lie one folder deeper
    logs_of_two = logs / "two"
    logs_of_two.mkdir()
    for codec in ("none", "lzf"):
        (log,) = (
            path for path in (logs / codec).iterdir() if path.is_file() and path.name[0] != "."
        )
        (logs_of_two / log.name).write_bytes(log.read_bytes())
    done = program("rdds", logs_of_two)
    assert done.returncode == 2
    assert "holds 2 event logs; name one of them:\n" in done.stderr


@pytest.mark.parametrize("log", KEPT, ids=lambda path: path.stem)
def test_kept_logs_are_read_for_ever(log):
    stages = answer("stages", log)
    assert stages["application"]["sparkVersion"] == log.stem.removeprefix("spark-")
    assert stages["log"]["codec"] == "zstd"
    assert stages["stages"][0]["name"] == "reduceByKey at lineage_app.py:48"
    assert [stage["state"] for stage in stages["stages"][:4]] == [
        *("complete", "complete", "skipped", "complete")
    ]
    assert len(answer("explain", log)["sql"]) == 2
    assert len(answer("rdds", log)["rdds"]) > 30


def large_log(small: Path, path: Path, size: int) -> tuple[int, int]:
    """A log of `size` bytes or more: a kept log whose last good task ends over and over.

    Gives the stage of that task and how many tasks of it succeed.
    """
    with pa.input_stream(str(small), compression="zstd") as stream:
        lines = stream.read().splitlines(keepends=True)
    ended = {
        i: json.loads(line)
        for i, line in enumerate(lines)
        if line.startswith(b'{"Event":"SparkListenerTaskEnd"')
    }
    good = {i: e for i, e in ended.items() if e["Task End Reason"]["Reason"] == "Success"}
    at = max(good)
    task = lines[at]
    head, mark, rest = task.partition(b'"Task ID":')
    _, comma, rest = rest.partition(b",")
    assert comma, task[:200]
    wanted = size // len(task) + 1
    with path.open("wb", buffering=1 << 20) as out:
        out.writelines(lines[: at + 1])
        for begin in range(0, wanted, 4096):
            ids = range(begin, min(begin + 4096, wanted))
            out.write(b"".join([b"%s%s%d,%s" % (head, mark, 10**6 + i, rest) for i in ids]))
        out.writelines(lines[at + 1 :])
    stage = good[at]["Stage ID"]
    return stage, wanted + sum(event["Stage ID"] == stage for event in good.values())


# Runs a program and says its peak memory in KiB. Linux counts to a program's peak what the process
# that starts it had, so that must be a small one.
MEASURED = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(status)
"""


def test_a_log_of_a_gigabyte_is_read_in_bounded_memory(tmp_path):
    """Hundreds of thousands of tasks, of which little is kept."""
    log = tmp_path / "log"
    try:
        stage, tasks = large_log(KEPT[-1], log, 1 << 30)
        assert log.stat().st_size > 1 << 30
        command = [sys.executable, "-c", MEASURED, PROGRAM, "tasks", "--json", log]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        log.unlink(missing_ok=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert tasks > 100_000
    found = next(s for s in json.loads(done.stdout)["stages"] if s["id"] == stage)
    assert sum(attempt["tasks"]["succeeded"] for attempt in found["attempts"]) == tasks
    # The program and its libraries alone have 60 MB; a task leaves four bytes.
    peak_kib = int(done.stderr.split()[-1])
    assert peak_kib < 160 * 1024, f"{peak_kib // 1024} MB"
