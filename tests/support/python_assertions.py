"""Every assertion of the Python package, on RDDs and on DataFrames; a program of its own.

What holds gives the same records; what does not says what, where and which.
"""

import operator
import re
from collections.abc import Callable

import reprise
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def says(name: str, found: str, call: Callable[[], object]) -> None:
    """The call fails with that assertion's error, whose text has `found`."""
    try:
        call()
    except Exception as failed:
        said = str(failed)
        assert f"{name}-assertion error:" in said, said
        assert re.search(found, said), said
    else:
        raise SystemExit(f"{name}: no error")


def check_rdds(context, replayer: reprise.EventReplayer) -> None:
    numbers = context.parallelize([3, 1, 2, 2], 2)
    pairs = context.parallelize([(n, n * n) for n in range(6)], 2)
    halves = context.parallelize([(1, 1), (2, None)], 1)
    assert replayer.assertForall(numbers, lambda n: n > 0).collect() == [3, 1, 2, 2]
    found = f"RDD ID: {numbers.id()}\n  partition: 0\n  offending records: 1 of 2\n    1"
    says("RDD forall", found, lambda: replayer.assertForall(numbers, lambda n: n > 1).collect())
    assert replayer.assertExists(numbers, lambda n: n == 3) is numbers
    says("RDD exists", r"such as\n    3", lambda: replayer.assertExists(numbers, lambda n: n > 3))
    assert replayer.assertNoNulls(pairs).count() == 6
    says("RDD no-nulls", r"\(2, None\)", lambda: replayer.assertNoNulls(halves).count())

    def reduced(wanted: Callable[[int], bool]):
        return replayer.assertReduce(numbers, operator.add, wanted)

    assert reduced(lambda n: n == 4).count() == 4
    says("RDD reduce", "result of 2 records: 4", lambda: reduced(lambda n: n > 4).count())
    assert replayer.assertUnique(pairs).count() == 6
    found = r"2 \(2 records, first in partition 1\)"
    says("RDD unique", found, lambda: replayer.assertUnique(numbers))
    found = r"0 \(3 records"
    says("RDD unique", found, lambda: replayer.assertUnique(pairs, lambda pair: pair[0] % 2))
    assert replayer.assertSorted(pairs).count() == 6
    found = "partition: 0\n  record 1 has the key 1, after 3"
    says("RDD sorted", found, lambda: replayer.assertSorted(numbers))
    falling = context.parallelize([3, 4, 1, 2], 2)
    found = "partition: 1\n  record 0 has the key 1, after 4"
    says("RDD sorted", found, lambda: replayer.assertSorted(falling, lambda n: n))
    assert replayer.assertCount(numbers, 4, 4).count() == 4
    found = "4 records, expected 5 to 6\n  by partition: 0: 2, 1: 2"
    says("RDD count", found, lambda: replayer.assertCount(numbers, 5, 6))
    assert replayer.assertEqual(numbers, numbers.repartition(3)).count() == 4
    fewer = context.parallelize([3, 1, 2])
    says("RDD equal", r"2 \(1 more", lambda: replayer.assertEqual(numbers, fewer))
    says("RDD equal", r"2 \(1 less", lambda: replayer.assertEqual(fewer, numbers))
    assert replayer.assertPartitioned(pairs.partitionBy(3)).count() == 6
    moved = pairs.partitionBy(3)
    moved.partitioner = type(moved.partitioner)(3, lambda key: key + 1)
    found = "offending records: 2 of 2"
    says("RDD partitioning", found, lambda: replayer.assertPartitioned(moved).count())
    try:
        replayer.assertPartitioned(numbers)
    except reprise.Error as failed:
        assert "declares no partitioner" in str(failed)
    else:
        raise SystemExit("no partitioner, no error")


def check_what_has_no_hash(context, replayer: reprise.EventReplayer) -> None:
    """Lists, dictionaries, sets and NaN are equal by what they hold, as Spark's own arrays are."""
    nan = float("nan")
    kinds = [["a", nan], {"k": [1, None]}, {1, 2}, (None, nan), bytearray(b"x"), None, nan, "a"]
    records = context.parallelize(kinds, 3)
    assert replayer.assertUnique(records).count() == len(kinds)
    assert replayer.assertEqual(records, records.repartition(2)).count() == len(kinds)
    for kind in kinds:
        alone = context.parallelize([kind], 1)
        assert replayer.assertEqual(alone, context.parallelize([kind], 2)).count() == 1
        says("RDD unique", r"2 records, first in partition 0", twice(context, replayer, kind))
    fewer = context.parallelize(kinds[1:], 2)
    found = r"\['a', nan\] \(1 more"
    says("RDD equal", found, lambda: replayer.assertEqual(records, fewer))
    empty = context.emptyRDD()
    assert replayer.assertEqual(empty, empty).count() == 0
    assert replayer.assertSorted(empty).count() == 0
    says("RDD exists", "offending", lambda: replayer.assertExists(empty, lambda n: True))


def check_what_has_no_order(context, replayer: reprise.EventReplayer) -> None:
    """None stands before all others and NaN behind them, as Spark sorts."""
    nan = float("nan")
    for sorted_keys in ([None, None, -1.0, 2, nan, nan], [("a", None), ("a", 1), ("b", nan)]):
        rows = context.parallelize(sorted_keys, 3)
        assert replayer.assertSorted(rows).count() == len(sorted_keys)
        rows = context.parallelize([{"k": key} for key in sorted_keys], 2)
        assert replayer.assertSorted(rows, lambda row: row["k"]).count() == len(sorted_keys)
    for key, before, partitions in ((None, 1, 1), (None, nan, 2), (7.0, nan, 2), (nan, nan, 1)):
        rows = context.parallelize([before, key], partitions)
        if key is before:
            assert replayer.assertSorted(rows).count() == 2
            continue
        found = f"record {2 - partitions} has the key {key}, after {before}"
        says("RDD sorted", found, lambda rows=rows: replayer.assertSorted(rows))
    rows = context.parallelize([("a", (1, nan)), ("a", (1, None))], 1)
    says("RDD sorted", r"\(1, None\)\), after", lambda: replayer.assertSorted(rows))
    table = context.parallelize([(None, 1), (-2.5, 2), (nan, 3)], 2)
    frame = SparkSession.active().createDataFrame(table, "v double, n int")
    assert replayer.assertSorted(frame, "v").count() == 3
    assert replayer.assertSorted(frame.rdd).count() == 3


def twice(context, replayer: reprise.EventReplayer, record) -> Callable[[], object]:
    return lambda: replayer.assertUnique(context.parallelize([record, record], 2))


def check_frames(spark: SparkSession, replayer: reprise.EventReplayer) -> None:
    table = spark.range(0, 10, 1, 2).selectExpr("id", "if(id = 7, null, id) as v")
    kind = "DataFrame type: struct<id:bigint,v:bigint>\n  partition: 1\n"
    assert replayer.assertForall(table, lambda row: row.id < 10).count() == 10
    found = f"{kind}  offending records: 2 of 5\n    Row.id=8"
    bad = replayer.assertForall(table, lambda row: row.id < 8)
    says("DataFrame forall", found, bad.collect)
    assert replayer.assertExists(table, lambda row: row.v is None) is table
    says("DataFrame exists", "Row", lambda: replayer.assertExists(table, lambda row: row.id > 10))
    bad = replayer.assertNoNulls(table)
    says("DataFrame no-nulls", rf"{kind}  offending records: 1 of 5\n    \[7,null\]", bad.collect)

    def most(wanted: int):
        larger = lambda a, b: a if a.id > b.id else b  # noqa: E731
        return replayer.assertReduce(table, larger, lambda row: row.id < wanted)

    assert most(10).count() == 10
    says("DataFrame reduce", rf"{kind}  result of 5 records: Row\(id=9", most(9).collect)
    assert replayer.assertUnique(table, "id").count() == 10
    keys = table.selectExpr("id % 9 as k", "id % 2 as h")
    found = r"\[0\] \(2 records, first in partition 0\)"
    says("DataFrame unique", found, lambda: replayer.assertUnique(keys, "k"))
    assert replayer.assertSorted(table, "id").count() == 10
    found = r"record 1 is \[1,1\], after \[0,0\]"
    says("DataFrame sorted", found, lambda: replayer.assertSorted(table, F.desc("id")))
    assert replayer.assertCount(table, 1, 10).count() == 10
    found = "10 records, expected 1 to 9\n  by partition: 0: 5, 1: 5"
    says("DataFrame count", found, lambda: replayer.assertCount(table, 1, 9))
    assert replayer.assertEqual(table, table.repartition(3)).count() == 10
    fewer = table.filter("id < 9")
    says("DataFrame equal", r"\[9,9\] \(1 more", lambda: replayer.assertEqual(table, fewer))
    assert replayer.assertPartitioned(table, "id").count() == 10
    found = r"keys in several partitions:\n    \[[01]\] \(partitions 0 and 1\)"
    says("DataFrame partitioning", found, lambda: replayer.assertPartitioned(keys, "h"))


def check(spark: SparkSession) -> None:
    replayer = reprise.EventReplayer(spark.sparkContext)
    check_rdds(spark.sparkContext, replayer)
    check_what_has_no_hash(spark.sparkContext, replayer)
    check_what_has_no_order(spark.sparkContext, replayer)
    check_frames(spark, replayer)
