"""Functions of Python's over windows: their workers get partitions, and the rows of each frame."""

import sys
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
import spark_replays
from answers import FAILURES, failure_of
from operators import lore_id, plan_text
from pyspark import cloudpickle
from pyspark.sql import DataFrame, Window, functions
from pyspark.sql.functions import col, expr, pandas_udf
from pyspark.sql.types import DoubleType, IntegerType, LongType, StringType
from python_functions import ENABLED, HAS_ARROW_UDF, NATIVE_WINDOW, TYPES, assert_same, v

# Workers cannot import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pandas_udf(DoubleType())
def total(x: pd.Series) -> float:
    return float(x.sum())


@pandas_udf(StringType())
def chained(text: pd.Series, by: pd.Series) -> str:
    return "/".join(f"{one}{other}" for one, other in zip(text, by, strict=True))


@pandas_udf(LongType())
def rows_of_window(x: pd.Series) -> int:
    return len(x)


@pandas_udf(IntegerType())
def fails_over_seven(x: pd.Series) -> int:
    if (x == 7).any():
        raise ValueError("seven")
    return len(x)


def last_of(column: pd.Series) -> Any:
    return column.iloc[-1]


def last_of_arrow(column: pa.Array) -> pa.Scalar:
    return column[len(column) - 1]


FIRST, HERE, LAST = Window.unboundedPreceding, Window.currentRow, Window.unboundedFollowing


def by_number(*partition: str):
    """Of an order that leaves no two rows equal."""
    return Window.partitionBy(*partition).orderBy("n")


def by_value(descending: bool = False):
    """Of an order with peers, and with nulls."""
    key = col("w").desc_nulls_first() if descending else col("w")
    return Window.partitionBy("k").orderBy(key)


# Windows are made where there is a session.
FRAMES = {
    "partitions": lambda: Window.partitionBy("k"),
    "sorted partitions": lambda: by_number("k").rowsBetween(FIRST, LAST),
    "by several keys": lambda: by_number("k", "s").rowsBetween(FIRST, HERE),
    "no keys": lambda: by_number().rowsBetween(-3, HERE),
    "growing rows": lambda: by_number("k").rowsBetween(FIRST, HERE),
    "growing ahead": lambda: by_number("k").rowsBetween(FIRST, 2),
    "growing behind": lambda: by_number("k").rowsBetween(FIRST, -2),
    "shrinking rows": lambda: by_number("k").rowsBetween(HERE, LAST),
    "shrinking ahead": lambda: by_number("k").rowsBetween(2, LAST),
    "moving rows": lambda: by_number("k").rowsBetween(-2, 1),
    "rows ahead": lambda: by_number("k").rowsBetween(2, 3),
    "rows behind": lambda: by_number("k").rowsBetween(-3, -2),
    "growing range": lambda: by_value(),
    "shrinking range": lambda: by_value().rangeBetween(HERE, LAST),
    "peers": lambda: by_value().rangeBetween(HERE, HERE),
    "moving range": lambda: by_value().rangeBetween(-200, 100),
    "range ahead": lambda: by_value().rangeBetween(10, 300),
    "growing range by value": lambda: by_value().rangeBetween(FIRST, 100),
    "descending range": lambda: by_value(descending=True).rangeBetween(-100, 100),
    "range of doubles": lambda: Window.partitionBy("k").orderBy("d").rangeBetween(-100, 100),
}


def windowed_rows(spark, where: str = "k < 60 or k is null") -> DataFrame:
    """Some groups of rows with numbers, nulls, and not-a-numbers."""
    rows = spark.table("many_keys").where(where).where("v > -900")
    rows = rows.selectExpr("k", "s", "v", "xxhash64(k, s, v, m) as n", "m")
    return rows.dropDuplicates(["n"]).selectExpr(
        "*",
        "if(v % 7 = 0, null, cast(v as bigint)) as w",
        "if(v % 11 = 0, cast('NaN' as double), if(v % 7 = 0, null, v * 1d)) as d",
    )


@pytest.mark.parametrize("batch", [10000, 3])
@pytest.mark.parametrize("kind", FRAMES)
def test_windows(native, kind, batch):
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))

    def query(spark) -> DataFrame:
        over = FRAMES[kind]()
        return windowed_rows(spark).select(
            "n",
            "s",
            total(v()).over(over).alias("t"),
            rows_of_window(col("w")).over(over).alias("c"),
        )

    plan = assert_same(native, query, NATIVE_WINDOW).plan
    assert "RowToNative" not in plan


def of_several_frames(rows: DataFrame) -> DataFrame:
    near = by_number("k").rowsBetween(-2, 1)
    return rows.select(
        "n",
        chained("s", by=col("v") + 1).over(near).alias("a"),
        (total(v()).over(by_number("k").rowsBetween(FIRST, LAST)) + 1).alias("b"),
        chained("s", "m").over(by_number("k").rowsBetween(1, 2)).alias("c"),
        rows_of_window("v").over(near).alias("d"),
        chained("s", functions.lit(3)).over(near).alias("g"),
        total(v() * 2).over(by_value()).alias("e"),
        rows_of_window(expr("bit_count(v)"))
        .over(by_number("k").rowsBetween(HERE, LAST))
        .alias("f"),
    )


@pytest.mark.parametrize("deny", [0, 3])
@pytest.mark.parametrize("batch", [10000, 1])
def test_several_functions_over_windows(native, batch, deny):
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))
    native.conf.set("spark.reprise.memory.denyEvery", str(deny))
    assert_same(native, lambda spark: of_several_frames(windowed_rows(spark)), NATIVE_WINDOW)


def test_windows_in_batches_of_one_row(native):
    native.conf.set("spark.reprise.sql.batchRows", "1")
    rows = "k < 20"
    assert_same(native, lambda spark: of_several_frames(windowed_rows(spark, rows)), NATIVE_WINDOW)


@pytest.mark.parametrize("kind", ["pandas", *(["arrow"] if HAS_ARROW_UDF else [])])
def test_values_of_every_type_over_windows(native, kind):
    # Of some types pandas has no nulls, or other values.
    def last(name: str):
        if kind == "arrow":
            return functions.arrow_udf(last_of_arrow, name)
        return pandas_udf(last_of, name)

    def query(spark) -> DataFrame:
        has_nulls = "if(v % 5 = 0, null, {})" if kind == "arrow" else "{}"
        columns = [f"{has_nulls.format(text)} as c{i}" for i, text in enumerate(TYPES.values())]
        wide = windowed_rows(spark).selectExpr("n", "v % 3 as g", *columns)
        over = (by_number("g").rowsBetween(-1, HERE), by_number("g").rowsBetween(FIRST, LAST))
        return wide.select(
            "n",
            *(
                last(name)(col(f"c{i}")).over(over[i % 2]).alias(f"r{i}")
                for i, name in enumerate(TYPES)
            ),
        )

    assert_same(native, query, NATIVE_WINDOW)


RANGES = {
    "dates by days": ("date'2020-02-27' + v", "40 preceding", "3 following"),
    "dates by months": ("date'2020-02-27' + v", "interval 1 month preceding", "current row"),
    "times": ("timestamp_seconds(v * 60L)", "interval 2 hours preceding", "current row"),
    "numbers": ("v", "30 preceding", "20 following"),
}


@pytest.mark.parametrize("kind", RANGES)
def test_windows_by_ranges_in_sql(native, kind):
    key, lower, upper = RANGES[kind]
    native.udf.register("total_of", total)
    native.conf.set("spark.sql.session.timeZone", "America/Los_Angeles")

    def query(spark) -> DataFrame:
        windowed_rows(spark).createOrReplaceTempView("windowed")
        return spark.sql(
            f"select n, total_of(v) over (partition by k order by {key} desc "
            f"range between {lower} and {upper}) as t from windowed"
        )

    assert_same(native, query, NATIVE_WINDOW)


def test_windows_between_native_windows_and_aggregates(native):
    def query(spark) -> DataFrame:
        rows = windowed_rows(spark).select(
            "*", functions.row_number().over(by_number("k")).alias("r")
        )
        rows = rows.where("r < 9").withColumn("t", total("r").over(by_number("k")))
        return rows.groupBy("r").agg(functions.sum("t"), functions.count("*"))

    plan = assert_same(native, query, NATIVE_WINDOW).plan
    assert "RepriseWindow" in plan.partition(NATIVE_WINDOW)[2]
    assert "RowToNative" not in plan


def test_windows_over_no_rows(native):
    native.conf.set("spark.sql.adaptive.enabled", "false")

    def query(spark) -> DataFrame:
        rows = windowed_rows(spark, "k < v and k > v")
        return rows.select("s", total(v()).over(by_value()).alias("t"))

    assert_same(native, query, NATIVE_WINDOW)


def test_rows_that_windows_do_not_see_stand_beside_their_results(native):
    def query(spark) -> DataFrame:
        rows = windowed_rows(spark).selectExpr("n", "k", "v", "array(k, v) as a")
        return rows.select("a", total(v()).over(by_number("k")).alias("t"))

    assert_same(native, query, NATIVE_WINDOW)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("fails(cast(id as int)) over (order by id)", "ValueError: seven"),
        ("total_of(10 div (id - 7)) over (partition by id % 3)", "DIVIDE_BY_ZERO"),
        ("total_of(id) over (order by id range 9223372036854775807 preceding)", None),
        (
            "total_of(id) over (order by id - 20 range 9223372036854775807 preceding)",
            "ARITHMETIC_OVERFLOW",
        ),
    ],
)
def test_errors_over_windows_are_sparks(native, text, error):
    native.udf.register("fails", fails_over_seven)
    native.udf.register("total_of", total)

    def told(enabled: str):
        native.conf.set(ENABLED, enabled)
        frame = native.range(0, 10, 1, 1).selectExpr(f"{text} as x")
        if error is None:
            return frame.collect()
        with pytest.raises(FAILURES, match=error) as caught:
            frame.collect()
        return failure_of(caught.value).error

    assert told("true") == told("false")


def test_a_window_that_is_not_native_says_why(native):
    order = Window.orderBy(expr("cast(id as decimal(10,2))")).rangeBetween(-1, HERE)
    frame = native.range(30).select(total(col("id")).over(order).alias("t"))
    text = native._jvm.reprise.Explain.explain(frame._jdf, "ALL")
    assert "a range by" in text
    assert len(frame.collect()) == 30


def test_a_window_that_is_dumped_is_sparks_own(native, tmp_path):
    def rows() -> DataFrame:
        return windowed_rows(native).select("n", total(v()).over(by_number("k")).alias("t"))

    before = rows()
    before.collect()
    number = lore_id(before, NATIVE_WINDOW)
    native.conf.set("spark.reprise.lore.idsToDump", f"{number}[*]")
    native.conf.set("spark.reprise.lore.dumpPath", str(tmp_path / "dump"))
    again = rows()
    again.collect()
    assert NATIVE_WINDOW not in plan_text(again)
    native.conf.set(ENABLED, "false")
    folder = tmp_path / "dump" / f"loreId-{number}"
    assert spark_replays.difference(spark_replays.on_spark(native, folder)) == ""
