"""The replay debugger's document: its dialog in Spark's shell, its example; a task under jdb."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cluster import Cluster
from places import PROGRAM, ROOT, SUPPORT
from replay_apps import compiled, environment, shell, submit

DIALOG = [
    "val r0 = sc.makeRDD(1 to 4) // Make the 0th RDD",
    "val r1 = r0.map(_ * 2) // Make the 1st RDD",
    "r1.collect() // Run the job",
    "val replayer = new reprise.EventReplayer(sc) // Make an event replayer",
    "replayer.printRDDs() // List all RDDs in the recording",
    "val x1 = replayer.rdds(1) // Reference to the 1st RDD, made again",
    "val x1WithAssertion = replayer.assertExists[Int](x1) { _ == 0 }",
    "x1WithAssertion.collect() // Run the job with assertion",
    'replayer.visualizeRDDs("png", "rdds.png") // Visualizes the RDD DAG',
]

LISTED = re.compile(r"#(\d+): (\w+) (\w+) at <console>:\d+\n")


@pytest.fixture(scope="module")
def jar(with_plugin, tmp_path_factory) -> Path:
    if not with_plugin:
        pytest.skip("needs the plug-in")
    sources = [ROOT / "demo" / "EventReplayerTest.scala", SUPPORT / "replay_jobs.scala"]
    return compiled(sources, tmp_path_factory.mktemp("jar"))


@pytest.fixture(scope="module")
def recorded_in_shell(with_plugin, tmp_path_factory) -> tuple[Path, str]:
    """A recording by the document's dialog, and what the shell said."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    work = tmp_path_factory.mktemp("shell")
    conf = {
        "spark.plugins": "reprise.ReprisePlugin",
        "spark.eventLogging.enabled": "true",
        "spark.eventLogging.eventLogPath": str(work / "replay.log"),
    }
    more = [
        "case class Point(x: Int, y: Int)",
        "val shift = 10",
        "val points = r1.map(n => Point(n, n + shift)).collect().toSeq",
        "replayer.printRDDs()",
        "val table = r1.map(n => Point(n, n + shift)).toDF().rdd.map(_.getInt(1))",
        "table.collect().toSeq",
        "org.apache.spark.sql.execution.access.LineageAccess.callSite(x1WithAssertion).shortForm",
    ]
    return work, shell([*DIALOG, *more], work, **conf)


def table_of(said: str) -> str:
    """The number of the RDD that the shell made of a DataFrame of its own class."""
    return re.search(r"\btable: .* = MapPartitionsRDD\[(\d+)\]", said)[1]


def test_the_dialog_of_the_document(recorded_in_shell):
    work, said = recorded_in_shell
    assert "res0: Array[Int] = Array(2, 4, 6, 8)" in said
    assert LISTED.findall(said)[:2] == [
        ("0", "ParallelCollectionRDD", "makeRDD"),
        ("1", "MapPartitionsRDD", "map"),
    ]
    rdd = r"org.apache.spark.rdd.RDD\[.*\] = MapPartitionsRDD\[1\] at map at <console>:\d+"
    assert re.search(rf"\bx1: {rdd}", said), said
    assert re.search(rf"\bx1WithAssertion: {rdd}", said)
    assert re.search(r"\bres\d+: String = assertExists at <console>:\d+\n", said), said
    lines = ["RDD exists-assertion error:", "RDD type: MapPartitionsRDD", "RDD ID: 1"]
    assert re.search(r"\s+".join([*lines, "partition: 0"]), said)
    assert re.search(r"\bres\d+: String = rdds.png\n", said)
    assert (work / "rdds.png").read_bytes().startswith(b"\x89PNG")
    # The running application's later jobs are seen.
    assert LISTED.findall(said)[-1][1:] == ("MapPartitionsRDD", "map")
    assert len(LISTED.findall(said)) == 2 + 3


def check_example(said: str) -> None:
    """What EventReplayerTest prints, as in the document."""
    lines = said.splitlines()
    assert lines[0].startswith("#0: ParallelCollectionRDD makeRDD at EventReplayerTest.scala:")
    assert lines[1].startswith("#1: MapPartitionsRDD map at EventReplayerTest.scala:")
    assert lines[2].endswith("rdds.dot")
    assert "RDD exists-assertion error:" in lines[3]
    assert [line.strip() for line in lines[4:6]] == ["RDD type: MapPartitionsRDD", "RDD ID: 1"]
    assert re.fullmatch(r" +partition: [01]", lines[6])


def test_the_example_runs_locally(jar, tmp_path):
    check_example(submit("EventReplayerTest", jar, "local", tmp_path))
    drawn = (tmp_path / "rdds.dot").read_text().splitlines()
    assert sum("ParallelCollectionRDD" in line for line in drawn) == 1
    # The recording is an event log as well.
    command = [PROGRAM, "rdds", tmp_path / "replay.log"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[0].startswith("#0: ParallelCollectionRDD makeRDD at ")


def test_the_example_runs_on_a_cluster(jar, tmp_path, tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        check_example(submit("EventReplayerTest", jar, cluster.url, tmp_path))
    finally:
        cluster.stop()


@pytest.mark.thorough
def test_a_recording_of_a_shell_replays_in_another_application(recorded_in_shell):
    """Its closures' classes were compiled in the shell and are in no jar."""
    work, said = recorded_in_shell
    points = LISTED.findall(said)[-1][0]
    found = python_replay(work / "replay.log", f"replayer.rdds().apply({points})")
    assert found == ["Point(2,12)", "Point(4,14)", "Point(6,16)", "Point(8,18)"]
    table = f"replayer.rdds().apply({table_of(said)})"
    assert python_replay(work / "replay.log", table) == ["12", "14", "16", "18"]


def test_a_recording_of_a_shell_replays_in_another_shell(recorded_in_shell, tmp_path):
    """Whose own lines have the same classes' names: what they say must not be mixed up."""
    work, said = recorded_in_shell
    points, doubled = LISTED.findall(said)[-1][0], LISTED.findall(said)[1][0]
    lines = [
        "case class Point(z: String)",  # another class of that name, and other closures
        "val shift = 1000",
        'sc.makeRDD(1 to 3).map(n => Point(s"own ${n + shift}")).collect().toSeq',
        f'val replayer = new reprise.EventReplayer(sc, "{work / "replay.log"}")',
        f"replayer.rdds({points}).collect().toSeq",
        f"replayer.assertForall[Int](replayer.rdds({doubled}))(_ < shift).collect().toSeq",
        f"replayer.rdds({points}).map(p => (p.hashCode % 2, p)).groupByKey(2).count() > 0",
        f"replayer.rdds({table_of(said)}).collect().toSeq",
        'sc.makeRDD(1 to 2).map(n => Point(s"still ${n + shift}")).collect().toSeq',
    ]
    heard = shell(lines, tmp_path)
    assert "(Point(own 1001), Point(own 1002), Point(own 1003))" in heard, heard
    assert "(Point(2,12), Point(4,14), Point(6,16), Point(8,18))" in heard, heard
    assert "(2, 4, 6, 8)" in heard
    assert "Boolean = true" in heard
    # Generated code names the classes of the shell in which it was generated.
    assert "(12, 14, 16, 18)" in heard
    assert "(Point(still 1001), Point(still 1002))" in heard


PYTHON = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from sessions import session_options, start_session
work = Path({work!r})
options = session_options(work, with_plugin=True) | {conf!r}
spark = start_session("local[2]", options)
sc = spark.sparkContext
"""


def python(work: Path, program: str, **conf: str) -> str:
    """Runs a program with PySpark in a process of its own."""
    text = PYTHON.format(tests=str(SUPPORT), work=str(work), conf=conf) + program
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=420,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return done.stdout


def python_replay(recording: Path, rdd: str) -> list[str]:
    program = f"""
replayer = sc._jvm.reprise.EventReplayer(sc._jsc.sc(), {str(recording)!r})
for row in ({rdd}).collect():
    print(row.toString() if hasattr(row, "toString") else row)
"""
    return python(recording.parent, program).splitlines()


def test_python_rdds_are_recorded_and_made_again(with_plugin, tmp_path):
    """Functions of Python, a broadcast that they read, a shuffle; in another process."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    recording = tmp_path / "recording"
    program = """
names = sc.broadcast({0: "even", 1: "odd"})
words = sc.parallelize(range(20), 4).map(lambda n: (names.value[n % 2], n))
sums = words.reduceByKey(lambda a, b: a + b, 2).map(lambda pair: f"{pair[0]}={pair[1]}")
print(sorted(sums.collect()), sums._jrdd.rdd().id())
"""
    conf = {"spark.reprise.lineage.path": str(recording)}
    said = python(tmp_path, program, **conf)
    assert said.startswith("['even=90', 'odd=100'] ")
    last = int(said.split()[-1])
    program = f"""
import reprise
unrelated = sc.broadcast({{0: "wrong", 1: "wrong"}})
assert sc.parallelize([1], 1).map(lambda n: unrelated.value[n]).collect() == ["wrong"]
replayer = reprise.EventReplayer(sc, {str(recording)!r})
replayer.printRDDs()
again = replayer.rdds({last})
print(sorted(replayer.assertForall(again, lambda text: "=" in text).collect()))
assert replayer.assertExists(again, lambda text: text == "odd=100") is again
try:
    replayer.assertForall(again, lambda text: text < "f").collect()
except Exception as failed:
    said = str(failed)[str(failed).index("RDD forall-assertion"):].splitlines()
    print(said[:3] + said[5:6])
try:
    replayer.assertExists(again, lambda text: text == "")
except AssertionError as failed:
    print(str(failed).splitlines()[:3])
assert replayer.findNondeterminism(again) == []
random = sc.parallelize(range(9), 3).map(lambda n: n if n < 6 else __import__("random").random())
(found,) = replayer.findNondeterminism(random.map(str))
print(found.is_first, found.is_only_order, found.partitions, found.text.split()[1])
tasks = replayer.tasksForRDD({last})
print(len(tasks), {{task.reason for task in tasks}}, len(replayer.tasks()), replayer.problems())
print(replayer.visualizeRDDs("dot", {str(tmp_path / "python.dot")!r}))
try:
    replayer.rdds(1000)
except reprise.Error as failed:
    print(failed)
"""
    lines = python(tmp_path, program).splitlines()
    listed = [line.split()[1] for line in lines if line.startswith("#")]
    assert listed[:2] == ["ParallelCollectionRDD", "PythonRDD"]
    assert lines[len(listed) :] == [
        "['even=90', 'odd=100']",
        f"['RDD forall-assertion error:', '  RDD type: PythonRDD', '  RDD ID: {last}', "
        "\"    'odd=100'\"]",
        f"['RDD exists-assertion error:', '  RDD type: PythonRDD', '  RDD ID: {last}']",
        "True False (2,) PythonRDD",
        "2 {None} 6 []",
        str(tmp_path / "python.dot"),
        f"{recording}: there is no RDD 1000 in the recording; "
        f"it holds {len(listed)} of 0 to {last}: rdds.ids",
    ]


ALS = """
from py4j.java_collections import ListConverter
mllib = sc._jvm.org.apache.spark.mllib.recommendation
ratings = [mllib.Rating(u, i, float(u * i % 5)) for u in range(12) for i in range(8)]
ratings = ListConverter().convert(ratings, sc._gateway._gateway_client)
model = mllib.ALS.train(sc._jsc.parallelize(ratings, 2).rdd(), 2, 1)
show(model.productFeatures())
print(model.productFeatures().id())
"""

SHOW = """
def show(features):
    rows = features.toJavaRDD().collect()
    for product, factors in sorted((row._1(), list(row._2())) for row in rows):
        print(product, factors)
"""


@pytest.mark.thorough
def test_als_is_made_again_by_another_application(with_plugin, tmp_path):
    """The application at which the replay of the document's log failed."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    recording = tmp_path / "recording"
    said = python(tmp_path, SHOW + ALS, **{"spark.reprise.lineage.path": str(recording)})
    *features, last = said.splitlines()
    assert len(features) == 8
    program = f"""
replayer = sc._jvm.reprise.EventReplayer(sc._jsc.sc(), {str(recording)!r})
assert replayer.problems().isEmpty(), replayer.problems().toString()
show(replayer.rdds().apply({last}))
made = replayer.rdds().iterator()
counts = []
while made.hasNext():
    counts.append(made.next().count())
print(len(counts), min(counts) > 0)
"""
    *again, counted = python(tmp_path, SHOW + program).splitlines()
    assert again == features
    number, are_all_full = counted.split()
    assert int(number) > 40
    assert are_all_full == "True"


def test_results_of_tasks_are_recorded_where_asked_for(with_plugin, tmp_path):
    """As the document's log had them; read with a JVM and without one."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    recording = tmp_path / "recording"
    program = """
import reprise
jvm = sc._jvm
numbers = sc._jsc.parallelize([jvm.Integer.valueOf(n) for n in range(4)], 2)
assert list(numbers.collect()) == [0, 1, 2, 3]
assert spark.range(10).count() == 10
(first, second, *_) = sorted(reprise.EventReplayer(sc).tasks(), key=lambda task: task.id)
print(first.result, second.result)
"""
    conf = {"spark.reprise.lineage.path": str(recording), "spark.reprise.lineage.results": "true"}
    assert python(tmp_path, program, **conf) == "Array(0, 1) Array(2, 3)\n"
    shown = tasks_with_results(recording).splitlines()
    assert shown[0].split() == ["task", "stage", "partition", "class", "result"]
    assert [line.split()[:3] for line in shown[1:3]] == [["0", "0", "0"], ["1", "0", "1"]]
    assert shown[1].endswith("Array(0, 1)")
    results = json.loads(tasks_with_results(recording, "--json"))["results"]
    assert [result["text"] for result in results[:2]] == ["Array(0, 1)", "Array(2, 3)"]
    # A stage that writes to a shuffle gives nothing to the driver.
    stages = {result["stage"] for result in results}
    assert len(stages) == 2
    assert 1 not in stages
    assert all(result["reason"] is None for result in results)


def tasks_with_results(recording: Path, *options: str) -> str:
    command = [PROGRAM, "tasks", recording, "--results", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.thorough
def test_a_broadcast_of_pythons_outlives_those_of_the_application(with_plugin, tmp_path):
    """Which has one of the same number: of a job, whose cleaner takes its files, or its own."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    recording = tmp_path / "recording"
    program = """
b = sc.broadcast({1: "x"})
rows = sc.parallelize(range(1000), 4).map(lambda x: (x % 7, b.value.get(x % 2, "n")))
grouped = rows.groupByKey(3).mapValues(len)
print(sorted(grouped.collect()), grouped._jrdd.rdd().id())
"""
    recorded = python(tmp_path, program, **{"spark.reprise.lineage.path": str(recording)})
    rows, last = recorded.rsplit(maxsplit=1)
    program = f"""
import time
import reprise
own = sc.broadcast({{1: "own"}})
assert sc.parallelize(range(2), 2).map(lambda n: own.value[1]).collect() == ["own"] * 2
replayer = reprise.EventReplayer(sc, {str(recording)!r})
again = replayer.rdds({last})
for _ in range(5):
    sc._jvm.System.gc()
    time.sleep(0.5)
assert sorted(again.collect()) == {rows}
own.unpersist(blocking=True)
assert sorted(replayer.rdds[{last}].collect()) == {rows}
assert [rdd.count() for rdd in replayer.rdds][-1] == 7
assert len(replayer.rdds) == len(replayer.rdds.ids) and {last} in replayer.rdds.ids
print("all")
"""
    assert python(tmp_path, program).endswith("all\n")


def test_every_assertion_has_a_python_face(with_plugin, tmp_path):
    """Of RDDs and of DataFrames: python_assertions.py."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    program = "import python_assertions\npython_assertions.check(spark)\nprint('all')\n"
    conf = {"spark.reprise.lineage.path": str(tmp_path / "recording")}
    assert python(tmp_path, program, **conf).endswith("all\n")


@pytest.fixture(scope="module")
def failed_job(jar, tmp_path_factory) -> Path:
    """A recording in which partition 0 or 1 of the last stage divides by zero."""
    recording = tmp_path_factory.mktemp("failed") / "recording"
    assert "/ by zero" in submit("ReplayJobs", jar, recording)
    return recording


def breakpoint_line() -> int:
    lines = (SUPPORT / "replay_jobs.scala").read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if "100 / above" in line)


def test_one_task_stops_in_the_users_closure(jar, failed_job):
    """Its shuffle input is computed again; jdb reads a variable where the closure stopped."""
    events = (failed_job / "events").read_text().splitlines()
    failed = next(line for line in events if "ArithmeticException" in line and "TaskEnd" in line)
    stage = int(re.search(r'"Stage ID":(\d+)', failed)[1])
    partition = int(re.search(r'"Partition ID":(\d+)', failed)[1])
    command = [PROGRAM, "debug-task", failed_job, "--stage", stage, "--partition", partition]
    task = subprocess.Popen(
        [*map(str, command), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
    )
    try:
        said = ""
        while not (found := re.search(r"jdb -attach (127\.0\.0\.1:\d+)", said)):
            line = task.stdout.readline()
            assert line, said
            said += line
        stop = f"stop at ReplayJobs$:{breakpoint_line()}"
        seen = debugger(found[1], [stop, "run"], "locals", "above")
    finally:
        task.terminate()
        task.wait(20)
    assert re.search(r"above = (0|20)\n", seen), seen
    assert "thread=main" in seen


def test_a_task_runs_without_a_debugger_too(failed_job):
    """A task of the first stage, into its shuffle; and one that there is not."""
    command = [PROGRAM, "debug-task", failed_job, "--stage", "0", "--no-debugger", "--partition"]

    def run(partition: int) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*map(str, command), str(partition)],
            capture_output=True,
            text=True,
            check=False,
            env=environment(),
        )

    done = run(3)
    assert (done.returncode, done.stderr) == (0, "")
    assert "stage 0, partition 3 of MapPartitionsRDD[1] at map at replay_jobs.scala:" in done.stdout
    assert "the task has ended: 10 records written to a shuffle" in done.stdout
    done = run(4)
    assert done.returncode == 2
    assert done.stderr == "reprise: stage 0 has the partitions 0 to 3, not 4\n"


def test_a_task_that_there_is_not_is_told_of_before_a_debugger_is_waited_for(failed_job):
    def refused(recording: Path, stage: int, partition: int) -> str:
        command = [PROGRAM, "debug-task", recording, "--stage", stage, "--partition", partition]
        done = subprocess.run(
            [*map(str, command)], capture_output=True, text=True, check=False, timeout=60
        )
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert (
        refused(failed_job, 99, 0)
        == f"reprise: {failed_job} has no stage 99: its stages end at 1\n"
    )
    assert refused(failed_job, 0, 4) == "reprise: stage 0 has the partitions 0 to 3, not 4\n"
    missing = failed_job / "nothing"
    assert refused(missing, 0, 0) == f"reprise: there is no {missing}\n"


def debugger(address: str, commands: list[str], at_stop: str, until: str) -> str:
    """What jdb says: `commands` first, `at_stop` at the first breakpoint, until it says `until`."""
    jdb = subprocess.Popen(
        ["timeout", "200", "jdb", "-attach", address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = ""

    def read_until(pattern: str) -> None:
        nonlocal said
        while not re.search(pattern, said) and (character := jdb.stdout.read(1)):
            said += character

    try:
        read_until("> |VM Started")
        for command in commands:
            print(command, file=jdb.stdin, flush=True)
        read_until(r"Breakpoint hit.*\n")
        print(at_stop, file=jdb.stdin, flush=True)
        read_until(rf"{until} = .*\n")
        print("quit", file=jdb.stdin, flush=True)
        said += jdb.communicate(timeout=20)[0]
    finally:
        jdb.kill()
        jdb.wait()
    return said
