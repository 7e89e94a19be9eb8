"""DuckDB on the same Parquet files with the same cores: what the machine allows."""

import statistics
import time

import duckdb
from suites import Suite


class Neighbour:
    """DuckDB in the bench's own process, idle while the sides run."""

    def __init__(self, suite: Suite, cores: int, total_mib: int):
        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = {cores}")
        self.connection.execute(f"SET memory_limit = '{total_mib}MiB'")
        for table, files in suite.views().items():
            self.connection.execute(f"CREATE VIEW {table} AS FROM {files}")

    def seconds(self, text: str, rounds: int) -> float | None:
        """The median time of a query after one warm-up; None where DuckDB can't run it."""
        taken = []
        for _ in range(rounds + 1):
            begin = time.perf_counter()
            try:
                self.connection.sql(text).to_arrow_table()
            except duckdb.Error:
                return None
            taken.append(time.perf_counter() - begin)
        return statistics.median(taken[1:])
