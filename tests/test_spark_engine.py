"""`reprise replay --engine spark`: the operator's replay by Spark's own operator, in a JVM."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import reprise as package
import spark_replays
from answers import arrow_of
from operators import lore_id
from places import BUILD, DIST, PROGRAM, ROOT, SPARK, SPARK_HOME
from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException
from spark_replays import difference
from test_dump import dump, run, seal
from whole_dumps import dump_all

SAME_WAY = "\nFailed again, in the same way as the attempt that was recorded.\n"
QUERY = "SELECT k, sum(v), count(*), min(s) FROM many_keys WHERE v > 100 GROUP BY k"


def on_spark(*arguments: object, engine: tuple = ("--engine", "spark"), **environment: str):
    """Runs the program as a user does, with Spark in the environment."""
    command = [str(PROGRAM), "replay", *engine, *map(str, arguments)]
    where = {"SPARK_HOME": str(SPARK_HOME)} | environment
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=os.environ | where
    )


def chosen(attempt: Path) -> tuple:
    """The options that replay an attempt's record, a folder partition-P.attempt-N."""
    partition, number = re.fullmatch(r"partition-(\d+)\.attempt-(\d+)", attempt.name).groups()
    return ("--partition", partition, "--attempt", number)


@pytest.fixture(scope="module")
def aggregate_dump(spark, with_plugin, tmp_path_factory):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    spark.conf.set("spark.reprise.sql.enabled", "true")
    number = lore_id(run(spark, QUERY), "RepriseHashAggregate")
    path = tmp_path_factory.mktemp("dumps") / "aggregate"
    dump(spark, path, f"{number}[*]", QUERY)
    spark.conf.set("spark.reprise.sql.enabled", "false")
    return path / f"loreId-{number}"


@pytest.fixture
def own_copy(aggregate_dump, tmp_path):
    return Path(shutil.copytree(aggregate_dump, tmp_path / aggregate_dump.name))


def resume(port: int) -> None:
    """Does what a Java debugger does when it lets a program run."""
    for _ in range(600):
        try:
            debugger = socket.create_connection(("127.0.0.1", port), timeout=120)
        except ConnectionRefusedError:
            time.sleep(0.1)
            continue
        with debugger:
            debugger.sendall(b"JDWP-Handshake")
            assert debugger.recv(14) == b"JDWP-Handshake"
            # Its start; resumed before that, the virtual machine would stand still for ever.
            assert debugger.recv(4096)
            # Length, number, no flags, command 9 (resume) of set 1 (the virtual machine).
            debugger.sendall(bytes([0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 9]))
            while debugger.recv(4096):
                pass
        return


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_options_reach_the_replay_which_waits_for_a_debugger(aggregate_dump, tmp_path):
    out = tmp_path / "rows.parquet"
    port = free_port()
    options = ["--partition", 0, "--json", "--repeat", 2, "--out", out, "--jdwp", port]
    with ThreadPoolExecutor(1) as pool:
        debugger = pool.submit(resume, port)
        result = on_spark(aggregate_dump, *options)
        debugger.result()
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"jdb -attach 127.0.0.1:{port}" in result.stderr
    report = json.loads(result.stdout[result.stdout.index("{") :])
    assert [p["partition"] for p in report["partitions"]] == [0]
    assert len(report["partitions"][0]["runs"]) == 2
    assert pq.read_metadata(out).num_rows == report["partitions"][0]["output"]["rows"]


def altered(folder: Path, before: str, after: str) -> None:
    """Replaces a text of plan.meta, and its checksum."""
    path = folder / "plan.meta"
    text = path.read_text()
    assert before in text
    path.write_text(seal(text.replace(before, after)))


MIN = "org.apache.spark.sql.catalyst.expressions.aggregate.Min"


def test_another_operator_does_not_give_the_recorded_output(own_copy):
    altered(own_copy, f'"{MIN}"', f'"{MIN[:-3]}Max"')
    result = on_spark(own_copy)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "different" in result.stdout


def test_what_this_spark_does_not_know_ends_the_program(own_copy):
    altered(own_copy, '"groupingExpressions"', '"groupings"')
    result = on_spark(own_copy)
    assert result.returncode == 2, result.stdout + result.stderr
    assert "has no parameter groupings" in result.stderr


def test_what_is_missing_is_named(aggregate_dump, tmp_path):
    result = on_spark(aggregate_dump, JAVA_HOME=str(tmp_path))
    assert result.returncode == 2
    assert f"JAVA_HOME is {tmp_path}, where there is no bin/java" in result.stderr
    result = on_spark(aggregate_dump, SPARK_HOME=str(tmp_path))
    assert result.returncode == 2
    assert f"SPARK_HOME is {tmp_path}, where there is no folder jars" in result.stderr
    result = on_spark(tmp_path)
    assert result.returncode == 2
    assert "plan.meta" in result.stderr
    result = on_spark(aggregate_dump, "--profile", tmp_path / "page.html")
    assert result.returncode == 2
    assert "--profile looks into native code" in result.stderr


def test_an_operator_that_only_spark_runs_replays_there_by_default(native, tmp_path):
    native.udf.register("twice", lambda v: None if v is None else 2 * v, "bigint")
    query = "SELECT twice(v) FROM many_keys WHERE k < 50"
    dump(native, tmp_path / "dump", "BatchEvalPython#0[*]", query)
    (folder,) = (tmp_path / "dump").iterdir()
    result = on_spark(folder, engine=())
    assert result.returncode == 0, result.stdout + result.stderr
    assert "runs on Spark alone" in result.stderr
    assert "As recorded." in result.stdout


def test_a_whole_dump_replays_natively_and_in_one_jvm(native, tmp_path):
    native.udf.register("half", lambda value: value and value // 2, "long")
    query = "SELECT half(k) AS h, sum(half(v)) FROM many_keys WHERE v > 100 GROUP BY half(k)"
    whole = package.dump(native.sql(query), "*", tmp_path / "dump")
    count = len(whole)
    result = on_spark(whole.folder, engine=())
    assert result.returncode == 0, result.stdout + result.stderr
    native_part, spark_part = result.stdout.split("\nOn Spark:\n")
    assert re.search(r"HashAggregate#0 .* equal", native_part)
    assert re.search(r"BatchEvalPython#0 .* equal", spark_part)
    assert f"As recorded: {count} operators." in spark_part
    result = on_spark(whole.folder, "--conf", "spark.sql.files.minPartitionNum=2")
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"HashAggregate#0 .* equal", result.stdout)
    assert re.search(r"ShuffleExchange#0 .* equal", result.stdout)
    assert f"As recorded: {count} operators." in result.stdout


def test_an_error_is_not_taken_for_the_end_of_the_record(native, tmp_path):
    """Whatever the query's own error says."""
    text = "the record ends here: what the operator read next was not recorded"
    query = f"SELECT raise_error(concat('{text}', cast(id AS string))) FROM range(3)"
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    native.conf.set("spark.reprise.lore.when", "failure")
    with pytest.raises((Py4JJavaError, CapturedException), match="the record ends here"):
        dump(native, tmp_path / "dump", "Project#0[*]", query)
    (attempt, *_) = (tmp_path / "dump").glob("*/input-0/partition-*.attempt-*")
    result = on_spark(attempt.parents[1], *chosen(attempt))
    assert result.returncode == 1, result.stdout + result.stderr
    assert text in result.stdout
    assert result.stdout.endswith(SAME_WAY)


def test_a_failure_of_pythons_fails_again(native, tmp_path):
    """Though the record ends while Spark still writes to the worker that fails."""
    native.udf.register("inverse", lambda n: 100 // (n - 70), "bigint")
    native.conf.set("spark.reprise.lore.when", "failure")
    query = "SELECT inverse(id) FROM range(0, 100, 1, 2)"
    with pytest.raises((Py4JJavaError, CapturedException), match="ZeroDivisionError"):
        dump(native, tmp_path / "dump", "BatchEvalPython#0[*]", query)
    (attempt,) = (tmp_path / "dump").glob("*/input-0/partition-1.attempt-*")
    result = on_spark(attempt.parents[1], *chosen(attempt))
    assert result.returncode == 1, result.stdout + result.stderr
    assert "ZeroDivisionError" in result.stdout
    assert "\tat " not in result.stdout
    assert result.stdout.endswith(SAME_WAY)


def test_an_attempt_that_does_not_fail_again_is_not_as_recorded(native, tmp_path):
    """Another operator of its task has failed."""
    native.conf.set("spark.reprise.lore.when", "failure")
    query = "SELECT 100 / (id - 70) FROM range(0, 100, 1, 2) WHERE id % 2 = 0"
    with pytest.raises((Py4JJavaError, CapturedException), match="DIVIDE_BY_ZERO"):
        dump(native, tmp_path / "dump", "Filter#0[*], Project#0[*]", query)
    said = {}
    for attempt in (tmp_path / "dump").glob("*/input-0/partition-1.attempt-*"):
        result = on_spark(attempt.parents[1], *chosen(attempt), engine=())
        said[result.returncode] = result.stdout.splitlines()[-1]
    assert said == {
        1: SAME_WAY.strip(),
        3: "Not compared: 1 of 1 partition, the attempt that was recorded failed outside of this "
        "operator: RepriseProject (LORE id 1): DIVIDE_BY_ZERO.",
    }


@pytest.mark.parametrize("mode", ["explainOnly", "execute"])
def test_either_engine_tells_whether_it_fails_as_the_other_one_did(native, tmp_path, mode):
    native.conf.set("spark.sql.ansi.enabled", "true")
    native.conf.set("spark.reprise.sql.mode", mode)
    native.conf.set("spark.reprise.lore.when", "failure")
    query = "SELECT cast(if(id = 7, concat('x', id), id) AS int) FROM range(0, 9, 1, 1)"
    with pytest.raises((Py4JJavaError, CapturedException), match="CAST_INVALID_INPUT"):
        dump(native, tmp_path / "dump", "Project#0[*]", query)
    (attempt,) = (tmp_path / "dump").glob("*/input-0/partition-0.attempt-*")
    for engine in ("native", "spark"):
        result = on_spark(attempt.parents[1], *chosen(attempt), engine=("--engine", engine))
        assert result.returncode == 1, result.stdout + result.stderr
        assert result.stdout.endswith(SAME_WAY), result.stdout


ROW_BASED = {
    "Generate#0": "SELECT k, e FROM many_keys LATERAL VIEW explode(array(v, k)) t AS e",
    "Window#0": "SELECT k, v, row_number() OVER (PARTITION BY k ORDER BY v, s) FROM many_keys",
    "ObjectHashAggregate#0": "SELECT k, collect_set(v) FROM many_keys GROUP BY k",
}


@pytest.mark.parametrize("which", ROW_BASED)
def test_operators_replay_in_a_session_of_the_users(native, tmp_path, which):
    dump(native, tmp_path / "dump", f"{which}[*]", ROW_BASED[which])
    (folder,) = (tmp_path / "dump").iterdir()
    assert difference(spark_replays.on_spark(native, folder)) == ""


NESTED = """SELECT k % 5 AS g, array_sort(collect_set(v % 7)) AS a,
  map('x', min(s)) AS m, named_struct('s', max(s), 'd', CAST(sum(v) AS DECIMAL(30, 2)),
    'days', array(DATE '2020-01-01', NULL)) AS st, make_interval(0, 0, 0, k % 5) AS i
  FROM many_keys GROUP BY k % 5"""


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_files_of_replays_hold_nested_values(native, tmp_path, ending):
    # Python cannot collect intervals.
    query = f"SELECT g, a, m, st, string(i) AS i FROM ({NESTED} ORDER BY g DESC)"
    answer = arrow_of(native.sql(query)).drop_columns("i")
    dump(native, tmp_path / "dump", "Sort#0[*]", query)
    (folder,) = (tmp_path / "dump").iterdir()
    path = tmp_path / f"rows.{ending}"
    assert difference(spark_replays.on_spark(native, folder, "--out", str(path))) == ""
    table = pq.read_table(path) if ending == "parquet" else pa.ipc.open_file(path).read_all()
    assert table.drop_columns("i").to_pylist() == answer.to_pylist()
    if ending == "arrow":
        assert [i and i.days for i in table["i"].to_pylist()] == table["g"].to_pylist()
    else:
        assert table.schema.field("i").type == pa.binary(), "Parquet has no such intervals"
    assert difference(spark_replays.on_spark(native, folder, "--compare", str(path))) == ""
    rows = table.to_pylist()
    rows[2]["st"]["days"] = [None]
    changed_table = pa.Table.from_pylist(rows, table.schema)
    if ending == "parquet":
        pq.write_table(changed_table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(changed_table)
    report = spark_replays.on_spark(native, folder, "--compare", str(path))
    assert report["compared"]["differentColumns"] == ["st"]
    assert "days: [null]}" in json.dumps(report["compared"])


def changed(folder: Path, change: Callable[[dict], None]) -> Path:
    """The folder with its portable plan changed by a function."""
    path = folder / "plan.meta"
    plan = json.loads(path.read_text())
    change(plan["spark"])
    del plan["check"]
    text = json.dumps(plan, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(seal(f'{text[:-2]},\n  "check": "'))
    return folder


def objects(node: object) -> Iterator[dict]:
    """Every JSON object of a document."""
    if isinstance(node, dict):
        yield node
    for below in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from objects(below)


def without_metadata(document: dict) -> None:
    for made in objects(document):
        if made.get("class", "").endswith(".AttributeReference"):
            del made["args"]["metadata"]


ANOTHER_SPARK = {
    "its number": lambda document: document.update(spark="9.9.9"),
    "no parameter that has a default": without_metadata,
}


@pytest.mark.parametrize("name", ANOTHER_SPARK)
def test_a_dump_of_another_spark_replays(native, own_copy, name):
    folder = changed(own_copy, ANOTHER_SPARK[name])
    assert difference(spark_replays.on_spark(native, folder)) == ""


# Arithmetic and decimals, whose arguments Spark has changed, and what only Spark runs.
FOR_ANOTHER_SPARK = [
    """SELECT k, sum(v * 2 + k), avg(CAST(v AS DECIMAL(20, 2)) / 3), max(upper(s)) FROM many_keys
       WHERE v % 7 < 5 GROUP BY k""",
    """SELECT k, e, sum(e - v) OVER (PARTITION BY k ORDER BY v, s), plus(k) FROM many_keys
       LATERAL VIEW explode(array(v, k)) t AS e WHERE k < 20""",
    "SELECT a.k, collect_set(b.v) FROM many_keys a JOIN many_keys b ON a.k + 1 = b.k GROUP BY 1",
]
# From 3.5 or to it: PySpark pickles functions otherwise, and Scala 2.12 orders sets otherwise.
NOT_ACROSS_3_5 = {"BatchEvalPython", "ObjectHashAggregate"}
# The Pythons of other Sparks, and the jars that the program takes for them.
OTHER_SPARKS = {
    "4.1": (ROOT / ".venv", "reprise-spark-4.1_2.13.jar"),
    "4.0": (BUILD / "spark-4.0", "reprise-spark-4.1_2.13.jar"),
    "3.5": (BUILD / "spark-3.5", "spark-3.5/reprise-spark-3.5_2.12.jar"),
}


@pytest.fixture(scope="module")
def dumps_for_others(spark, with_plugin, tmp_path_factory):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    spark.conf.set("spark.reprise.sql.enabled", "true")
    spark.udf.register("plus", lambda v: v + 1, "bigint")
    folders = []
    for query in FOR_ANOTHER_SPARK:
        _, dumps = dump_all(spark, query, tmp_path_factory.mktemp("dumps"))
        folders += [dump.folder for dump in dumps.values() if dump.has_records]
    spark.conf.set("spark.reprise.sql.enabled", "false")
    return folders


def name_of(folder: str) -> str:
    """That of the operator, as Spark has it."""
    return json.loads(Path(folder, "plan.meta").read_text())["operator"]["name"].removeprefix(
        "Reprise"
    )


@pytest.mark.parametrize("other", [name for name in OTHER_SPARKS if name != SPARK])
def test_dumps_replay_on_other_sparks(dumps_for_others, other):
    venv, jar = OTHER_SPARKS[other]
    replays = subprocess.run(
        [venv / "bin" / "python", Path(spark_replays.__file__), DIST / jar, *dumps_for_others],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={k: v for k, v in os.environ.items() if k not in ("SPARK_HOME", "PYSPARK_PYTHON")},
    )
    assert replays.returncode == 0, replays.stdout + replays.stderr
    problems = json.loads(replays.stdout)
    assert len(problems) == len(dumps_for_others) > 15
    if "3.5" in (SPARK, other):
        problems = {f: text for f, text in problems.items() if name_of(f) not in NOT_ACROSS_3_5}
    assert {folder: text for folder, text in problems.items() if text} == {}


@pytest.mark.parametrize(("running", "scala"), [("4.0", "2.13"), ("3.5", "2.12")])
def test_the_plug_in_refuses_another_spark(running, scala):
    start = "from pyspark.sql import SparkSession; SparkSession.builder.getOrCreate()"
    conf = {"spark.master": "local[1]", "spark.ui.enabled": "false"}
    conf |= {"spark.plugins": "reprise.ReprisePlugin", "spark.jars": str(next(DIST.glob("*.jar")))}
    options = [text for key, value in conf.items() for text in ("--conf", f"{key}={value}")]
    started = subprocess.run(
        [BUILD / f"spark-{running}" / "bin" / "python", "-c", start],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={k: v for k, v in os.environ.items() if k not in ("SPARK_HOME", "PYSPARK_PYTHON")}
        | {"PYSPARK_SUBMIT_ARGS": shlex.join([*options, "pyspark-shell"])},
    )
    assert started.returncode == 1
    assert f"this plug-in is for Spark 4.1 with Scala 2.13, and here is Spark {running}." in (
        started.stderr
    )
    assert f"take reprise-spark-{running}_{scala}.jar" in started.stderr


def test_a_spark_of_another_scala_wants_its_jar(aggregate_dump, tmp_path):
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "spark-core_3-5.0.1.jar").touch()
    result = on_spark(aggregate_dump, SPARK_HOME=str(tmp_path))
    assert result.returncode == 2
    assert f"{tmp_path} is Spark 5.0 with Scala 3" in result.stderr
    assert "whose jar reprise-spark-5.0_3.jar is not in" in result.stderr


UNKNOWN = {
    "NoSuchExec is not known here": lambda document: document["root"].update(
        {"class": "org.apache.spark.sql.execution.NoSuchExec"}
    ),
    "has no parameter spillFactor in this version of Spark": lambda document: document["root"][
        "args"
    ].update(spillFactor=3),
    "needs a parameter initialInputBufferOffset in this version of Spark": lambda document: (
        document["root"]["args"].pop("initialInputBufferOffset")
    ),
    "a portable plan with frob, which this version of Reprise does not know": lambda document: (
        document["root"]["args"].update(child={"frob": 1})
    ),
    "a portable plan of version 2; this Reprise reads version 1": lambda document: document.update(
        version=2
    ),
}


@pytest.mark.parametrize("message", UNKNOWN)
def test_what_this_spark_does_not_know_is_named(native, own_copy, message):
    folder = changed(own_copy, UNKNOWN[message])
    with pytest.raises((Py4JJavaError, CapturedException)) as raised:
        spark_replays.on_spark(native, folder)
    assert message in str(raised.value)
