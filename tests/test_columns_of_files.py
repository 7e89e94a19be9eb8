"""Columns that Parquet files know by ids or lack: Spark's rows, or its errors to the letter."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answers import FAILURES, exact
from places import SPARK
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

ENABLED = "spark.reprise.sql.enabled"
BY_IDS = "spark.sql.parquet.fieldId.read.enabled"
FORGIVES = "spark.sql.parquet.fieldId.read.ignoreMissing"
VECTORIZED = "spark.sql.parquet.enableVectorizedReader"
SOURCES = "spark.sql.sources.useV1SourceList"
ROWS = 3000


def _field(name: str, kind: pa.DataType, number: int | None = None) -> pa.Field:
    ids = {} if number is None else {"PARQUET:field_id": str(number)}
    return pa.field(name, kind, metadata=ids)


def _column(name: str, kind: object, number: int | None = None) -> dict:
    """A field as the JSON of Spark's types has it."""
    metadata = {} if number is None else {"parquet.field.id": number}
    return {"name": name, "type": kind, "nullable": True, "metadata": metadata}


def _struct(*fields: dict) -> dict:
    return {"type": "struct", "fields": list(fields)}


def _array(element: object) -> dict:
    return {"type": "array", "elementType": element, "containsNull": True}


def _map(value: object) -> dict:
    return {"type": "map", "keyType": "string", "valueType": value, "valueContainsNull": True}


def _table_of(*columns: tuple[pa.Field, list]) -> pa.Table:
    return pa.table([values for _, values in columns], schema=pa.schema(f for f, _ in columns))


def _files() -> dict[str, pa.Table]:
    n = list(range(ROWS))
    r = [None if i % 7 == 0 else ROWS - i for i in n]
    pairs = [None if i % 5 == 0 else {"p": i, "q": -i} for i in n]
    number = pa.int32()

    def pair(p: int | None, q: int | None) -> pa.Field:
        return _field("s", pa.struct([_field("p", number, p), _field("q", number, q)]), p and 3)

    several = pa.list_(_field("element", pa.struct([_field("e", number, 8)])))
    entries = pa.map_(pa.string(), pa.struct([_field("v", number, 10)]))
    a, b = _field("a", number, 2), _field("b", number, 1)
    x, y = _field("x", number, 1), _field("y", number, 2)
    return {
        "ids": _table_of(
            (x, n),
            (y, r),
            (pair(4, 5), pairs),
            (_field("l", several, 7), [[{"e": i}] for i in n]),
            (_field("m", entries, 9), [[("k", {"v": i})] for i in n]),
            (_field("z", number), n),
        ),
        "crossed": _table_of((a, n), (b, r)),
        "crossed_types": _table_of((a, n), (_field("b", pa.string(), 1), [f"v{i}" for i in n])),
        "crossed_fields": _table_of((pair(5, 4), pairs)),
        "plain": _table_of(
            (_field("a", number), n), (_field("b", number), r), (pair(None, None), pairs)
        ),
        "twice": _table_of((x, n), (_field("y", number, 1), r)),
        "twice_nested": _table_of((x, n), (pair(4, 4), pairs)),
    }


FLAT = _struct(_column("a", "integer", 1), _column("b", "integer", 2))
SWAPPED = _struct(_column("y", "integer", 1), _column("x", "integer", 2))
MIXED = _struct(_column("a", "integer", 1), _column("Z", "integer"), _column("gone", "string", 77))
NESTED = _struct(
    _column(
        "t",
        _struct(
            _column("i", "integer", 4), _column("j", "integer", 5), _column("none", "string", 6)
        ),
        3,
    ),
    _column("k", _array(_struct(_column("f", "integer", 8))), 7),
    _column("o", _map(_struct(_column("w", "integer", 10))), 9),
)
LACKING = _struct(_column("t", _struct(_column("none", "integer", 66)), 3))
FIELDS = _struct(_column("s", _struct(_column("p", "integer", 4)), 3))
BY_NAME_WITHIN = _struct(_column("t", _struct(_column("p", "integer")), 3))
TYPES = _struct(_column("a", "string", 1), _column("b", "integer", 2))
SAME = _struct(_column("c", "integer", 1), _column("d", "integer", 1))
NAMED = _struct(_column("x", "integer"), _column("c", "integer", 1))
FLAT_WHERE = ["true", "a > 2990", "a IS NULL", "a < 10 OR b > 2990", "b IS NOT NULL AND a = 5"]
# Folders, what they are read as, and conditions on the rows.
READS = [
    *[("ids", FLAT, where) for where in FLAT_WHERE],
    *[("ids", SWAPPED, where) for where in ("true", "y > 2990", "x > 2990", "y = 17")],
    *[("ids", MIXED, where) for where in ("true", "Z = 17", "gone IS NULL AND a < 3")],
    *[("ids", NESTED, where) for where in ("true", "t.i > 2990", "k[0].f < 5", "t IS NULL")],
    *[("ids", LACKING, where) for where in ("true", "t IS NOT NULL")],
    *[("ids", BY_NAME_WITHIN, where) for where in ("true", "t.p > 2990")],
    *[("ids", SAME, where) for where in ("true", "c > 2990")],
    *[("ids", NAMED, where) for where in ("true", "c > 2990")],
    *[("crossed", FLAT, where) for where in FLAT_WHERE],
    *[("crossed_types", TYPES, where) for where in ("true", "a = 'v5'", "b = 5")],
    *[("crossed_types", FLAT, where) for where in ("true", "a = 5", "b = 5")],
    *[("crossed_fields", FIELDS, where) for where in ("true", "s.p > 2990", "s.p < 10")],
    *[("plain", FLAT, where) for where in FLAT_WHERE],
    *[("plain", FIELDS, where) for where in ("true", "s.p = 3")],
    *[("twice", FLAT, where) for where in ("true", "b = 5")],
    ("twice", SWAPPED, "true"),
    *[("twice_nested", NESTED, where) for where in ("true", "t.i = 3")],
    ("twice_nested", FLAT, "a > 2990"),
    *[("all", FLAT, where) for where in FLAT_WHERE],
    ("all", FIELDS, "s.p < 3"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A folder of folders of a file each, in groups of a thousand rows, and one of several."""
    folder = tmp_path_factory.mktemp("files")
    for name, table in _files().items():
        places = [name, "all"] if name in ("ids", "crossed", "plain") else [name]
        for place in places:
            (folder / place).mkdir(exist_ok=True)
            pq.write_table(
                table,
                folder / place / f"{name}.parquet",
                row_group_size=1000,
                data_page_size=256,
                write_page_index=True,
            )
    return folder


def _chain(error: Exception) -> list[str]:
    """An exception and its causes, without numbers of tasks and names that are made up."""
    thrown = getattr(error, "_origin", None) or error.java_exception
    chain = []
    while thrown is not None:
        message = re.sub(r"_fake_name_[-0-9a-f]+", "_fake_name_", str(thrown.getMessage()))
        message = re.sub(r"\[B@[0-9a-f]+|#\d+", "", message)
        # It has the numbers of stage and task, and where on the stack that failed.
        if "Job aborted" in message:
            message = "Job aborted"
        chain.append(f"{thrown.getClass().getName()}: {message}")
        thrown = thrown.getCause()
    return chain


def _is_native(frame: DataFrame) -> bool:
    return "RepriseParquetScan" in frame._jdf.queryExecution().executedPlan().toString()


def _outcome(spark: SparkSession, path: Path, schema: dict, where: str) -> tuple[list[str], bool]:
    is_native = False
    try:
        frame = spark.read.schema(StructType.fromJson(schema)).parquet(str(path)).where(where)
        is_native = _is_native(frame)
        return [repr(exact(row)) for row in frame.collect()], is_native
    except FAILURES as error:
        return _chain(error), is_native


# Where a scan is Spark's it is so either way.
ROW_BY_ROW = pytest.param("false", "parquet", marks=pytest.mark.thorough)
SECOND_INTERFACE = pytest.param("true", "", marks=pytest.mark.thorough)


@pytest.mark.parametrize("forgives", ["false", "true"], ids=["strict", "forgiving"])
@pytest.mark.parametrize("by_ids", ["true", "false"], ids=["ids", "names"])
@pytest.mark.parametrize(
    ("vectorized", "sources"), [("true", "parquet"), ROW_BY_ROW, SECOND_INTERFACE]
)
def test_columns_by_ids_are_sparks(spark, native, files, vectorized, sources, by_ids, forgives):
    settings = {VECTORIZED: vectorized, SOURCES: sources, BY_IDS: by_ids, FORGIVES: forgives}
    for key, value in settings.items():
        spark.conf.set(key, value)
    differences = []
    for name, schema, where in READS:
        spark.conf.set(ENABLED, "false")
        alone, _ = _outcome(spark, files / name, schema, where)
        spark.conf.set(ENABLED, "true")
        found, is_native = _outcome(spark, files / name, schema, where)
        assert is_native == (vectorized == "true" and (sources == "parquet" or by_ids == "false"))
        if alone != found:
            differences.append((name, where, schema, alone[-3:], found[-3:]))
    assert not differences


def test_errors_of_ids_name_their_file(native, files):
    native.conf.set(BY_IDS, "true")
    twice, _ = _outcome(native, files / "twice", FLAT, "true")
    if SPARK != "3.5":  # which tells of no file
        assert any(f"file://{files}/twice/twice.parquet" in line for line in twice)
    assert any("Found duplicate field(s)" in line and "[x, y]" in line for line in twice), twice
    plain, _ = _outcome(native, files / "plain", FLAT, "true")
    assert any("Spark read schema expects field Ids" in line for line in plain)


# Types, default values, and another value.
ADDED = {
    "boolean": ("BOOLEAN", "true", "false"),
    "byte": ("TINYINT", "7", "-8"),
    "short": ("SMALLINT", "300", "1"),
    "integer": ("INT", "5 + 5", "3"),
    "long": ("BIGINT", "42", "-9223372036854775808"),
    "float": ("FLOAT", "1.1", "float('NaN')"),
    "double": ("DOUBLE", "double('-0.0')", "1e300"),
    "infinite": ("DOUBLE", "double('-Infinity')", "2.5"),
    "short_decimal": ("DECIMAL(9,2)", "1234.5", "-0.01"),
    "decimal": ("DECIMAL(18,4)", "12345678901234.5", "0"),
    "long_decimal": ("DECIMAL(38,10)", "-123.45", "99999999999999999999.5"),
    "text": ("STRING", "concat('Grüße ', 'x')", "''"),
    "char": ("CHAR(6)", "'ab'", "'abc'"),
    "varchar": ("VARCHAR(6)", "'ab '", "'abc'"),
    "date": ("DATE", "DATE '2024-02-29'", "DATE '0001-01-01'"),
    "instant": ("TIMESTAMP", "TIMESTAMP '2024-02-29 12:30:15.123456'", "TIMESTAMP '1900-01-01'"),
    "local": ("TIMESTAMP_NTZ", "TIMESTAMP_NTZ '2024-02-29 12:30:15'", "TIMESTAMP_NTZ '2000-01-01'"),
    "null": ("INT", "NULL", "3"),
}
# What Spark's reader of batches does not fill in, or the core does not.
ADDED_BY_SPARK = {
    "binary": ("BINARY", "X'00ff'", "X'01'"),
    "huge_decimal": ("DECIMAL(38,0)", "99999999999999999999", "1"),
    "interval": ("INTERVAL DAY TO SECOND", "INTERVAL '1 02:03:04' DAY TO SECOND", "NULL"),
    "array": ("ARRAY<INT>", "array(1, 2)", "array(3)"),
    "struct": ("STRUCT<x: INT, y: STRING>", "named_struct('x', 1, 'y', 'z')", "NULL"),
    "map": ("MAP<STRING, INT>", "map('a', 1)", "map('b', 2)"),
}

if SPARK == "3.5":
    # It fails to fill in these, and to add these to a table.
    ADDED_BY_SPARK["long_decimal"] = ADDED.pop("long_decimal")
    del ADDED["char"], ADDED["varchar"]


def _answer(spark: SparkSession, query: str) -> list[str]:
    try:
        return sorted(repr(exact(row)) for row in spark.sql(query).collect())
    except FAILURES as error:
        return _chain(error)


def _compare(spark: SparkSession, queries: list[str]) -> None:
    differences = []
    for query in queries:
        spark.conf.set(ENABLED, "false")
        alone = _answer(spark, query)
        spark.conf.set(ENABLED, "true")
        found = _answer(spark, query)
        if alone != found:
            differences.append((query, alone[:3], found[:3]))
    assert not differences


def _table(spark: SparkSession, path: Path, columns: dict) -> None:
    """Of two files, one without the columns."""
    spark.sql("DROP TABLE IF EXISTS added")
    spark.sql(f"CREATE TABLE added (k INT) USING parquet LOCATION '{path}'")
    spark.sql("INSERT INTO added SELECT /*+ COALESCE(1) */ id FROM range(1000)")
    for name, (kind, value, other) in columns.items():
        spark.sql(f"ALTER TABLE added ADD COLUMNS ({name}_ {kind} DEFAULT {value})")
        spark.sql(f"INSERT INTO added (k, {name}_) VALUES (-1, {other}), (-2, NULL)")


@pytest.mark.parametrize("name", ADDED | ADDED_BY_SPARK)
def test_added_columns_have_their_defaults(native, tmp_path, name):
    kind, value, other = (ADDED | ADDED_BY_SPARK)[name]
    _table(native, tmp_path / "added", {name: (kind, value, other)})
    frame = native.sql("SELECT * FROM added")
    assert _is_native(frame) == (name in ADDED)
    column = f"{name}_"
    wheres = [f"{column} IS NULL", f"{column} IS NOT NULL AND k < 5"]
    if name != "map":
        wheres += [f"{column} {how} {what}" for how in "=<>" for what in (value, other)]
    queries = [f"SELECT k, {column} FROM added WHERE {where}" for where in wheres]
    queries += ["SELECT * FROM added", "SELECT count(*) FROM added"]
    if name != "map":
        queries.append(f"SELECT {column}, count(*) FROM added GROUP BY {column}")
    _compare(native, queries)


# Row by row Spark 3.5 analyses the text of each default value anew for every row: minutes.
@pytest.mark.parametrize("vectorized", ["true"] if SPARK == "3.5" else ["true", "false"])
def test_many_added_columns_at_once(native, tmp_path, vectorized):
    native.conf.set(VECTORIZED, vectorized)
    _table(native, tmp_path / "added", ADDED)
    everything = ", ".join(f"count({name}_), max({name}_)" for name in ADDED)
    queries = [f"SELECT {everything} FROM added", "SELECT * FROM added WHERE k < 3"]
    assert _is_native(native.sql(queries[1])) == (vectorized == "true")
    _compare(native, queries)
    native.conf.set("spark.sql.session.timeZone", "America/Los_Angeles")
    _compare(native, queries)


def test_added_columns_of_partitions_joins_and_ids(native, tmp_path):
    native.sql("DROP TABLE IF EXISTS added")
    native.sql(
        "CREATE TABLE added (k INT, p INT) USING parquet PARTITIONED BY (p) "
        f"LOCATION '{tmp_path}/added'"
    )
    native.sql("INSERT INTO added SELECT id, id % 3 FROM range(1000)")
    native.sql("ALTER TABLE added ADD COLUMNS (d INT DEFAULT 7, s STRING DEFAULT 'seven')")
    native.sql("INSERT INTO added (k, d, s, p) VALUES (1, 1, 'one', 4), (2, NULL, NULL, 4)")
    _compare(
        native,
        [
            "SELECT p, d, s, count(*), sum(k) FROM added GROUP BY p, d, s",
            "SELECT d FROM added WHERE p = 4",
            "SELECT count(*) FROM added a JOIN added b ON a.d = b.d AND a.k = b.k",
            "SELECT s, _metadata.file_name IS NULL FROM added WHERE d = 7 AND p = 1 AND k < 9",
            "SELECT k, d FROM added WHERE d > 7 OR s > 'two'",
        ],
    )
    # By ids, of which the file has none of the column's.
    schema = _struct(_column("k", "integer"), _column("e", "integer", 5))
    schema["fields"][1]["metadata"]["EXISTS_DEFAULT"] = "6"
    native.conf.set(BY_IDS, "true")
    native.conf.set(FORGIVES, "true")
    for where in ("true", "e = 6", "e IS NULL", "e > 6"):
        found, is_native = _outcome(native, tmp_path / "added", schema, where)
        native.conf.set(ENABLED, "false")
        alone, _ = _outcome(native, tmp_path / "added", schema, where)
        native.conf.set(ENABLED, "true")
        assert is_native
        assert found == alone


@pytest.mark.parametrize("text", ["no value", "CAST('x' AS INT)", "'text'", "1L"])
def test_default_values_that_are_none_fail_as_with_spark(native, files, text):
    schema = _struct(_column("a", "integer"), _column("c", "integer"))
    schema["fields"][1]["metadata"]["EXISTS_DEFAULT"] = text
    found, _ = _outcome(native, files / "plain", schema, "a < 5")
    native.conf.set(ENABLED, "false")
    alone, _ = _outcome(native, files / "plain", schema, "a < 5")
    assert found == alone
