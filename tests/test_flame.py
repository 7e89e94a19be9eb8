"""spark.reprise.flameGraph: what the pages of real applications show."""

import re
from collections import Counter

import pytest
from cluster import Cluster
from flame_pages import flame, page_data, stacks, used_in_browser, weight
from flame_runs import page_of, run_jobs

METHODS = ("burnOne", "burnTwo", "burnThree")


@pytest.fixture(scope="module")
def fair(hot, tmp_path_factory):
    """Three jobs at once, then ten short stages, on local[4]: report and folder of the pages."""
    work = tmp_path_factory.mktemp("fair")
    report, _ = run_jobs("fair", "local[4]", work, hot)
    return report, work / "flames"


def test_samples_are_on_the_right_stage(fair):
    """Three stages run at once; a method's samples are on the pages of the stages that call it."""
    report, folder = fair
    right = wrong = 0
    for stage, description in report["fair"].items():
        page = page_of(folder, int(stage))
        for method in METHODS:
            samples = weight(page, "", rf"HotStages\.{method}$")
            if method == description:
                assert samples > 0
                right += samples
            else:
                wrong += samples
    (other,) = folder.glob("app-*-exec-driver-other.html")
    missed = weight(other, "", r"HotStages\.burn(One|Two|Three)$")
    assert right > 380  # of 480: what is sampled is not lost while a chunk ends
    assert right / (right + wrong + missed) >= 0.95
    assert wrong == 0


def test_samples_add_up_to_the_time_that_spark_counts(fair):
    """Wherever the stack of a tick comes from, each counts for ten milliseconds."""
    report, folder = fair
    index = (folder / "index.html").read_text()
    sums = [0.0] * 4
    for stage, method in report["fair"].items():
        section = index.split(f'id="stage-{stage}-0"')[-1]
        for i, cell in enumerate(re.findall(r"<td class=number>([^<]*)</td>", section)[1:5]):
            number, _, unit = cell.partition(" ")
            sums[i] += float(number) * {"": 10, "ms": 1, "s": 1000}[unit]
        page = page_of(folder, int(stage))
        assert weight(page, "wall clock, running", rf"HotStages\.{method}$") * 10 > 640  # of 800 ms
    wall, processor, processor_samples, wall_samples = sums
    assert 0.9 < processor_samples / processor < 1.15
    # Where a thread waits for a processor for longer than that, the kernel ticks once.
    assert processor * 0.9 < wall_samples < wall * 1.15


def test_every_stage_has_a_page_before_the_application_ends(fair):
    report, _ = fair
    shorts = [stage for stage, description in report["all"].items() if description == "short"]
    assert len(shorts) == 10
    for stage in [*report["fair"], *shorts]:
        assert any(f"-stage-{stage}-attempt-0.html" in name for name in report["before_end"])


def test_names_and_recordings(fair):
    report, folder = fair
    application = report["application"]
    names = {file.name for file in folder.iterdir()}
    for stage in report["all"]:
        name = f"app-{application}-exec-driver-stage-{stage}-attempt-0"
        assert {f"{name}.jfr", f"{name}.html"} <= names
    assert not [name for name in names if name.endswith((".part", ".crc"))]


def test_the_index_lists_stages_and_executors(fair):
    report, folder = fair
    index = (folder / "index.html").read_text()
    assert "the application runs on" not in index
    for stage, name in report["all"].items():
        assert re.search(rf"Stage {stage}, attempt 0: [^<]*, {name}<", index)
        assert (
            f'href="app-{report["application"]}-exec-driver-stage-{stage}-attempt-0.html"' in index
        )
    for link in re.findall('href="([^#"]*)"', index):
        assert (folder / link).is_file()
    assert f'href="app-{report["application"]}-exec-driver-other.html"' in index
    # Four tasks ran in each of these stages.
    for stage in report["fair"]:
        slow = folder / f"app-{report['application']}-stage-{stage}-attempt-0-slow.html"
        data = page_data(slow)
        assert data["compared"] == ["median tasks", "slow tasks"]
        assert "1 slow of 4 tasks" in data["subtitle"]
        assert 0 < data["before"][0] < data["frames"][0][2]


def test_a_page_searches_and_zooms(fair, tmp_path):
    report, folder = fair
    stage = next(stage for stage, name in report["fair"].items() if name == "burnTwo")
    page = page_of(folder, int(stage))
    assert "burnTwo" in page_data(page)["subtitle"]
    seen = used_in_browser(page, tmp_path / "page.html", "burnTwo")
    assert seen["whole"] > 3
    assert seen["found"] >= 1
    assert float(re.search(r"matched: ([0-9.]+) %", seen["matched"])[1]) > 20
    assert seen["zoomedTo"]
    assert seen["back"] == seen["whole"]


def test_samples_inside_native_operators_bear_their_lore_id(fair):
    report, folder = fair
    names = set(report["operators"])
    found = 0
    for stage, description in report["all"].items():
        if description != "native":
            continue
        for frames, samples in stacks(page_of(folder, int(stage))):
            shown = [frame for frame in frames if frame.startswith("Reprise")]
            assert set(shown) <= names
            # The innermost operator of the stack says which it must be.
            classes = [re.search(r"\b(\w+)::NextBatch", frame) for frame in frames]
            inner = [match[1] for match in classes if match]
            if inner and shown and shown[-1].startswith(f"Reprise{inner[-1]} "):
                found += samples
    assert found > 10


def test_who_asks_for_another_operator_is_told_which_there_are(fair, tmp_path):
    report, folder = fair
    stage = next(stage for stage, name in report["all"].items() if name == "native")
    recording = page_of(folder, int(stage)).with_suffix(".jfr")
    asked = flame(recording, "--lore-id", 99, "-o", tmp_path / "page.html")
    assert asked.returncode == 2
    told = re.search(r"no sample is of loreId 99; .* and operators (.*)", asked.stderr)[1]
    there = told.split(", ")
    assert set(there) <= set(report["operators"])
    for name in there:
        lore_id = re.search(r"\[loreId=(\d+)\]", name)[1]
        assert flame(recording, "--lore-id", lore_id, "--collapsed").stdout


def test_generated_code_shows_its_operators(fair):
    report, folder = fair
    stage = next(stage for stage, name in report["all"].items() if name == "generated")
    pattern = r"GeneratedIteratorForCodegenStage1\..*\[HashAggregate.*Project.*Range"
    assert weight(page_of(folder, int(stage)), "", pattern) > 10


@pytest.fixture(scope="module")
def cluster(hot, tmp_path_factory):
    """A stage on two executors of a standalone cluster: report and folder of the pages."""
    work = tmp_path_factory.mktemp("cluster")
    started = Cluster(work)
    try:
        report, _ = run_jobs("cluster", started.url, work, hot)
    finally:
        started.stop()
    return report, work / "flames"


def test_two_executors(cluster):
    report, folder = cluster
    assert "burnTwo" in report["all"].values()
    for executor in ("0", "1"):
        page = page_of(folder, 0, executor)
        assert weight(page, "CPU", r"HotStages\.burnTwo$") > 20
        assert page.with_suffix(".jfr").stat().st_size > 1000


def test_the_driver_of_a_cluster_has_a_page_of_its_own(cluster):
    """The planning, the scheduler and the fetching of results: threads by what they do."""
    report, folder = cluster
    name = f"app-{report['application'].removeprefix('app-')}-exec-driver-other"
    page = folder / f"{name}.html"
    assert page_data(page)["title"] == "the driver"
    groups = {frames[1] for frames, _ in stacks(page) if len(frames) > 1}
    assert {"queries", "idle"} <= groups
    assert weight(page, "", r"QueryExecution|SparkContext\.runJob") > 0
    assert f'href="{name}.html"' in (folder / "index.html").read_text()
    assert "CPU;" in flame(folder / f"{name}.jfr", "--collapsed").stdout


def test_threads_that_tasks_start_are_on_the_pages_of_their_stages(hot, tmp_path):
    report, _ = run_jobs("threads", "local[2]", tmp_path, hot)
    folder = tmp_path / "flames"
    (other,) = folder.glob("app-*-exec-driver-other.html")
    # An aggregate's first stage calls the functions.
    stage = {}
    for number in sorted(report["all"], key=int):
        stage.setdefault(report["all"][number], page_of(folder, int(number)))
    for name, method, thread in (
        ("pipe", "burnOne", r"^thread stdin writer for "),
        ("start", "burnTwo", r"^thread Thread-\*$"),
        ("start", "burnThree", r"^thread pool-\*-thread-\*$"),
    ):
        burnt = [
            (frames, samples)
            for frames, samples in stacks(stage[name])
            if any(frame.endswith(f"HotStages.{method}") for frame in frames)
        ]
        assert sum(samples for _, samples in burnt) > 20
        assert all(re.search(thread, frames[1]) for frames, _ in burnt)
        missed = weight(other, "", rf"HotStages\.{method}$")
        assert missed <= sum(samples for _, samples in burnt) * 0.05
    # What a task runs on is looked at each 10 ms, also while it waits; other threads once a second.
    assert weight(stage["start"], "wall clock, waiting", r"FutureTask\.get$") > 40
    assert 0 < weight(other, "wall clock, waiting", r"^dag-scheduler-event-loop$") < 300
    assert weight(stage["script"], "", r"^thread Thread-.*Script.*Feed$") > 0
    for name in ("udf", "pandas"):
        # The task's own thread speaks with the Python worker; another one only waits for its end,
        # and would count the wall time twice.
        assert weight(stage[name], "", r"Worker Monitor for ") == 0
        assert weight(stage[name], "", r"PythonRunner|PythonUDFRunner|PythonWriter") > 0
        # The daemon that starts Python workers serves other stages as well.
        assert weight(stage[name], "", r"^thread std(out|err) reader for ") == 0
    # The thread begins before it is asked, and ends after it is asked for the last time.
    assert weight(other, "", r"^stdin writer for ") <= 10


@pytest.mark.thorough
def test_samples_of_another_event_are_called_so(hot, tmp_path):
    report, _ = run_jobs("allocated", "local[2]", tmp_path, hot)
    page = page_of(tmp_path / "flames", min(map(int, report["all"])))
    data = page_data(page)
    counted = re.findall(
        r"\n(\d+) alloc samples, (\d+) page-faults samples, 2 tasks$", data["subtitle"]
    )
    (counts,) = [dict(zip(("alloc", "page-faults"), map(int, one), strict=True)) for one in counted]
    found = Counter()
    for frames, samples in stacks(page):
        found[frames[0]] += samples
    assert found == counts
    assert min(counts.values()) > 10
    done = flame(page.with_suffix(".jfr"), "-o", tmp_path / "again.html")
    assert f": {counts['alloc']} alloc samples, {counts['page-faults']} page-faults" in done.stdout
    # The index counts them as the page does.
    index = (tmp_path / "flames" / "index.html").read_text()
    begin = index.rindex("<table>", 0, index.index(f'href="{page.name}"'))
    table = index[begin:].split("</table>")[0]
    assert re.findall(r"<th class=number>([^<]*) samples</th>", table) == list(counts)
    cells = re.findall(r"<td class=number>(\d+)</td>", table.split(page.name)[1])
    assert list(map(int, cells[-2:])) == list(counts.values())
    assert "CPU samples" not in index
