"""Nested Parquet files of other writers: every form of list and map, read as Spark reads it."""

from pathlib import Path

import pytest
from answers import exact
from pyspark.sql import SparkSession

ENABLED = "spark.reprise.sql.enabled"
LIST = "optional group l (LIST) {{ {} }}"
MAP = "optional group l ({}) {{ repeated group {} {{ required int32 k; {} int32 v; }} }}"
INTS = [[1, 2], None, [], [3]]
# Schemas in Parquet's language, and what of the column is repeated; None: itself.
FORMS = {
    "three_levels": (LIST.format("repeated group list { optional int32 element; }"), "list"),
    "hive": (LIST.format("repeated group bag { optional int32 array_element; }"), "bag"),
    "two_levels": (LIST.format("repeated int32 element;"), "element"),
    "array_group": (LIST.format("repeated group array { optional int32 a; }"), "array"),
    "tuple_group": (LIST.format("repeated group l_tuple { optional int32 a; }"), "l_tuple"),
    "pairs": (LIST.format("repeated group e { optional int32 a; optional int32 b; }"), "e"),
    "required": ("required group l (LIST) { repeated group list { required int32 e; } }", "list"),
    "repeated": ("repeated int32 l;", None),
    "repeated_group": ("repeated group l { optional int32 a; }", None),
    "map": (MAP.format("MAP", "key_value", "optional"), "key_value"),
    "key_value": (MAP.format("MAP_KEY_VALUE", "map", "required"), "map"),
    "list_in_repeated": (
        "repeated group l { optional group x (LIST) { repeated int32 element; } }",
        None,
    ),
    "struct_of_repeated": ("optional group l { repeated int32 r; optional int32 o; }", None),
}


def _fill(group, rows_field: str, values) -> None:
    """Adds elements to the repeated field of a group, each with the number in all that it holds."""
    for value in values:
        if group.getType().getType(rows_field).isPrimitive():
            group.add(rows_field, value)
            continue
        element = group.addGroup(rows_field)
        for i in range(element.getType().getFieldCount()):
            kind = element.getType().getType(i)
            if kind.isPrimitive() and (value % 2 or kind.getRepetition().name() == "REQUIRED"):
                element.add(i, value + i)
            elif not kind.isPrimitive():
                _fill(element.addGroup(i), kind.asGroupType().getFieldName(0), [value] * value)


def _write(spark: SparkSession, path: Path, schema: str, repeated: str | None, pages: int) -> None:
    """Twenty rows of lists of INTS in turn, by parquet-java's own writer of groups."""
    java = spark._jvm
    parsed = java.org.apache.parquet.schema.MessageTypeParser.parseMessageType(
        "message m { required int32 id; " + schema + " }"
    )
    groups = java.org.apache.parquet.example.data.simple.SimpleGroupFactory(parsed)
    writer = (
        java.org.apache.parquet.hadoop.example.ExampleParquetWriter.builder(
            java.org.apache.hadoop.fs.Path(str(path))
        )
        .withType(parsed)
        .withPageSize(pages)
        .withPageRowCountLimit(3)
        .withDictionaryEncoding(pages > 100)
        .build()
    )
    for row in range(20):
        group = groups.newGroup()
        group.add("id", row)
        values = INTS[row % 4]
        field = parsed.getType("l")
        if field.getRepetition().name() == "REPEATED":
            _fill(group, "l", values or [])
        elif values is not None or field.getRepetition().name() == "REQUIRED":
            inner = group.addGroup("l")
            _fill(inner, repeated or field.asGroupType().getFieldName(0), values or [])
        writer.write(group)
    writer.close()


def _rows(spark: SparkSession, path: Path) -> list[str]:
    frame = spark.read.parquet(str(path))
    plan = frame._jdf.queryExecution().executedPlan().toString()
    assert ("RepriseParquetScan" in plan) == (spark.conf.get(ENABLED) == "true")
    return [frame.schema.simpleString(), *(repr(exact(row)) for row in frame.collect())]


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_lists_and_maps_are_read_as_spark_reads_them(spark, with_plugin, tmp_path, form):
    _write(spark, tmp_path / "small.parquet", *FORMS[form], pages=64)
    _write(spark, tmp_path / "large.parquet", *FORMS[form], pages=1 << 20)
    alone = _rows(spark, tmp_path)
    assert len(alone) == 41
    if not with_plugin:
        return
    spark.conf.set(ENABLED, "true")
    try:
        assert _rows(spark, tmp_path) == alone
    finally:
        spark.conf.set(ENABLED, "false")
