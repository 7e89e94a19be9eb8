"""Parquet at its ends: many files, many columns, row groups of one row and of a gigabyte."""

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from on_and_off import plan_of, problem

MANY = 10_000
LARGE_ROWS = 45_000_000  # of 24 bytes: more than a gigabyte


def check(native, folder, queries: list[str]) -> None:
    """Each query gives what Spark gives, by a native scan."""
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.read.parquet(str(folder)).createOrReplaceTempView("files")
    for query in queries:
        assert "RepriseParquetScan" in plan_of(native, query)
        found = problem(native, lambda: native.read.parquet(str(folder)), query)
        assert not found, f"{query}\n{found[:3000]}"


@pytest.mark.thorough
def test_ten_thousand_files(native, tmp_path):
    for number in range(MANY):
        table = pyarrow.table({"a": [number], "s": [f"file {number}"]})
        pyarrow.parquet.write_table(table, tmp_path / f"{number}.parquet")
    check(
        native,
        tmp_path,
        [
            "select count(*), sum(a), min(s), max(s) from files",
            "select a, s from files where a = 9999 or s = 'file 17' order by a",
        ],
    )


@pytest.mark.thorough
def test_ten_thousand_columns(native, tmp_path):
    columns = {f"c{number}": [number, None, -number] for number in range(MANY)}
    table = pyarrow.table(columns)
    pyarrow.parquet.write_table(table, tmp_path / "f.parquet", row_group_size=2)
    native.conf.set("spark.sql.maxMetadataStringLength", "1000000")
    check(
        native,
        tmp_path,
        [
            "select count(*), sum(c0), sum(c5000), max(c9999) from files",
            "select c9999, c1 from files where c7777 < 0 or c3 is null order by c1",
            "select " + ", ".join(f"c{number}" for number in range(0, MANY, 10)) + " from files",
        ],
    )


def test_row_groups_of_one_row(native, tmp_path):
    rows = 4_000
    table = pyarrow.table({"a": range(rows), "s": [str(number % 7) for number in range(rows)]})
    pyarrow.parquet.write_table(table, tmp_path / "f.parquet", row_group_size=1)
    native.conf.set("spark.sql.files.maxPartitionBytes", "60k")
    check(
        native,
        tmp_path,
        [
            "select s, count(*), sum(a) from files group by s order by s",
            "select a, s from files where a between 777 and 780 or a = 3999 order by a",
        ],
    )


@pytest.mark.thorough
def test_a_row_group_of_a_gigabyte(native, tmp_path):
    source = numpy.random.default_rng(7)
    columns = {name: source.integers(0, 2**62, LARGE_ROWS) for name in "abc"}
    path = tmp_path / "f.parquet"
    pyarrow.parquet.write_table(
        pyarrow.table(columns),
        path,
        row_group_size=LARGE_ROWS,
        use_dictionary=False,
        compression="none",
    )
    assert pyarrow.parquet.ParquetFile(path).metadata.row_group(0).total_byte_size > 2**30
    check(
        native,
        tmp_path,
        [
            "select count(*), sum(a % 1000), max(b) from files where c % 3 = 0",
            "select a, b from files order by c limit 5",
        ],
    )
