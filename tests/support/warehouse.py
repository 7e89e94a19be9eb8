"""The tables of TPC-DS in the layouts that warehouses have, and its queries.

The folder of a layout holds the tables' files and `tables.sql`, the statements that make them known
to a session, with `{folder}` in place of the folder. `python warehouse.py LAYOUT PLAIN FOLDER`
writes one out of the plain tables, by Spark alone.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

STATEMENTS = "tables.sql"
DATABASE = "warehouse"
NUMBERS = range(1, 100)

# The date by which each table of facts is divided.
DATES = {
    "store_sales": "ss_sold_date_sk",
    "catalog_sales": "cs_sold_date_sk",
    "web_sales": "ws_sold_date_sk",
    "store_returns": "sr_returned_date_sk",
    "catalog_returns": "cr_returned_date_sk",
    "web_returns": "wr_returned_date_sk",
    "inventory": "inv_date_sk",
}
# The key by which sales, their returns, and what they are joined with are bucketed and sorted.
BUCKETS = {
    "store_sales": "ss_item_sk",
    "store_returns": "sr_item_sk",
    "catalog_sales": "cs_order_number",
    "catalog_returns": "cr_order_number",
    "web_sales": "ws_item_sk",
    "web_returns": "wr_item_sk",
    "inventory": "inv_item_sk",
    "item": "i_item_sk",
    "customer": "c_customer_sk",
    "customer_address": "ca_address_sk",
    "date_dim": "d_date_sk",
}
BUCKET_COUNT = 4
# The item that two thirds of all tickets and orders have, and the ticket's or order's number.
TICKETS = {
    ("store_sales", "ss_item_sk"): "ss_ticket_number",
    ("store_returns", "sr_item_sk"): "sr_ticket_number",
    ("catalog_sales", "cs_item_sk"): "cs_order_number",
    ("catalog_returns", "cr_item_sk"): "cr_order_number",
    ("web_sales", "ws_item_sk"): "ws_order_number",
    ("web_returns", "wr_item_sk"): "wr_order_number",
}
FILES = 12


def _read(name: str) -> str:
    return f"CREATE TEMPORARY VIEW {name} USING parquet OPTIONS (path '{{folder}}/{name}')"


def _partitioned(name: str, plain: DataFrame, target: Path) -> list[str]:
    """Facts divided by their date, a file a date."""
    if date := DATES.get(name):
        plain.repartition(date).write.partitionBy(date).parquet(str(target))
    else:
        plain.coalesce(1).write.parquet(str(target))
    return [_read(name)]


def _bucketed(name: str, plain: DataFrame, target: Path) -> list[str]:
    """What is joined often bucketed and sorted by the key of its joins, in a catalogue's tables."""
    if key := BUCKETS.get(name):
        table = f"{DATABASE}.{name}"
        writer = plain.repartition(BUCKET_COUNT, key).write.format("parquet")
        writer = writer.bucketBy(BUCKET_COUNT, key).sortBy(key)
        writer.saveAsTable(table, path=str(target))
        made = plain.sparkSession.sql(f"SHOW CREATE TABLE {table}").first()[0]
        view = f"CREATE TEMPORARY VIEW {name} AS SELECT * FROM {table}"
        return [made.split("TBLPROPERTIES")[0], view]
    plain.coalesce(1).write.parquet(str(target))
    return [_read(name)]


def _scattered(name: str, plain: DataFrame, target: Path) -> list[str]:
    """Many small files, an item that most facts have, texts as CHAR(n), views over views."""
    for (table, item), ticket in TICKETS.items():
        if table == name:
            plain = plain.withColumn(
                item, f.when(f.pmod(ticket, f.lit(3)) > 0, 1).otherwise(f.col(item))
            )
    texts = [c for c, kind in plain.dtypes if kind == "string"]
    longest = plain.select(f.lit(0), *[f.max(f.length(c)) for c in texts]).first()[1:]
    widths = {c: max(width or 1, 1) for c, width in zip(texts, longest, strict=True)}
    columns = ", ".join(
        f"{c} " + (f"CHAR({widths[c]})" if c in widths else kind) for c, kind in plain.dtypes
    )
    padded = [
        f.rpad(c, widths[c], " ").alias(c) if c in widths else f.col(c) for c in plain.columns
    ]
    plain.select(padded).repartition(FILES).write.parquet(str(target))
    table = f"{DATABASE}.{name}_table"
    view = f"{DATABASE}.{name}_view"
    return [
        f"CREATE TABLE {table} ({columns}) USING parquet LOCATION '{{folder}}/{name}'",
        f"CREATE VIEW {view} AS SELECT * FROM {table} WHERE true",
        f"CREATE TEMPORARY VIEW {name} AS SELECT * FROM {view}",
    ]


Write = Callable[[str, DataFrame, Path], list[str]]
# Each writes a table and gives the statements that make it known.
LAYOUTS: dict[str, Write] = {
    "partitioned": _partitioned,
    "bucketed": _bucketed,
    "scattered": _scattered,
}


def write(session: SparkSession, layout: str, plain: Path, folder: Path) -> None:
    """Writes all tables of `plain` in a layout, into a folder that must not be there yet."""
    statements = [f"CREATE DATABASE IF NOT EXISTS {DATABASE}"]
    session.sql(statements[0])
    for file in sorted(plain.glob("*.parquet")):
        made = LAYOUTS[layout](file.stem, session.read.parquet(str(file)), folder / file.stem)
        statements += [text.replace(str(folder), "{folder}").strip() for text in made]
    shutil.copytree(plain / "queries", folder / "queries")
    (folder / STATEMENTS).write_text(";\n\n".join(statements) + ";\n")


def register(session: SparkSession, folder: Path) -> None:
    """Makes the tables of a layout's folder known to a session."""
    for statement in (folder / STATEMENTS).read_text().split(";\n"):
        if statement.strip():
            session.sql(statement.replace("{folder}", str(folder.resolve())))


def query(folder: Path, number: int) -> str:
    """The text of a query."""
    return (folder / "queries" / f"q{number:02}.sql").read_text()


def main(layout: str, plain: Path, folder: Path) -> None:
    from sessions import session_options, start_session

    part = folder.with_name(f"{folder.name}.part")
    for leftover in (folder, part):
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory() as work:
        session = start_session("local[2]", session_options(Path(work), with_plugin=False))
        write(session, layout, plain.resolve(), part.resolve())
        session.stop()
    part.rename(folder)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
