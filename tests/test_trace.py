"""spark.reprise.trace.path: what a trace of a real query holds."""

import pytest
from operators import native_operators, output_rows
from pyspark.errors.exceptions.base import PySparkException
from pyspark.sql.functions import udf
from tpch_queries import query
from traces import events, misplaced, outside_tasks, ranges, rows_by_operator


@pytest.fixture(scope="module")
def traced(spark, with_plugin, tmp_path_factory):
    """TPC-H Q3 with a trace: the frame, and the events."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    folder = tmp_path_factory.mktemp("trace") / "new"
    spark.conf.set("spark.reprise.sql.enabled", "true")
    spark.conf.set("spark.reprise.trace.path", f"file://{folder}")
    try:
        frame = spark.sql(query(3))
        frame.collect()
    finally:
        spark.conf.unset("spark.reprise.trace.path")
        spark.conf.set("spark.reprise.sql.enabled", "false")
    # Nothing else is written, and nothing elsewhere.
    application = spark.sparkContext.applicationId
    assert [file.name for file in folder.iterdir()] == [f"trace-{application}-driver.json"]
    return frame, events(folder / f"trace-{application}-driver.json")


def test_every_native_operator_has_ranges(traced):
    frame, found = traced
    names = {event["name"] for event in ranges(found, "operator")}
    operators = native_operators(frame)
    assert len(operators) > 8
    for operator in operators:
        assert f"{operator.name} [loreId={operator.lore_id}]" in names


def test_the_rows_are_those_of_the_metrics(traced):
    frame, found = traced
    traced_rows = rows_by_operator(found)
    rows = output_rows(frame)
    assert {name: traced_rows.get(name) for name in rows} == rows
    assert sum(rows.values()) > 60000


def test_ranges_nest(traced):
    _, found = traced
    assert misplaced(found) == []
    assert outside_tasks(found) == []


def test_arguments_say_which_task(traced):
    _, found = traced
    tasks = {
        (task["args"]["stage"], task["args"]["partition"], task["args"]["attempt"])
        for task in ranges(found, "task")
    }
    assert len(tasks) > 3
    for event in ranges(found, "operator"):
        arguments = event["args"]
        assert (arguments["stage"], arguments["partition"], arguments["attempt"]) in tasks
        assert event["name"].startswith(arguments["operator"])
        assert arguments["kind"]


def test_calls_and_exchanges_are_there(traced):
    _, found = traced
    names = {event["name"] for event in ranges(found)}
    assert {"open", "next", "nextBlock", "toRows", "close"} <= names
    assert {"encode block", "block to Java", "block from Spark", "decode blocks"} <= names
    assert "ask Spark for memory" in names
    # Every row that is encoded for an exchange is handed to Spark.
    encoded = [event["args"]["rows"] for event in ranges(found) if event["name"] == "encode block"]
    blocks = [event["args"] for event in ranges(found) if event["name"] == "nextBlock"]
    assert sum(encoded) == sum(block.get("rows", 0) for block in blocks) > 0


def test_lanes_are_as_many_as_tasks_at_once(traced):
    _, found = traced
    named = {event["tid"] for event in found if event["name"] == "thread_name"}
    assert {event["tid"] for event in ranges(found)} == named
    assert len(named) <= 2


def test_a_fragment_in_a_row_based_query(native, tmp_path):
    """Python takes the rows of one fragment and gives them to another of the same task."""
    native.conf.set("spark.reprise.trace.path", str(tmp_path))
    frame = native.sql("SELECT l_orderkey FROM lineitem WHERE l_quantity < 25")
    # By rows in every Spark: from 4.2 on functions are given columns unless told otherwise.
    seventh = udf(lambda key: key % 7, "bigint", useArrow=False)
    frame = frame.select(seventh("l_orderkey").alias("m"))
    assert frame.groupBy("m").count().count() == 7
    (file,) = tmp_path.iterdir()
    found = events(file)
    assert misplaced(found) == []
    assert outside_tasks(found) == []
    names = {event["name"].split(" [")[0] for event in ranges(found, "operator")}
    assert {"RepriseFilter", "RepriseRowToNative", "RepriseHashAggregate"} <= names
    assert sum(e["args"]["rows"] for e in ranges(found) if e["name"] == "rows from Spark") > 20000


def test_many_tasks_write_one_file(native, tmp_path):
    native.conf.set("spark.reprise.trace.path", str(tmp_path))
    native.conf.set("spark.sql.files.maxPartitionBytes", "100k")
    for _ in range(2):
        native.sql("SELECT l_returnflag, sum(l_tax) FROM lineitem GROUP BY l_returnflag").collect()
    (file,) = tmp_path.iterdir()
    found = events(file)
    assert misplaced(found) == []
    attempts = [task["args"]["attempt"] for task in ranges(found, "task")]
    assert len(attempts) == len(set(attempts)) > 20


def test_too_many_ranges_are_counted(native, tmp_path):
    native.conf.set("spark.reprise.trace.path", str(tmp_path))
    native.conf.set("spark.reprise.trace.maxEventsPerTask", "5")
    native.sql("SELECT l_returnflag, sum(l_tax) FROM lineitem GROUP BY l_returnflag").collect()
    (file,) = tmp_path.iterdir()
    tasks = [task for task in ranges(events(file), "task") if "droppedRanges" in task["args"]]
    assert tasks
    assert all(task["name"].endswith(", incomplete") for task in tasks)


def test_without_the_path_nothing_is_written(native, tmp_path):
    native.conf.set("spark.reprise.trace.path", "")
    assert native.sql("SELECT count(*) FROM lineitem WHERE l_tax > 0").collect()[0][0] > 0


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("traces", 'spark.reprise.trace.path "traces" must be absolute'),
        (
            "nowhere://host/traces",
            "spark.reprise.trace.path: nowhere://host/traces cannot be written to: No FileSystem",
        ),
        ("/dev/null", "spark.reprise.trace.path: /dev/null is not a directory"),
        ("/dev/null/x", "spark.reprise.trace.path: /dev/null/x cannot be made: Not a directory"),
    ],
)
def test_a_path_that_cannot_be_is_said_by_the_driver(native, path, message):
    native.conf.set("spark.reprise.trace.path", path)
    with pytest.raises(PySparkException) as failure:
        native.sql("SELECT count(*) FROM lineitem WHERE l_tax > 0").collect()
    assert message in str(failure.value)
