"""Files that are damaged, lie or are not what is asked for: Spark's rows or error, with causes."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from answers import FAILURES, exact
from pyspark.sql import SparkSession

ENABLED = "spark.reprise.sql.enabled"
SOURCES = "spark.sql.sources.useV1SourceList"
ROWS = 1000
NULLS = 37  # of column n

DAMAGED = ["cut", "text", "short", "header", "footer", "magic"]
FORGIVING = {"spark.sql.files.ignoreCorruptFiles": "TRUE"}
BY_CASE = {"spark.sql.caseSensitive": "TRUE"}
# What a struct, a list and a map are and are not.
NESTED = [
    "g STRUCT<y: INT, X: BIGINT>",
    "g STRUCT<x: STRING>",
    "g STRUCT<x: STRUCT<z: INT>>",
    "g STRUCT<x: ARRAY<INT>>",
    "g ARRAY<BIGINT>",
    "g MAP<STRING, BIGINT>",
    "l ARRAY<STRUCT<a: INT>>",
    "l ARRAY<STRING>",
    "l STRUCT<a: INT>",
    "l STRUCT<list: INT>",
    "l MAP<INT, INT>",
    "m ARRAY<INT>",
    "m STRUCT<key: STRING>",
    "m MAP<INT, INT>",
    "m MAP<STRING, ARRAY<INT>>",
]
NESTED_DAMAGED = ["nested_cut", "nested_header", "nested_footer"]
# Folders, what they are read as, and conditions on the rows.
READS = [
    *[(name, "i INT, s STRING", "true") for name in DAMAGED],
    ("plain", "i STRING", "true"),
    ("plain", "s DECIMAL(5,2)", "true"),
    ("plain", "i INT, n BOOLEAN", "i > 5"),
    ("nested", "g INT", "true"),
    ("nested", "l BIGINT", "l > 5"),
    ("nested", "m STRING", "true"),
    *[("nested", schema, "true") for schema in NESTED],
    *[(name, "g STRUCT<x: BIGINT>, l ARRAY<BIGINT>", "true") for name in NESTED_DAMAGED],
    ("by_case", "ab BIGINT", "true"),
    ("by_case", "s STRUCT<ab: BIGINT>", "true"),
    *[("lies", "n INT, s STRING", f"n {where}") for where in ("IS NULL", "IS NOT NULL", "> 30")],
    ("lies", "n INT, s STRING", "true"),
]
READS_FORGIVING = [(name, "i INT, s STRING", "true") for name in DAMAGED]
READS_BY_CASE = [
    ("by_case", "aB BIGINT", "aB > 5"),
    ("by_case", "s STRUCT<Ab: BIGINT, ab: INT, aB: BIGINT>", "s.aB > 5"),
    ("same", "a BIGINT", "true"),
    ("same", "a BIGINT", "a > -5"),
    ("same", "a BIGINT", "a > 5"),
]


def _damaged(plain: bytes) -> dict[str, bytes]:
    """What becomes of a sound file."""
    length = int.from_bytes(plain[-8:-4], "little")
    before = plain[: -8 - length]
    footer = plain[-8 - length :]
    count = bytes([0x16, 2 * NULLS])  # of Statistics: the field null_count and its value
    assert footer.count(count) == 1
    return {
        "plain": plain,
        "cut": plain[: len(plain) // 2],
        "text": b"this is no Parquet at all\n" * 10,
        "short": b"PAR",
        "header": plain[:4] + b"\xff" * 36 + plain[40:],
        "footer": before + b"\x99" * length + plain[-8:],
        "magic": plain[:-4] + b"PARX",
        "lies": before + footer.replace(count, bytes([0x16, 0])),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A folder of folders of one file each."""
    folder = tmp_path_factory.mktemp("files")
    numbers = list(range(ROWS))
    plain = pa.table(
        {
            "i": pa.array(numbers, pa.int32()),
            "s": [f"v{i}" for i in numbers],
            "n": pa.array([None if i < NULLS else i for i in numbers], pa.int32()),
        }
    )
    pq.write_table(plain, folder / "plain.parquet", compression="none", use_dictionary=False)
    for name, data in _damaged((folder / "plain.parquet").read_bytes()).items():
        (folder / name).mkdir()
        (folder / name / "a.parquet").write_bytes(data)
    tables = {
        "nested": pa.table(
            {
                "g": [{"x": i} for i in numbers],
                "l": [[i] for i in numbers],
                "m": pa.array([[(str(i), i)] for i in numbers], pa.map_(pa.string(), pa.int32())),
            }
        ),
        "by_case": pa.table(
            {"aB": numbers, "Ab": numbers, "s": [{"aB": i, "Ab": -i} for i in numbers]}
        ),
        "same": pa.table([pa.array(numbers), pa.array([-i for i in numbers])], names=["a", "a"]),
    }
    for name, table in tables.items():
        (folder / name).mkdir()
        pq.write_table(table, folder / name / "a.parquet")
    nested = (folder / "nested" / "a.parquet").read_bytes()
    damaged = {
        "cut": nested[: len(nested) // 2],
        "header": nested[:4] + b"\xff" * 36 + nested[40:],
        "footer": nested[:-60] + b"\x99" * 52 + nested[-8:],
    }
    for name, data in damaged.items():
        (folder / f"nested_{name}").mkdir()
        (folder / f"nested_{name}" / "a.parquet").write_bytes(data)
    return folder


def _chain(error: Exception) -> list[str]:
    """An exception and its causes: class and first line, without numbers of tasks."""
    thrown = getattr(error, "_origin", None) or error.java_exception
    chain = []
    while thrown is not None:
        message = str(thrown.getMessage()).split("\n")[0]
        chain.append(f"{thrown.getClass().getName()}: {message}")
        thrown = thrown.getCause()
    return chain


def _outcome(spark: SparkSession, path: Path, schema: str, where: str) -> list[str]:
    try:
        rows = spark.read.schema(schema).parquet(str(path)).where(where).collect()
    except FAILURES as error:
        return _chain(error)
    return [repr(exact(row)) for row in rows]


@pytest.mark.parametrize("sources", ["parquet", ""], ids=["v1", "v2"])
@pytest.mark.parametrize(
    ("setting", "reads"),
    [({}, READS), (FORGIVING, READS_FORGIVING), (BY_CASE, READS_BY_CASE)],
    ids=["as_is", "forgiving", "by_case"],
)
def test_outcomes_are_sparks(spark, with_plugin, files, sources, setting, reads):
    conf = {SOURCES: sources} | setting
    before = {key: spark.conf.get(key) for key in conf}
    try:
        for key, value in conf.items():
            spark.conf.set(key, value)
        differences = []
        for name, schema, where in reads:
            alone = _outcome(spark, files / name, schema, where)
            if not with_plugin:
                continue
            spark.conf.set(ENABLED, "true")
            native = _outcome(spark, files / name, schema, where)
            spark.conf.set(ENABLED, "false")
            if alone != native:
                differences.append((name, schema, where, alone[-4:], native[-4:]))
        assert not differences
    finally:
        for key, value in before.items():
            spark.conf.set(key, value)
        if with_plugin:
            spark.conf.set(ENABLED, "false")
