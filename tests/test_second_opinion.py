"""TPC-H queries 1, 4 and 6 against DuckDB, which shares no code with Spark or Reprise."""

from decimal import Decimal

import duckdb
import pytest
import sql_files
from places import SQL_FILES


def _canonical(value):
    """Decimals of any scale compare by value; DuckDB's averages are doubles, Spark's decimals."""
    if isinstance(value, int | Decimal):
        return float(value)
    return value


@pytest.mark.parametrize("number", [1, 4, 6])
def test_duckdb_agrees(spark, with_plugin, tpch, number):
    query = sql_files.read(SQL_FILES / "tpch" / f"q{number:02}.sql").statements[0].text
    if with_plugin:
        spark.conf.set("spark.reprise.sql.enabled", "true")
    try:
        rows = [tuple(row) for row in spark.sql(query).collect()]
    finally:
        if with_plugin:
            spark.conf.set("spark.reprise.sql.enabled", "false")
    connection = duckdb.connect()
    for table in ("lineitem", "orders"):
        connection.execute(f"CREATE VIEW {table} AS FROM '{tpch}/{table}.parquet'")
    expected = connection.execute(query).fetchall()
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected, strict=True):
        for mine, theirs in zip(row, other, strict=True):
            if isinstance(theirs, str):
                assert mine == theirs
            else:
                assert _canonical(mine) == pytest.approx(_canonical(theirs), rel=1e-6, abs=1e-6)
