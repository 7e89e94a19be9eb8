"""Columns that Spark's own readers give, read by Spark alone and with Reprise, in turn, in one run.

Tables are ORC files and tables in Spark's cache, which each side fills by itself, and is timed at
that too; what both sides answer must be equal. Writes build/bench/columns.json. Exit status 1
where a query failed or its answers differ, or where the ORC scan takes more of Reprise's time than
of Spark's.
Usage: columns.py --data build/data/tpch-sf1 [--rounds 5] [--cores 2] [--memory 4096]
"""

import sys
import time
from pathlib import Path

import by_turns
from answers import Answer
from side import Run, answers_differ

QUERIES = {
    "orc aggregate": """SELECT l_returnflag, l_linestatus, sum(l_quantity), avg(l_extendedprice),
        count(*) FROM orc_lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY 1, 2
        ORDER BY 1, 2""",
    "orc numbers": """SELECT l_linenumber, count(*), sum(l_orderkey), max(l_partkey)
        FROM orc_lineitem GROUP BY 1 ORDER BY 1""",
    "cache aggregate": """SELECT l_shipmode, count(*), sum(l_extendedprice) FROM kept_lineitem
        GROUP BY 1 ORDER BY 1""",
    "cache join": """SELECT o_orderpriority, count(*), sum(l_extendedprice) FROM kept_lineitem
        JOIN orders ON l_orderkey = o_orderkey GROUP BY 1 ORDER BY 1""",
    "cache numbers": """SELECT l_linenumber, count(*), sum(l_orderkey), max(l_partkey)
        FROM kept_numbers GROUP BY 1 ORDER BY 1""",
}
MAIN = "orc aggregate"
FILLS = {
    "fill of lineitem": "SELECT * FROM lineitem",
    "fill of numbers": "SELECT l_orderkey, l_partkey, l_linenumber, l_quantity FROM lineitem",
    "fill of groups": """SELECT l_orderkey, max(l_shipmode) mode, sum(l_quantity) quantity
        FROM lineitem GROUP BY 1""",
}
KEPT = {
    "kept_lineitem": "l_orderkey, l_shipmode, l_extendedprice",
    "kept_numbers": "l_orderkey, l_partkey, l_linenumber",
}


def prepare(session, folder: str) -> Run:
    if not Path(folder).exists():
        session.table("lineitem").write.orc(folder)
    # Read by Spark's second interface of sources, whose columns enter as they are.
    session.conf.set("spark.sql.sources.useV1SourceList", "")
    session.read.orc(folder).createOrReplaceTempView("orc_lineitem")
    for name, columns in KEPT.items():
        session.sql(f"CACHE TABLE {name} AS SELECT {columns} FROM lineitem")
    return Run()


def fill(session, text: str) -> Run:
    """Caches the query's rows, and lets go of them."""
    frame = session.sql(text).cache()
    begin = time.perf_counter()
    rows = frame.count()
    seconds = time.perf_counter() - begin
    frame.unpersist(blocking=True)
    return Run(run_s=seconds, answer=Answer(rows=[str(rows)]))


def main() -> int:
    chosen = by_turns.arguments(__doc__.splitlines()[0])
    folder = f"{chosen.data}-lineitem.orc"
    with by_turns.both_sides(chosen) as sides:
        results = by_turns.measure(
            sides, FILLS, chosen.rounds, fill, lambda run: run.total_s, answers_differ
        )
    results |= by_turns.measure_queries(chosen, prepare, folder, QUERIES)
    is_well = by_turns.tell(results, chosen.rounds, "columns.json")
    return 0 if is_well and results[MAIN]["ratio"] >= 1.0 else 1


if __name__ == "__main__":
    sys.exit(main())
