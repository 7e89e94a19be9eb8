"""Generates the tables of TPC-DS as Parquet, a file a table, and its queries, by DuckDB.

Usage: tpcds_data.py SCALE-FACTOR FOLDER [DAYS]. With DAYS the facts of so many days in turn have
one date, so that layouts divided by date have fewer partitions.
"""

import shutil
import sys
from importlib.resources import files
from pathlib import Path

import duckdb

EXTENSION = (
    files("duckdb_extension_tpcds") / f"extensions/v{duckdb.__version__}/tpcds.duckdb_extension"
)
# Of each table of facts, the column that says when.
DATES = ("_sold_date_sk", "_returned_date_sk", "inv_date_sk")


def main(scale: float, folder: Path, days: int = 1) -> None:
    part = folder.with_name(f"{folder.name}.part")
    for leftover in (folder, part):
        shutil.rmtree(leftover, ignore_errors=True)
    (part / "queries").mkdir(parents=True)
    connection = duckdb.connect()
    connection.execute(f"LOAD '{EXTENSION}'")
    connection.execute("CALL dsdgen(sf = ?)", [scale])
    for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
        columns = connection.table(table).columns
        dates = [f"{c} - {c} % {days} AS {c}" for c in columns if days > 1 and c.endswith(DATES)]
        chosen = f"* REPLACE ({', '.join(dates)})" if dates else "*"
        connection.execute(
            f"COPY (SELECT {chosen} FROM {table}) TO '{part}/{table}.parquet' (FORMAT parquet)"
        )
    for number, text in connection.execute("FROM tpcds_queries()").fetchall():
        text = text.strip().removesuffix(";").replace('"', "`")  # as Spark quotes names
        (part / "queries" / f"q{number:02}.sql").write_text(f"{text}\n")
    views = [
        f"CREATE TEMPORARY VIEW {file.stem} USING parquet "
        f"OPTIONS (path '{{folder}}/{file.name}');\n"
        for file in sorted(part.glob("*.parquet"))
    ]
    (part / "tables.sql").write_text("".join(views))
    part.rename(folder)


if __name__ == "__main__":
    main(float(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
