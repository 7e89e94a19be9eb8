"""spark.reprise.flameGraph where something is missing or killed: what is left, and what is said."""

import re

import pytest
from cluster import Cluster
from flame_pages import flame, page_data, weight
from flame_runs import page_of, run_jobs


@pytest.mark.thorough
def test_the_oldest_stages_go_beyond_max_bytes(hot, tmp_path):
    report, log = run_jobs("bounded", "local[2]", tmp_path, hot)
    folder = tmp_path / "flames"
    index = (folder / "index.html").read_text()
    kept = []
    for stage in report["all"]:
        files = sorted(folder.glob(f"app-*-exec-driver-stage-{stage}-attempt-0.*"))
        assert len(files) in (0, 2)
        if files:
            kept.append(int(stage))
    assert 0 < len(kept) < len(report["all"]) == 45
    assert kept == sorted(map(int, report["all"]))[-len(kept) :]
    files = folder.glob("app-*-exec-driver-stage-*")
    assert sum(file.stat().st_size for file in files) <= 1 << 20
    # Pages of slow tasks go with them, and those whose recordings have gone stop nothing.
    assert "the application runs on" not in index
    slow = {int(file.name.split("-stage-")[1].split("-")[0]) for file in folder.glob("*-slow.html")}
    assert slow
    assert slow <= set(kept)
    for link in re.findall('href="([^#"]*)"', index):
        assert (folder / link).is_file()
    assert "index.html cannot be written" not in log
    assert index.count("deleted, to keep to maxBytes") == 45 - len(kept)
    said = "the oldest stages' files are deleted, to keep to spark.reprise.flameGraph.maxBytes"
    assert log.count(said) == 1
    assert said in index


def test_a_timer_is_taken_where_the_kernel_forbids_perf_events(hot, tmp_path):
    report, log = run_jobs("forbidden", "local[2]", tmp_path, hot)
    folder = tmp_path / "flames"
    (stage,) = report["all"]
    assert weight(page_of(folder, int(stage)), "CPU", r"HotStages\.burnOne$") > 20
    assert log.count("the kernel forbids event=cpu; ctimer is taken instead") == 1
    assert "the kernel forbids event=cpu" in (folder / "index.html").read_text()


def test_an_event_that_cannot_be_recorded_is_said_once(hot, tmp_path):
    """Hardware counters are missing in most virtual machines; here the kernel refuses them."""
    report, log = run_jobs("uncounted", "local[2]", tmp_path, hot)
    folder = tmp_path / "flames"
    (stage,) = report["all"]
    assert weight(page_of(folder, int(stage)), "CPU", r"HotStages\.burnOne$") > 20
    said = re.findall(
        r"event=cache-misses cannot be recorded on this machine \(.+\); (\w+) is", log
    )
    assert said == ["ctimer"]
    assert "event=cache-misses cannot be recorded" in (folder / "index.html").read_text()
    assert "perf_event_open" not in log


def test_a_signal_that_is_taken_leaves_the_wall_clock_to_async_profiler(hot, tmp_path):
    report, log = run_jobs("taken", "local[2]", tmp_path, hot)
    folder = tmp_path / "flames"
    (stage,) = report["all"]
    said = (
        "async-profiler's own wall clock samples all threads: libasyncProfiler.so does not handle "
        "SIGVTALRM"
    )
    assert log.count(said) == 1
    assert said in (folder / "index.html").read_text()
    for kind in ("CPU", "wall clock, running"):
        assert weight(page_of(folder, int(stage)), kind, r"HotStages\.burnOne$") > 20


def test_threads_without_a_timer_are_told_of(hot, tmp_path):
    report, log = run_jobs("starved", "local[2]", tmp_path, hot)
    folder = tmp_path / "flames"
    (stage,) = report["all"]
    assert log.count("some threads have no wall-clock samples: the kernel gives no more") == 1
    assert "some threads have no wall-clock samples" in (folder / "index.html").read_text()
    subtitle = page_data(page_of(folder, int(stage)))["subtitle"]
    assert "2 threads of tasks had no timer of the kernel's for wall-clock samples" in subtitle


def test_an_executor_that_is_killed_leaves_what_it_recorded(hot, tmp_path):
    started = Cluster(tmp_path)
    try:
        report, _ = run_jobs("killed_executor", started.url, tmp_path, hot)
    finally:
        started.stop()
    folder = tmp_path / "flames"
    (name,) = [name for name in report["at_kill"] if re.search(r"-exec-0-stage-.*\.jfr$", name)]
    lines = flame(folder / name, "--collapsed").stdout.splitlines()
    burnt = [line for line in lines if line.startswith("CPU;") and "HotStages.burnOne" in line]
    assert sum(int(line.rsplit(" ", 1)[1]) for line in burnt) > 5
    assert weight(folder / name.replace(".jfr", ".html"), "CPU", r"HotStages\.burnOne$") > 5
    index = (folder / "index.html").read_text()
    for page in (name, name.replace("-exec-0-", "-exec-9-")):
        assert f'href="{page.replace(".jfr", ".html")}">flame graph</a> (so far)' in index


def test_a_killed_application_leaves_what_was_recorded(hot, tmp_path):
    """Also what is computed in generated code, though the stage has not ended."""
    report, _ = run_jobs("killed", "local[2]", tmp_path, hot)
    (name,) = [name for name in report["files"] if name.endswith("-stage-0-attempt-0.jfr")]
    lines = flame(tmp_path / "flames" / name, "--collapsed").stdout.splitlines()
    named = re.compile(r"^CPU;.*GeneratedIteratorForCodegenStage1\.[^;]* \[HashAggregate.*Range")
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines if named.search(line)) > 20
    page = tmp_path / "flames" / name.replace(".jfr", ".html")
    assert "the stage runs on" in page_data(page)["subtitle"]
    assert weight(page, "CPU", r"CodegenStage1\.\w+ \[HashAggregate.*Range") > 20


def test_what_cannot_be_is_said_once_and_the_job_runs_on(hot, tmp_path):
    """In a JVM whose locale has no name for one of the directories."""
    answers, log = run_jobs("refused", "local[2]", tmp_path, hot, locale="C")
    parts = log.split("END ")
    names = ("prefix", "characters", "executors", "options", "bytes")
    for part, name in zip(parts, names, strict=False):
        assert answers[name] == 1000
        assert answers[f"{name}_files"] == []
        assert len(re.findall("no flame graphs are made", part)) == 1
        assert "\tat " not in part
    assert "spark.reprise.flameGraph.pathPrefix: file:" in parts[0]
    assert "cannot be written to" in parts[0]
    assert "this JVM cannot name files so, by its encoding ANSI_X3.4-1968: set LC_ALL" in parts[1]
    assert answers["folders"] == []
    assert "driver at character 3\n  1,x\n    ^" in parts[2]
    assert "unknown option evnt, did you mean event? at character 5" in parts[3]
    assert "maxBytes must be an integer from 1048576 to" in parts[4]
