"""The replay debugger's document: its dialog in Spark's shell, its example."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from cluster import Cluster
from places import PROGRAM, ROOT
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
    return compiled([ROOT / "demo" / "EventReplayerTest.scala"], tmp_path_factory.mktemp("jar"))


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
    ]
    return work, shell([*DIALOG, *more], work, **conf)


def test_the_dialog_of_the_document(recorded_in_shell):
    work, said = recorded_in_shell
    assert "res0: Array[Int] = Array(2, 4, 6, 8)" in said
    assert LISTED.findall(said)[:2] == [
        ("0", "ParallelCollectionRDD", "makeRDD"),
        ("1", "MapPartitionsRDD", "map"),
    ]
    rdd = r"org.apache.spark.rdd.RDD\[.*\] = MapPartitionsRDD\[1\] at map at <console>:\d+"
    assert re.search(rf"val x1: {rdd}", said), said
    assert re.search(rf"val x1WithAssertion: {rdd}", said)
    lines = ["RDD exists-assertion error:", "RDD type: MapPartitionsRDD", "RDD ID: 1"]
    assert re.search(r"\s+".join([*lines, "partition: 0"]), said)
    assert re.search(r"val res\d+: String = rdds.png\n", said)
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
    drawn = (tmp_path / "rdds.dot").read_text()
    assert drawn.count("ParallelCollectionRDD") == 1
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


def test_a_recording_of_a_shell_replays_in_another_application(recorded_in_shell):
    """Its closures' classes were compiled in the shell and are in no jar."""
    work, said = recorded_in_shell
    points = LISTED.findall(said)[-1][0]
    found = python_replay(work / "replay.log", f"replayer.rdds().apply({points})")
    assert found == ["Point(2,12)", "Point(4,14)", "Point(6,16)", "Point(8,18)"]


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
    text = PYTHON.format(tests=str(ROOT / "tests"), work=str(work), conf=conf) + program
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=180,
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
from pyspark.rdd import RDD
from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer
unrelated = sc.broadcast({{0: "wrong", 1: "wrong"}})
assert sc.parallelize([1], 1).map(lambda n: unrelated.value[n]).collect() == ["wrong"]
replayer = sc._jvm.reprise.EventReplayer(sc._jsc.sc(), {str(recording)!r})
print(*replayer.rddLines().mkString(chr(10)).splitlines(), sep=chr(10))
again = replayer.rdds().apply({last}).toJavaRDD()
rdd = RDD(again, sc, AutoBatchedSerializer(CPickleSerializer()))
print(sorted(rdd.collect()))
"""
    lines = python(tmp_path, program).splitlines()
    assert lines[-1] == "['even=90', 'odd=100']"
    assert [line.split()[1] for line in lines if line.startswith("#")][:2] == [
        *("ParallelCollectionRDD", "PythonRDD")
    ]
