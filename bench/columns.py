"""Columns that Spark's own readers give, read by Spark alone and with Reprise, in turn, in one run.

Tables are ORC files and tables in Spark's cache, which each side fills by itself; what both sides
answer must be equal. Writes build/bench/columns.json. Exit status 1 where a query failed or its
answers differ, or where the ORC scan takes more of Reprise's time than of Spark's.
Usage: columns.py --data build/data/tpch-sf1 [--rounds 5] [--cores 2] [--memory 4096]
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

from answers import difference
from side import OUTPUT, SIDES, Run, Side, carry_out
from suites import suite_of

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
KEPT = {
    "kept_lineitem": "l_orderkey, l_shipmode, l_extendedprice",
    "kept_numbers": "l_orderkey, l_partkey, l_linenumber",
}


def prepare(session, folder: str) -> Run:
    if not Path(folder).exists():
        session.table("lineitem").write.orc(folder)
    session.read.orc(folder).createOrReplaceTempView("orc_lineitem")
    for name, columns in KEPT.items():
        session.sql(f"CACHE TABLE {name} AS SELECT {columns} FROM lineitem")
    return Run()


def measure(sides: dict[str, Side], rounds: int) -> dict[str, dict]:
    """Seconds of each query by side and round; the first run of each is not counted."""
    results = {name: {side: [] for side in SIDES} | {"errors": []} for name in QUERIES}
    for number in range(rounds + 1):
        for name, query in QUERIES.items():
            order = SIDES if number % 2 == 0 else SIDES[::-1]
            runs = {side: sides[side].ask(carry_out, query, False) for side in order}
            errors = [f"{side}: {run.error}" for side, run in runs.items() if run.error]
            if not errors and (found := difference(runs["spark"].answer, runs["reprise"].answer)):
                errors = [f"the answers differ: {found}"]
            results[name]["errors"] += errors
            for side in SIDES:
                if number > 0 and not errors:
                    results[name][side].append(runs[side].total_s)
    return results


def line_of(name: str, result: dict) -> str:
    if result["errors"]:
        return f"{name:16} {'; '.join(result['errors'])}"
    medians = {side: statistics.median(result[side]) for side in SIDES}
    result["ratio"] = medians["spark"] / medians["reprise"]
    return (
        f"{name:16} {medians['spark']:8.2f} s {medians['reprise']:8.2f} s {result['ratio']:6.2f} x"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=4096, help="MiB that each side may take")
    chosen = parser.parse_args()
    suite = suite_of("tpch", chosen.data)
    sides = {name: Side(name, suite, chosen.cores, chosen.memory, 900) for name in SIDES}
    try:
        prepared = [sides[name].ask(prepare, f"{chosen.data}-lineitem.orc") for name in SIDES]
        if failed := [run.error for run in prepared if run.error]:
            raise SystemExit("; ".join(failed))
        results = measure(sides, chosen.rounds)
    finally:
        for side in sides.values():
            side.stop()
    print(f"{'':16} {'Spark':>10} {'Reprise':>10}  ratio (medians of {chosen.rounds} rounds)")
    for name, result in results.items():
        print(line_of(name, result))
    (OUTPUT / "columns.json").write_text(json.dumps(results, indent=1) + "\n")
    failed = any(result["errors"] for result in results.values())
    return 1 if failed or results[MAIN]["ratio"] < 1.0 else 0


if __name__ == "__main__":
    sys.exit(main())
