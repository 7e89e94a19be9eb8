"""The test tables: `TABLES` lists them, `write_all(folder)` writes each under its name."""

import decimal
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from data import nested, values

SEED = 20240229
DECIMALS = [(5, 2), (9, 0), (9, 9), (18, 4), (19, 0), (20, 6), (38, 0), (38, 18)]


def draw(source: random.Random, pool: list, rows: int, nulls: float = 0.15) -> list:
    """`rows` values: each of the pool at least once where there is room, some nulls, shuffled."""
    drawn = [pool[i % len(pool)] if i < len(pool) else source.choice(pool) for i in range(rows)]
    drawn = [None if source.random() < nulls else value for value in drawn]
    source.shuffle(drawn)
    return drawn


def every_type_columns(source: random.Random, rows: int) -> dict[str, pa.Array]:
    """One column for each type that Parquet and Spark share; `id` numbers the rows, never null."""
    columns = {"id": pa.array(range(rows), pa.int64())}
    for bits, kind in values.INTEGERS.items():
        columns[f"i{bits}"] = pa.array(draw(source, values.integers(bits), rows), kind)
    columns["f32"] = pa.array(draw(source, values.FLOATS, rows), pa.float32())
    columns["f64"] = pa.array(draw(source, values.DOUBLES, rows), pa.float64())
    columns["b"] = pa.array(draw(source, [True, False], rows), pa.bool_())
    for precision, scale in DECIMALS:
        pool = values.decimals(precision, scale)
        kind = pa.decimal128(precision, scale)
        columns[f"d{precision}_{scale}"] = pa.array(draw(source, pool, rows), kind)
    columns["s"] = pa.array(draw(source, values.STRINGS, rows), pa.string())
    columns["bin"] = pa.array(
        draw(source, [text.encode() for text in values.STRINGS] + [b"\xff\x00"], rows), pa.binary()
    )
    columns["dt"] = pa.array(draw(source, values.DATES, rows), pa.date32())
    columns["ts"] = pa.array(draw(source, values.INSTANTS, rows), pa.timestamp("us", tz="UTC"))
    columns["tsn"] = pa.array(draw(source, values.INSTANTS, rows), pa.timestamp("us"))
    columns["nothing"] = pa.array([None] * rows, pa.int32())
    return columns


def every_type(folder: Path, source: random.Random) -> None:
    """Three files: several small row groups; one row group without dictionaries; no row at all."""
    first = pa.table(every_type_columns(source, 400))
    second = pa.table(every_type_columns(source, 150))
    pq.write_table(first, folder / "a.parquet", row_group_size=64)
    pq.write_table(second, folder / "b.parquet", use_dictionary=False, compression="zstd")
    pq.write_table(first.slice(0, 0), folder / "c.parquet")


def small(folder: Path, source: random.Random) -> None:
    """Numbers so small that no arithmetic of the tests overflows: an error in ANSI mode."""
    rows = 300
    pool = list(range(-50, 51))
    with_zero = {
        "k": pa.array(draw(source, ["red", "green", "blue", ""], rows), pa.string()),
        "g": pa.array(draw(source, [1, 2, 3, 4, 5], rows), pa.int32()),
        "i8": pa.array(draw(source, pool, rows), pa.int8()),
        "i16": pa.array(draw(source, pool, rows), pa.int16()),
        "i32": pa.array(draw(source, pool, rows), pa.int32()),
        "i64": pa.array(draw(source, pool, rows), pa.int64()),
        "n": pa.array(range(1, rows + 1), pa.int32()),
        "f32": pa.array(draw(source, [x / 4 for x in pool], rows), pa.float32()),
        "f64": pa.array(draw(source, [x / 10 for x in pool], rows), pa.float64()),
        "d5_2": pa.array(draw(source, values.decimals(3, 2), rows), pa.decimal128(5, 2)),
        "d15_2": pa.array(draw(source, values.decimals(7, 2), rows), pa.decimal128(15, 2)),
        "d18_4": pa.array(draw(source, values.decimals(8, 4), rows), pa.decimal128(18, 4)),
        "d30_10": pa.array(draw(source, values.decimals(16, 10), rows), pa.decimal128(30, 10)),
        "b": pa.array(draw(source, [True, False], rows), pa.bool_()),
        "dt": pa.array(draw(source, values.DATES, rows), pa.date32()),
    }
    pq.write_table(pa.table(with_zero), folder / "a.parquet", row_group_size=100)


def no_rows(folder: Path, source: random.Random) -> None:
    """One file with every type and no row."""
    pq.write_table(pa.table(every_type_columns(source, 0)), folder / "a.parquet")


def many_keys(folder: Path, source: random.Random) -> None:
    """40,000 rows in four files, about 15,000 distinct keys, a few of them frequent."""
    for part in range(4):
        keys = [min(source.randrange(20000), source.randrange(40000)) for _ in range(10000)]
        table = pa.table(
            {
                "k": pa.array([None if key % 997 == 0 else key for key in keys], pa.int64()),
                "s": pa.array([None if key % 991 == 0 else f"key {key % 5003}" for key in keys]),
                "v": pa.array([source.randrange(-1000, 1000) for _ in keys], pa.int32()),
                "m": pa.array(
                    [decimal.Decimal(source.randrange(10**6)).scaleb(-2) for _ in keys],
                    pa.decimal128(15, 2),
                ),
            }
        )
        pq.write_table(table, folder / f"part-{part}.parquet", row_group_size=3000)


def partitioned(folder: Path, source: random.Random) -> None:
    """Hive folders `year=…/region=…`, nulls among them; those columns are not in the files."""
    for year in ("1999", "2000", "__HIVE_DEFAULT_PARTITION__"):
        for region in ("north", "South sea", "__HIVE_DEFAULT_PARTITION__"):
            place = folder / f"year={year}" / f"region={region}"
            place.mkdir(parents=True)
            amounts = draw(source, list(range(-9, 10)), 40)
            table = pa.table({"item": pa.array(range(40), pa.int32()), "amount": amounts})
            pq.write_table(table, place / "a.parquet", row_group_size=15)


def grown(folder: Path, source: random.Random) -> None:
    """A table whose later file has a column that the earlier lacks, in another order."""
    pq.write_table(pa.table({"a": [1, 2, None], "b": ["x", None, "z"]}), folder / "a.parquet")
    later = pa.table({"c": [1.5, None], "b": ["p", "q"], "a": pa.array([7, 8], pa.int64())})
    pq.write_table(later, folder / "b.parquet")


def mixed_case(folder: Path, source: random.Random) -> None:
    """Column names with capitals."""
    table = pa.table({"Id": [1, 2, 3], "userName": ["Ann", None, "Bo"], "TOTAL": [1.0, -0.0, None]})
    pq.write_table(table, folder / "a.parquet")


def calendar_columns() -> pa.Table:
    """Days and instants about those from which on the two calendars differ by more or less."""
    days = [-141428, -141427, -141438, -719164, -719162, -354220, -800000, 0, None, 20000]
    edges = [-2208988800, -12219292800, -17981568000, -62135596800, -62135769600, -70000000000, 0]
    seconds = [edge + more for edge in edges for more in (-90000, -1, 0, 3600, 40000)]
    instants = [second * 10**6 + 789000 for second in seconds] + [None, -2208988800001000]
    return pa.table(
        {
            "id": pa.array(range(len(instants)), pa.int32()),
            "d": pa.array([days[i % len(days)] for i in range(len(instants))], pa.date32()),
            "ts": pa.array(instants, pa.timestamp("us", tz="UTC")),
        }
    )


def old_calendar(folder: Path, source: random.Random) -> None:
    """Files of Spark 2.4, and of later ones that were to write the legacy calendar, in a zone."""
    table = calendar_columns()
    key = "org.apache.spark."
    int96 = {"use_deprecated_int96_timestamps": True}
    for name, zone, more, options in (
        ("a", None, None, {}),
        ("b", None, None, int96),
        ("c", "America/Los_Angeles", "legacyDateTime", {"coerce_timestamps": "ms"}),
        ("d", "Europe/Kyiv", "legacyINT96", int96),
        ("e", "GMT+07:30", "legacyDateTime", {"use_dictionary": False}),
    ):
        metadata = {f"{key}version": "3.2.0" if more else "2.4.5"}
        if more:
            metadata |= {f"{key}{more}": "", f"{key}timeZone": zone}
        marked = table.replace_schema_metadata(metadata)
        pq.write_table(marked, folder / f"{name}.parquet", **options)


def unknown_calendar(folder: Path, source: random.Random) -> None:
    """The same of another writer than Spark."""
    table = calendar_columns()
    pq.write_table(table, folder / "a.parquet")
    pq.write_table(table, folder / "b.parquet", use_deprecated_int96_timestamps=True)


def nested_types(folder: Path, source: random.Random) -> None:
    """Arrays, maps and structs of every type, and of each other."""
    nested.write_types(folder, source, every_type_columns)


TABLES: dict[str, Callable[[Path, random.Random], None]] = {
    "every_type": every_type,
    "small": small,
    "no_rows": no_rows,
    "many_keys": many_keys,
    "partitioned": partitioned,
    "grown": grown,
    "mixed_case": mixed_case,
    "old_calendar": old_calendar,
    "unknown_calendar": unknown_calendar,
    "nested_types": nested_types,
    "nested_grown": nested.write_grown,
}


def open_all(session: SparkSession, tpch: Path, folder: Path) -> None:
    """Makes a view of every table of TPC-H, and of those that `write_all` has written."""
    for table in sorted(tpch.glob("*.parquet")):
        session.read.parquet(str(table)).createOrReplaceTempView(table.stem)
    for name in TABLES:
        session.read.parquet(str(folder / name)).createOrReplaceTempView(name)


def write_all(folder: Path) -> None:
    """Writes every table into a folder of its name below `folder`, which must not hold them yet."""
    for name, write in TABLES.items():
        place = folder / name
        place.mkdir(parents=True)
        write(place, random.Random(f"{SEED} {name}"))
