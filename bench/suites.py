"""The queries of each suite, and the folders of tables that they are for."""

from dataclasses import dataclass
from pathlib import Path

import mix_functions
import slow_store
import sql_files
import tpch_queries
import warehouse
from places import SQL_FILES
from pyspark.sql import SparkSession

SUITES = ("tpch", "tpcds", "mix", "guests", "remote")
STATEMENTS = {
    "mix": ("mix.sql", "A mix over TPC-H's tables"),
    "guests": ("guest_costs.sql", "Guests over TPC-H's tables"),
}


@dataclass(frozen=True)
class Suite:
    """The queries of a suite over one folder of its tables."""

    name: str  # of the report's files
    title: str
    data: Path
    texts: dict[int, str]

    def views(self) -> dict[str, str]:
        """What DuckDB reads each table from, by the table's name."""
        found = {}
        for table in sorted(self.data.glob("*")):
            if table.suffix == ".parquet":
                found[table.stem] = f"'{table}'"
            elif table.is_dir() and table.name != "queries":
                found[table.name] = (
                    f"read_parquet('{table}/**/*.parquet', hive_partitioning = true)"
                )
        return found


def suite_of(name: str, data: Path) -> Suite:
    if name in ("tpch", slow_store.SUITE):
        texts = {number: tpch_queries.query(number) for number in tpch_queries.NUMBERS}
        is_remote = name == slow_store.SUITE
        return Suite(name, "TPC-H from far away" if is_remote else "TPC-H", data, texts)
    if name in STATEMENTS:
        file, title = STATEMENTS[name]
        texts = [statement.text for statement in sql_files.read(SQL_FILES / file).statements]
        if name == mix_functions.SUITE:
            texts += mix_functions.QUERIES
        return Suite(name, title, data, dict(enumerate(texts, start=1)))
    layout = data.name.split("-")[1]  # build/data/tpcds-LAYOUT-sfN
    texts = {number: warehouse.query(data, number) for number in warehouse.NUMBERS}
    return Suite(f"tpcds-{layout}", f"TPC-DS ({layout})", data, texts)


def register(session: SparkSession, data: Path, suite: str) -> None:
    """Makes the tables known to a session, and what a suite needs besides."""
    if (data / warehouse.STATEMENTS).exists():
        warehouse.register(session, data)
        return
    for table in sorted(data.glob("*.parquet")):
        place = slow_store.location(table) if suite == slow_store.SUITE else str(table)
        session.read.parquet(place).createOrReplaceTempView(table.stem)
    if suite == mix_functions.SUITE:
        mix_functions.register(session)
