"""Arrays, maps and structs go to Python's functions over Arrow as such, and come back."""

import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, functions
from pyspark.sql.functions import col, expr, pandas_udf, udf
from pyspark.sql.types import (
    ArrayType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructType,
)
from python_functions import (
    HAS_ARROW_UDF,
    NATIVE_AGGREGATE,
    NATIVE_EVAL,
    NATIVE_WINDOW,
    assert_same,
)

# Workers cannot import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

NESTED = {
    "array<int>": (
        "if(v % 7 = 0, null, if(v % 3 = 0, array(), array(cast(k as int), null, cast(v as int))))"
    ),
    "array<boolean>": "array(k > 5, null, v % 2 = 0)",
    "array<array<string>>": "array(array(s, 'ü'), null, array(), array(null, s))",
    "array<decimal(10,2)>": "array(cast(v / 3 as decimal(10,2)), null)",
    "struct<a:int,b:string,c:decimal(7,3)>": (
        "if(v % 4 = 0, null, named_struct('a', cast(k as int), 'b', if(v % 5 = 0, null, s), "
        "'c', cast(v / 7 as decimal(7,3))))"
    ),
    "array<struct<d:date,t:timestamp,x:double,l:decimal(30,5)>>": (
        "if(v % 6 = 1, null, array(named_struct('d', date'1960-01-01' + cast(v as int), "
        "'t', timestamp_micros(v * 1234567891L), 'x', v / 7d, "
        "'l', cast(v / 3 as decimal(30,5))), null))"
    ),
    "struct<n:struct<b:binary,f:float>,e:array<smallint>>": (
        "named_struct('n', if(v % 3 = 1, null, named_struct('b', cast(s as binary), "
        "'f', cast(v / 3 as float))), 'e', array(cast(k % 100 as smallint)))"
    ),
}
MAPS = {
    "map<string,bigint>": (
        "if(v % 5 = 0, null, map(concat(v, coalesce(s, '')), cast(v as bigint), 'other', null))"
    ),
    "map<int,array<date>>": "map(cast(v as int), array(null, date'2024-02-29'), -1000000, null)",
}


def rows(spark, texts: dict[str, str]) -> DataFrame:
    made = spark.table("many_keys").where("k < 200")
    return made.selectExpr("v", *(f"{text} as c{i}" for i, text in enumerate(texts.values())))


def same_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def same_group(group: pa.Table) -> pa.Table:
    return group


@pandas_udf(ArrayType(DoubleType()))
def scaled(x: pd.Series) -> pd.Series:
    return x.map(lambda items: None if items is None else items * 2.0)


@pandas_udf(StructType().add("n", IntegerType()).add("last", StringType()))
def described(x: pd.DataFrame, texts: pd.Series) -> pd.DataFrame:
    lasts = texts.map(lambda items: items[-1] if len(items) > 0 else None)
    return pd.DataFrame({"n": x["a"].astype("Int32") + 1, "last": lasts})


@pandas_udf(DoubleType())
def farthest(x: pd.Series) -> float:
    return float(max((np.nanmax(items) for items in x if len(items) > 0), default=-1.0))


@udf(ArrayType(StringType()), useArrow=True)
def sorted_texts(items: list[str] | None) -> list[str] | None:
    return None if items is None else sorted(item or "" for item in items)


@pandas_udf(LongType())
def rows_of_batch(x: pd.Series) -> pd.Series:
    return pd.Series([len(x)] * len(x))


def test_nested_values_go_and_come_back_as_rows(native):
    types = NESTED | MAPS

    def query(spark) -> DataFrame:
        schema = "v int, " + ", ".join(f"c{i} {name}" for i, name in enumerate(types))
        return rows(spark, types).mapInArrow(same_rows, schema)

    assert_same(native, query, "RepriseMapInArrow")


if HAS_ARROW_UDF:

    def test_nested_values_go_and_come_back_as_columns(native):
        types = NESTED | MAPS

        def same(name: str):
            return functions.arrow_udf(lambda column: column, name)

        def query(spark) -> DataFrame:
            kept = [f"c{i}" for i in range(len(types))]
            made = [same(name)(col(f"c{i}")).alias(f"r{i}") for i, name in enumerate(types)]
            return rows(spark, types).select("v", *kept, *made)

        assert_same(native, query)


def test_pandas_functions_of_nested_values(native):
    def query(spark) -> DataFrame:
        frame = rows(spark, NESTED).withColumn("x", expr("array(v / 2d, cast(v as double))"))
        return frame.select(
            scaled("x").alias("x"),
            described("c4", expr("coalesce(c2[0], array())")).alias("y"),
            sorted_texts(expr("filter(c2[3], t -> t is null or t > 'a')")).alias("z"),
            sorted_texts(expr("c2[0]")).alias("w"),
            "c5",
        )

    plan = assert_same(native, query).plan
    assert "RowToNative" not in plan.partition(NATIVE_EVAL)[2]


def test_groups_of_nested_values(native):
    schema = "v int, c0 array<int>, c1 array<boolean>"

    def query(spark) -> DataFrame:
        frame = rows(spark, NESTED).select("v", "c0", "c1")
        return frame.groupBy(expr("v % 10").alias("g")).applyInArrow(same_group, schema)

    assert_same(native, query, "RepriseFlatMapGroupsInArrow")


def test_aggregates_and_windows_of_nested_values(native):
    def query(spark) -> DataFrame:
        frame = spark.table("many_keys").selectExpr("v", "k", "array(v / 2d, null, k) as a")
        return frame.groupBy(expr("v % 10").alias("g")).agg(farthest("a").alias("m"))

    assert_same(native, query, NATIVE_AGGREGATE)

    def over(spark) -> DataFrame:
        frame = spark.table("many_keys").where("v < 300")
        frame = frame.selectExpr("v", "k", "array(v / 2d, null, k) as a")
        window = "over (partition by v % 10 order by v, k rows between 2 preceding and current row)"
        frame.createOrReplaceTempView("arrays")
        spark.udf.register("farthest", farthest)
        return spark.sql(f"select v, k, a, farthest(a) {window} as m from arrays")

    assert_same(native, over, NATIVE_WINDOW)


@pytest.mark.parametrize("bytes_max", [700, 20000])
def test_batches_end_where_sparks_end(native, bytes_max):
    """As bytes of nested values count in Spark's Arrow writer."""
    native.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", str(bytes_max))

    def query(spark) -> DataFrame:
        frame = rows(spark, NESTED)
        return frame.select("v", *(rows_of_batch(f"c{i}") for i in (0, 1, 2, 3, 5)))

    assert_same(native, query)
