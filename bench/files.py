"""Files of CSV, JSON and ORC, read by Spark alone and with Reprise, in turn, in one run.

What both sides answer must be equal. Writes build/bench/files.json. Exit status 1 where a query
failed or its answers differ, or where a format is not read as many times as fast as it should be.
Usage: files.py --data build/data/tpch-sf1 [--rounds 5] [--cores 2] [--memory 4096]
"""

import statistics
import sys
from pathlib import Path

import by_turns
from side import Run

# How many times as fast as Spark, in the mean, each is to be read.
BARS = {"csv": 2.0, "json": 2.0, "orc": 1.5, "nested json": 2.0}
FLAT = ["csv", "json", "orc"]
QUERIES = {
    "aggregate": """SELECT l_returnflag, l_linestatus, sum(l_quantity), avg(l_extendedprice),
        count(*) FROM {}_lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY 1, 2
        ORDER BY 1, 2""",
    "filter": """SELECT sum(l_extendedprice * l_discount) FROM {}_lineitem
        WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'
        AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24""",
    "all columns": """SELECT count(l_comment), max(l_shipmode), sum(l_orderkey),
        max(l_commitdate), min(l_tax) FROM {}_lineitem""",
    "count": "SELECT count(*) FROM {}_lineitem",
}
# Its columns in structs, an array and a map.
NESTED = [
    "l_orderkey",
    "named_struct('quantity', l_quantity, 'price', l_extendedprice, 'discount', l_discount) sums",
    "array(l_shipdate, l_commitdate, l_receiptdate) dates",
    "map('mode', l_shipmode, 'instruct', l_shipinstruct) shipping",
    "array(named_struct('flag', l_returnflag, 'status', l_linestatus)) states",
    "l_comment",
]
NESTED_QUERIES = {
    "struct": """SELECT sum(sums.price * sums.discount) FROM nested_lineitem
        WHERE sums.discount BETWEEN 0.05 AND 0.07 AND sums.quantity < 24""",
    "array and map": """SELECT shipping['mode'], count(*), max(dates[2]) FROM nested_lineitem
        WHERE dates[0] <= DATE '1998-09-02' GROUP BY 1 ORDER BY 1""",
    "exploded": """SELECT state.flag, state.status, count(*) FROM nested_lineitem
        LATERAL VIEW explode(states) s AS state GROUP BY 1, 2 ORDER BY 1, 2""",
    "all columns": """SELECT count(l_comment), sum(sums.price), max(dates[1]), sum(size(states)),
        count(shipping['instruct']) FROM nested_lineitem""",
}


def prepare(session, data: str) -> Run:
    lineitem = session.table("lineitem")
    tables = {name: lineitem for name in FLAT} | {"nested": lineitem.selectExpr(*NESTED)}
    for name, table in tables.items():
        folder = f"{data}-lineitem.{name}"
        kind = name if name in FLAT else "json"
        if not Path(folder).exists():
            table.repartition(8).write.format(kind).save(folder)
        files = session.read.schema(table.schema).format(kind).load(folder)
        files.createOrReplaceTempView(f"{name}_lineitem")
    return Run()


def main() -> int:
    chosen = by_turns.arguments(__doc__.splitlines()[0])
    queries = {f"{f} {name}": text.format(f) for f in FLAT for name, text in QUERIES.items()}
    queries |= {f"nested json {name}": text for name, text in NESTED_QUERIES.items()}
    results = by_turns.measure_queries(chosen, prepare, str(chosen.data), queries)
    is_well = by_turns.tell(results, chosen.rounds, "files.json")
    if not is_well:
        return 1
    for name in BARS:
        ratios = [one["ratio"] for query, one in results.items() if query.startswith(f"{name} ")]
        mean = statistics.geometric_mean(ratios)
        print(f"{name}: {mean:.2f} times as fast as Spark (bar: {BARS[name]})")
        is_well = is_well and mean >= BARS[name]
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
