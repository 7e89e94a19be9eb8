"""Parquet files written by Spark alone and with Reprise, in turn, in one run.

A statement's table is dropped before it and read after it, untimed, by the same side; what both
sides read must be equal. Writes build/bench/writes.json. Exit status 1 where a write failed, a
table differs, or `lineitem` as it is takes more than half of Spark's time.
Usage: writes.py --data build/data/tpch-sf1 [--rounds 5] [--cores 2] [--memory 4096]
"""

import argparse
import json
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from side import OUTPUT, SIDES, Side
from suites import suite_of

WRITES = {
    "lineitem": "CREATE TABLE written USING parquet AS SELECT * FROM lineitem",
    "zstd": "CREATE TABLE written USING parquet OPTIONS (compression 'zstd') "
    "AS SELECT * FROM lineitem",
    "partitioned": "CREATE TABLE written USING parquet PARTITIONED BY (year) "
    "AS SELECT *, year(l_shipdate) AS year FROM lineitem",
    "joined": "CREATE TABLE written USING parquet AS SELECT o_orderdate, l_orderkey, "
    "l_extendedprice * (1 - l_discount) AS revenue FROM lineitem JOIN orders "
    "ON l_orderkey = o_orderkey",
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


def measure(sides: dict[str, Side], rounds: int) -> dict[str, dict]:
    """Seconds of each statement by side and round; the first run of each is not counted."""
    results = {name: {side: [] for side in SIDES} | {"errors": []} for name in WRITES}
    for number in range(rounds + 1):
        for name, statement in WRITES.items():
            order = SIDES if number % 2 == 0 else SIDES[::-1]
            runs = {side: sides[side].ask(write, statement) for side in order}
            errors = [f"{side}: {run.error}" for side, run in runs.items() if run.error]
            if not errors and runs["spark"].content != runs["reprise"].content:
                errors = [f"the tables differ: {[run.content for run in runs.values()]}"]
            results[name]["errors"] += errors
            for side in SIDES:
                if number > 0:
                    results[name][side].append(runs[side].seconds if not errors else 0.0)
    return results


def line_of(name: str, result: dict) -> str:
    if result["errors"]:
        return f"{name:12} {'; '.join(result['errors'])}"
    medians = {side: statistics.median(result[side]) for side in SIDES}
    result["ratio"] = medians["spark"] / medians["reprise"]
    return (
        f"{name:12} {medians['spark']:8.2f} s {medians['reprise']:8.2f} s {result['ratio']:6.2f} x"
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
        results = measure(sides, chosen.rounds)
    finally:
        for side in sides.values():
            side.stop()
    print(f"{'':12} {'Spark':>10} {'Reprise':>10}  ratio (medians of {chosen.rounds} rounds)")
    for name, result in results.items():
        print(line_of(name, result))
    (OUTPUT / "writes.json").write_text(json.dumps(results, indent=1) + "\n")
    failed = any(result["errors"] for result in results.values())
    return 1 if failed or results[MAIN]["ratio"] < LEAST_RATIO else 0


if __name__ == "__main__":
    sys.exit(main())
