"""What happens to tasks: a cancelled one ends soon, a failing one says why, a limit stops one."""

import threading
import time

import pytest
from answers import failure_of
from operators import native_operators
from places import SPARK

LONG = (
    "SELECT a.id % 1000 AS k, count(*), sum(a.id + b.id) FROM range(0, 20000000, 1, 2) a "
    "CROSS JOIN range(0, 500) b WHERE (a.id + b.id) % 7 < 6 GROUP BY a.id % 1000"
)


def active_tasks(spark) -> int:
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return sum(stage.numActiveTasks for stage in stages if stage)


def wait_until(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_a_cancelled_query_ends_soon(native):
    failures = []

    def run():
        native.sparkContext.setJobGroup("to cancel", "a long query", interruptOnCancel=False)
        try:
            native.sql(LONG).collect()
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert wait_until(lambda: active_tasks(native) > 0, 60)
    time.sleep(1)  # well inside the aggregate
    begin = time.monotonic()
    native.sparkContext.cancelAllJobs()
    thread.join(30)
    assert not thread.is_alive()
    assert failures and "cancel" in str(failures[0]).lower()
    assert wait_until(lambda: active_tasks(native) == 0, 10)
    assert time.monotonic() - begin < 10
    # The executor takes work again at once.
    assert native.sql("SELECT count(*) FROM small WHERE n > 0").collect()[0][0] == 300


def test_the_long_query_is_native(native):
    query = LONG.replace("20000000", "2000").replace("range(0, 500)", "range(0, 5)")
    frame = native.sql(query)
    frame.collect()
    assert "RepriseHashAggregate" in {operator.name for operator in native_operators(frame)}


def test_an_error_of_the_core_names_what_failed(native):
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO") as failure:
        native.sql("SELECT n / (n - n) FROM small WHERE i32 IS NOT NULL").collect()
    failed = failure_of(failure.value)
    assert (failed.error, failed.state) == ("DIVIDE_BY_ZERO", "22012")


def test_a_file_that_is_no_parquet_fails_with_its_name(native, tmp_path):
    native.table("small").coalesce(1).write.parquet(str(tmp_path / "broken"))
    frame = native.read.parquet(str(tmp_path / "broken")).where("n > 3").select("n", "k")
    file = next(iter((tmp_path / "broken").glob("part-*.parquet")))
    content = file.read_bytes()
    file.write_bytes(content[:40] + bytes(len(content) - 80) + content[-40:])
    for crc in (tmp_path / "broken").glob(".*.crc"):
        crc.unlink()
    # Spark 3.5 tells of a footer that it cannot read without the file's name.
    told = "Required field 'version'" if SPARK == "3.5" else file.name
    with pytest.raises(Exception, match=told):
        frame.collect()
    assert native.sql("SELECT count(*) FROM small WHERE n > 0").collect()[0][0] == 300


def test_limits_leave_nothing_open(native):
    for _ in range(20):
        native.sql("SELECT k FROM many_keys WHERE v > 0 LIMIT 3").collect()
    assert native.sql("SELECT count(*) FROM small WHERE n > 0").collect()[0][0] == 300
