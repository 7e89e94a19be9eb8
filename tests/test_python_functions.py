"""Functions of Python's over Arrow: their workers take the core's batches and give theirs back."""

import sys
from collections.abc import Iterator

import pandas as pd
import pyarrow as pa
import pytest
import spark_replays
from answers import FAILURES, failure_of
from operators import lore_id, plan_text
from pyspark import cloudpickle
from pyspark.sql import DataFrame, functions
from pyspark.sql.functions import col, expr, pandas_udf, udf
from pyspark.sql.types import DoubleType, IntegerType, LongType, StringType
from python_functions import (
    ENABLED,
    HAS_ARROW_UDF,
    NATIVE_AGGREGATE,
    NATIVE_EVAL,
    TYPES,
    assert_same,
    v,
)

# Workers cannot import this module.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

SPARKS_EVAL = "- ArrowEvalPython"


@pandas_udf(DoubleType())
def scaled(x: pd.Series, by: pd.Series) -> pd.Series:
    return x * 2.5 + by


@pandas_udf(StringType())
def shouted(text: pd.Series) -> pd.Series:
    return text.str.upper() + "!"


@pandas_udf(LongType())
def rows_of_batch(x: pd.Series) -> pd.Series:
    return pd.Series([len(x)] * len(x))


def over_pandas(x: pd.Series) -> pd.Series:
    return x + 1


def over_arrow(x: pa.Array) -> pa.Array:
    return pa.compute.add(x, 1)


plus_one = (
    functions.arrow_udf(over_arrow, LongType())
    if HAS_ARROW_UDF
    else pandas_udf(over_pandas, LongType())
)


@udf(StringType(), useArrow=True)
def described(k: int | None, s: str | None) -> str:
    return f"{k}/{s}"


@pandas_udf(IntegerType())
def fails_at_seven(x: pd.Series) -> pd.Series:
    if (x == 7).any():
        raise ValueError("seven")
    return x


@pandas_udf(LongType())
def over_batches(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    for batch in batches:
        yield batch + 1


@pandas_udf(LongType())
def all_first(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    yield pd.concat(list(batches)) + 1


@pandas_udf(LongType())
def in_twos(batches: Iterator[tuple[pd.Series, pd.Series]]) -> Iterator[pd.Series]:
    for x, by in batches:
        for begin in range(0, len(x), 2):
            yield x[begin : begin + 2] * 2 + by[begin : begin + 2]


@pandas_udf(LongType())
def forgets_one(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    for batch in batches:
        yield batch[1:]


def over_arrow_batches(batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
    for batch in batches:
        yield pa.compute.add(batch, 1)


@pandas_udf(DoubleType())
def middle(x: pd.Series) -> float:
    return float(x.median())


@pandas_udf(LongType())
def spread(x: pd.Series, by: pd.Series) -> int:
    return int((x * by).max() - x.min())


def rows_of_arrow(x: pa.Array) -> int:
    return len(x)


def same_series(column: pd.Series) -> pd.Series:
    return column


def same(name: str):
    if HAS_ARROW_UDF:
        return functions.arrow_udf(lambda column: column, name)
    return pandas_udf(same_series, name)


def test_values_of_every_type_go_and_come_back(native):
    def query(spark) -> DataFrame:
        wide = spark.table("many_keys").selectExpr(
            "v", *(f"if(v % 5 = 0, null, {text}) as c{i}" for i, text in enumerate(TYPES.values()))
        )
        return wide.where("v < 500").select(
            "v", *(same(name)(col(f"c{i}")).alias(f"r{i}") for i, name in enumerate(TYPES))
        )

    plan = assert_same(native, query).plan
    assert SPARKS_EVAL not in plan


def test_results_are_used_and_arguments_are_computed_natively(native):
    def query(spark) -> DataFrame:
        frame = spark.table("lineitem").where("l_orderkey < 2000")
        frame = frame.select(
            "l_orderkey",
            "l_comment",
            scaled(col("l_quantity").cast("double"), by=col("l_linenumber") + 1).alias("t"),
            shouted("l_shipmode").alias("u"),
        )
        return frame.where("t > 10").groupBy("u").agg(expr("sum(length(l_comment))"))

    plan = assert_same(native, query).plan
    assert "RepriseParquetScan" in plan.partition(NATIVE_EVAL)[2]
    assert "RowToNative" not in plan


def test_batches_end_where_sparks_end(native):
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "100")

    def query(spark) -> DataFrame:
        frame = spark.range(0, 1050, 1, 3).where("id % 3 < 2")
        return frame.select("id", rows_of_batch(col("id") * 2).alias("n"))

    assert_same(native, query)
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
    native.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", "1000")
    assert_same(native, query)


def test_functions_over_arrow_chained_ones_and_arrow_optimised_ones(native):
    def query(spark) -> DataFrame:
        frame = spark.table("many_keys").where("v < 300")
        return frame.select(
            "s",
            plus_one(plus_one(v())).alias("a"),
            described("k", "s").alias("b"),
            plus_one(expr("bit_count(v)").cast("long")).alias("c"),
        )

    assert_same(native, query)


ITERATORS = {
    "batch by batch": lambda: over_batches(v()),
    "all first": lambda: all_first(v()),
    "in other pieces": lambda: in_twos(v(), col("k")),
    "twice": lambda: over_batches(v()) + all_first(col("k")),
}
if HAS_ARROW_UDF:
    ITERATORS["over Arrow"] = lambda: functions.arrow_udf(over_arrow_batches, LongType())(v())


@pytest.mark.parametrize("deny", [0, 3])
@pytest.mark.parametrize("kind", ITERATORS)
def test_functions_over_an_iterator_of_batches(native, kind, deny):
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    native.conf.set("spark.reprise.memory.denyEvery", str(deny))

    def query(spark) -> DataFrame:
        frame = spark.table("many_keys").where("v < 2500")
        return frame.selectExpr("s", "v", "cast(k as long) k").select("s", ITERATORS[kind]())

    assert_same(native, query)


def test_a_function_over_an_iterator_that_loses_rows_is_an_error(native):
    def told(enabled: str):
        native.conf.set(ENABLED, enabled)
        frame = native.range(0, 10, 1, 1).select(forgets_one(col("id")).alias("x"))
        with pytest.raises(FAILURES, match="RESULT_ROWS_MISMATCH") as caught:
            frame.where("x > -1").collect()
        return failure_of(caught.value).error

    assert told("true") == told("false")


def test_rows_that_a_function_does_not_see_stand_beside_its_results(native):
    def query(spark) -> DataFrame:
        frame = spark.table("many_keys").where("v < 300").selectExpr("v", "array(k, v) as a")
        return frame.select("a", plus_one(v()).alias("w"))

    assert_same(native, query)


def test_an_empty_input(native):
    def query(spark) -> DataFrame:
        return spark.table("many_keys").where("v < 0 and k < v").select(plus_one(v()))

    assert_same(native, query)


def test_what_a_function_throws_is_told_as_by_spark(native):
    def told(enabled: str):
        native.conf.set(ENABLED, enabled)
        frame = native.range(0, 10, 1, 1).select(fails_at_seven(col("id").cast("int")).alias("x"))
        with pytest.raises(FAILURES, match="ValueError: seven") as caught:
            frame.where("x > -1").collect()
        return failure_of(caught.value).error

    assert told("true") == told("false")


def test_an_error_in_an_argument_is_sparks(native):
    def told(enabled: str):
        native.conf.set(ENABLED, enabled)
        frame = native.range(0, 10, 1, 1).select(plus_one(expr("10 div (id - 7)")).alias("x"))
        with pytest.raises(FAILURES) as caught:
            frame.collect()
        return failure_of(caught.value).error

    assert told("true") == told("false") == "DIVIDE_BY_ZERO"


def test_a_limit_ends_the_worker(native):
    frame = native.range(0, 1000000, 1, 2).select(plus_one(col("id")).alias("x")).where("x > 5")
    assert len(frame.take(3)) == 3
    assert NATIVE_EVAL in plan_text(frame)


def doubled(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    for batch in batches:
        yield pd.DataFrame({"k": batch["k"] * 2, "n": len(batch)})


def with_every_second(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield batch.take(pa.array(range(0, batch.num_rows, 2))).select(["s", "v"])


@pytest.mark.parametrize(
    ("native_name", "mapped"),
    [
        ("RepriseMapInPandas", lambda frame: frame.mapInPandas(doubled, "k bigint, n bigint")),
        ("RepriseMapInArrow", lambda frame: frame.mapInArrow(with_every_second, "s string, v int")),
    ],
)
def test_maps_over_batches(native, native_name, mapped):
    def query(spark) -> DataFrame:
        frame = mapped(spark.table("many_keys").where("v < 700").selectExpr("k", "v", "s"))
        return frame.where(f"{frame.columns[0]} is not null").repartition(2)

    plan = assert_same(native, query, native_name).plan
    assert "RowToNative" not in plan


def summed(group: pd.DataFrame) -> pd.DataFrame:
    first = str(group["s"].iloc[0])
    return pd.DataFrame({"c": [sum(map(ord, first))], "n": [len(group)], "t": [group["v"].sum()]})


def with_key(key: tuple, group: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"d": [key[0]], "k": [key[1]], "n": [len(group)]})


def counted(table: pa.Table) -> pa.Table:
    rows = table.slice(0, 1).select(["s"])
    return rows.append_column("n", pa.array([table.num_rows], pa.int64()))


GROUPED = {
    "pandas": (
        "RepriseFlatMapGroupsInPandas",
        lambda rows: rows.groupBy("s").applyInPandas(summed, "c bigint, n bigint, t bigint"),
    ),
    "keys that are computed": (
        "RepriseFlatMapGroupsInPandas",
        lambda rows: rows.groupBy(
            expr("if(v % 5 = 0, cast('NaN' as double), v % 3 * 0d)"), "k"
        ).applyInPandas(with_key, "d double, k bigint, n bigint"),
    ),
    "arrow": (
        "RepriseFlatMapGroupsInArrow",
        lambda rows: rows.groupBy("s").applyInArrow(counted, "s string, n bigint"),
    ),
    "all rows as one group": (
        "RepriseFlatMapGroupsInPandas",
        lambda rows: rows.groupBy().applyInPandas(summed, "c bigint, n bigint, t bigint"),
    ),
}


@pytest.mark.parametrize("kind", GROUPED)
@pytest.mark.parametrize("batch", [10000, 3])
def test_groups(native, kind, batch):
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))
    native_name, grouped = GROUPED[kind]

    def query(spark) -> DataFrame:
        rows = spark.table("many_keys").where("k < 150 or k is null").select("k", "v", "s")
        return grouped(rows).where("n > 0")

    plan = assert_same(native, query, native_name).plan
    assert "RowToNative" not in plan


def test_no_groups(native):
    def query(spark) -> DataFrame:
        rows = spark.table("many_keys").where("k < v and k > v").select("k", "v", "s")
        return rows.groupBy("s").applyInPandas(summed, "c bigint, n bigint, t bigint")

    assert_same(native, query, "RepriseFlatMapGroupsInPandas")


AGGREGATES = {
    "by columns": lambda rows: rows.groupBy("s").agg(
        (middle(v()) + 1).alias("m"), spread(v(), by=col("k") % 7).alias("d")
    ),
    "by what is computed": lambda rows: rows.groupBy(expr("v % 3 * 0d"), "k").agg(
        middle(v()), expr("1 as one")
    ),
    "of all rows": lambda rows: rows.agg(middle(v()), spread(v(), by=v())),
    "of no rows": lambda rows: rows.where("k < 0").agg(middle(v())),
    "of keys of other types": lambda rows: (
        rows.selectExpr("array(s) as a", "v").groupBy("a").agg(middle(v()))
    ),
}


if HAS_ARROW_UDF:
    AGGREGATES["over arrow"] = lambda rows: rows.groupBy("s").agg(
        functions.arrow_udf(rows_of_arrow, LongType())(v()).alias("n")
    )


@pytest.mark.parametrize("kind", AGGREGATES)
@pytest.mark.parametrize("batch", [10000, 3])
def test_aggregates(native, kind, batch):
    native.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))

    def query(spark) -> DataFrame:
        rows = spark.table("many_keys").where("k < 150").select("k", "v", "s")
        return AGGREGATES[kind](rows)

    plan = assert_same(native, query, NATIVE_AGGREGATE).plan
    # Arrays are not sorted natively.
    assert ("RowToNative" in plan) == (kind == "of keys of other types")


def test_columns_of_other_types_than_declared_are_an_error(native):
    def told(enabled: str):
        native.conf.set(ENABLED, enabled)
        frame = native.table("many_keys").where("v < 70").selectExpr("k", "v", "s")
        with pytest.raises(FAILURES) as caught:
            frame.mapInArrow(with_every_second, "s string, v string").where("v > '3'").collect()
        return failure_of(caught.value).error

    assert told("true") == told("false")


def test_what_is_not_native_says_why(native):
    native.conf.set("spark.sql.execution.pythonUDF.arrow.concurrency.level", "2")
    frame = native.range(300).selectExpr("id as v").select(over_batches(v()).alias("w"))
    text = native._jvm.reprise.Explain.explain(frame._jdf, "ALL")
    assert "concurrency.level is not supported natively" in text
    assert sorted(row.w for row in frame.collect())[:3] == [1, 2, 3]


def test_its_dump_is_of_sparks_own_operator(native, tmp_path):
    frame = native.table("many_keys").where("v < 300")
    frame = frame.select(plus_one(v()).alias("w")).where("w > 2")
    number = lore_id(frame, NATIVE_EVAL)
    before = frame.count()
    native.conf.set("spark.reprise.lore.idsToDump", f"{number}[*]")
    native.conf.set("spark.reprise.lore.dumpPath", str(tmp_path / "dump"))
    again = native.table("many_keys").where("v < 300")
    again = again.select(plus_one(v()).alias("w")).where("w > 2")
    assert len(again.collect()) == before
    assert SPARKS_EVAL in plan_text(again)
    native.conf.set(ENABLED, "false")
    folder = tmp_path / "dump" / f"loreId-{number}"
    assert spark_replays.difference(spark_replays.on_spark(native, folder)) == ""
