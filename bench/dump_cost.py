"""What a dump costs beside writing the same batches by Arrow in a plain loop.

Usage: dump_cost.py --data FOLDER [--rounds N]. The input of a filter over all columns of lineitem,
and that of one over orders, are recorded by a query; then `dump_cost` writes them again and again,
by turns as a dump and by `parquet::arrow::WriteTable`, one file a batch, both with zstd. Exit
status 1 where a dump takes more than 1.1 times as long.
"""

import argparse
import json
import shutil
import statistics
import subprocess
from pathlib import Path

import session as sessions
from places import BUILD
from side import OUTPUT

ALLOWED_RATIO = 1.1
QUERIES = {
    "lineitem": "SELECT * FROM lineitem WHERE l_comment LIKE '%never%'",
    "orders": "SELECT * FROM orders WHERE o_comment LIKE '%never%'",
}
WORK = BUILD / "bench" / "work" / "dump-cost"


def record(data: Path) -> dict[str, Path]:
    """The dumped operators, by name."""
    spark = sessions.start("reprise", data, 2, 4096)
    folders = {}
    for name, query in QUERIES.items():
        spark.conf.set("spark.reprise.lore.idsToDump", "Filter#0[*]")
        spark.conf.set("spark.reprise.lore.dumpPath", str(WORK / name))
        spark.sql(query).collect()
        folders[name] = next((WORK / name).glob("query-*/loreId-*"))
    spark.stop()
    return folders


def measure(folder: Path, rounds: int) -> dict:
    program = BUILD / "release" / "bin" / "dump_cost"
    command = [program, folder, WORK / "out", str(rounds)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    measured = json.loads(run.stdout)
    for name in ("plainSeconds", "dumpSeconds", "plainBytes", "dumpBytes"):
        measured[name] = statistics.median(turn[name] for turn in measured["rounds"])
    measured["ratio"] = statistics.median(
        turn["dumpSeconds"] / turn["plainSeconds"] for turn in measured["rounds"]
    )
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the TPC-H tables")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    folders = record(arguments.data)
    results = {name: measure(folder, arguments.rounds) for name, folder in folders.items()}
    print(f"{'input':<10}{'rows':>10}{'batches':>9}{'plain':>9}{'dump':>9}{'ratio':>7}{'size':>7}")
    for name, found in results.items():
        size = found["dumpBytes"] / found["plainBytes"]
        print(
            f"{name:<10}{found['rows']:>10,}{found['batches']:>9}{found['plainSeconds']:>8.3f}s"
            f"{found['dumpSeconds']:>8.3f}s{found['ratio']:>7.2f}{size:>7.2f}"
        )
    OUTPUT.mkdir(parents=True, exist_ok=True)
    (OUTPUT / "lore-dump.json").write_text(json.dumps(results, indent=1))
    shutil.rmtree(WORK)
    is_good = all(found["ratio"] <= ALLOWED_RATIO for found in results.values())
    print("within 1.1 times" if is_good else "a dump costs more than 1.1 times a plain loop")
    return 0 if is_good else 1


if __name__ == "__main__":
    raise SystemExit(main())
