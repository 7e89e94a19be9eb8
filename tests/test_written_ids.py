"""Field ids in Parquet files that the core writes: as in Spark's own."""

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import (
    ArrayType,
    DataType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
)
from test_writes import both, by_reprise, data_files, write


def rows_with_ids(spark: SparkSession, least: int = 0) -> DataFrame:
    """Columns, and fields within them, of which some have ids."""

    def field(name: str, kind: DataType, number: int | None = None) -> StructField:
        ids = {} if number is None else {"parquet.field.id": number + least}
        return StructField(name, kind, True, ids)

    parts = StructType([field("z", StringType(), 9), field("none", StringType())])
    inner = StructType([field("x", LongType(), 0), field("y", ArrayType(parts), 8)])
    values = MapType(StringType(), StructType([field("v", LongType(), 3)]))
    schema = StructType([field("s", inner, 1 - least), field("m", values)])
    rows = [((i, [("z", None), None]), {"k": (i,)}) for i in range(20)]
    return spark.createDataFrame(rows, schema)


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_fields_have_their_ids(native, tmp_path, enabled):
    native.conf.set("spark.sql.parquet.fieldId.write.enabled", enabled)
    native.conf.set("spark.sql.parquet.fieldId.read.ignoreMissing", "true")
    ours, theirs = both(native, lambda: rows_with_ids(native), tmp_path)
    schemas = [str(pq.ParquetFile(data_files(folder)[0]).schema) for folder in (ours, theirs)]
    assert schemas[0].split("\n", 1)[1] == schemas[1].split("\n", 1)[1]
    assert ("field_id=8" in schemas[0]) == (enabled == "true")
    found = [sorted(map(str, native.read.parquet(str(one)).collect())) for one in (ours, theirs)]
    assert found[0] == found[1]


def test_ids_below_zero_are_sparks(native, tmp_path):
    """Of fields, and of a column."""
    write(native, rows_with_ids(native, least=-50), tmp_path / "fields", natively=False)
    schema = StructType([StructField("x", LongType(), True, {"parquet.field.id": -5})])
    native.createDataFrame([(1,)], schema).write.parquet(str(tmp_path / "column"))
    assert not any(by_reprise(path) for path in data_files(tmp_path / "column"))
