"""Parquet files written by Spark alone and with Reprise, in turn, in one run.

A statement's table is dropped before it and read after it, untimed, by the same side; what both
sides read must be equal. Writes build/bench/writes.json. Exit status 1 where a write failed, a
table differs, or `lineitem` as it is takes more than half of Spark's time.
Usage: writes.py --data build/data/tpch-sf1 [--rounds 5] [--cores 2] [--memory 4096]
"""

import sys
import time
from dataclasses import dataclass

import by_turns

WRITES = {
    "lineitem": "CREATE TABLE written USING parquet AS SELECT * FROM lineitem",
    "zstd": "CREATE TABLE written USING parquet OPTIONS (compression 'zstd') "
    "AS SELECT * FROM lineitem",
    "partitioned": "CREATE TABLE written USING parquet PARTITIONED BY (year) "
    "AS SELECT *, year(l_shipdate) AS year FROM lineitem",
    "joined": "CREATE TABLE written USING parquet AS SELECT o_orderdate, l_orderkey, "
    "l_extendedprice * (1 - l_discount) AS revenue FROM lineitem JOIN orders "
    "ON l_orderkey = o_orderkey",
    "nested": "CREATE TABLE written USING parquet AS SELECT l_orderkey, "
    "struct(l_quantity, l_extendedprice, l_comment) AS line, "
    "array(l_shipdate, l_commitdate, l_receiptdate) AS dates FROM lineitem",
}
MAIN = "lineitem"
LEAST_RATIO = 2.0


@dataclass
class Written:
    """One run on one side."""

    seconds: float = 0.0
    content: tuple = ()  # rows, and a checksum of them in any order
    error: str | None = None


def write(session, statement: str) -> Written:
    session.sql("DROP TABLE IF EXISTS written")
    begin = time.perf_counter()
    session.sql(statement)
    seconds = time.perf_counter() - begin
    table = session.table("written")
    columns = ", ".join(sorted(table.columns))
    row = table.selectExpr("count(*)", f"bit_xor(xxhash64({columns}))").first()
    session.sql("DROP TABLE written")
    return Written(seconds, tuple(row))


def departure(spark: Written, reprise: Written) -> str | None:
    if spark.content == reprise.content:
        return None
    return f"the tables differ: {[spark.content, reprise.content]}"


def main() -> int:
    chosen = by_turns.arguments(__doc__.splitlines()[0])
    with by_turns.both_sides(chosen) as sides:
        results = by_turns.measure(
            sides, WRITES, chosen.rounds, write, lambda run: run.seconds, departure
        )
    is_well = by_turns.tell(results, chosen.rounds, "writes.json")
    return 0 if is_well and results[MAIN]["ratio"] >= LEAST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
