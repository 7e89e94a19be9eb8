"""What the ledger costs: the same work with spark.reprise.ledger.path and without, in turn.

TPC-H with the native operators, and in explainOnly mode, where Spark's own operators run; and jobs
over RDDs, each by itself, in several pairs of processes: a job's loop is short, and what the
compiler of one JVM makes of it differs from the next one's by more than the ledger takes.
Usage: ledger.py --data build/data/tpch-sf1 [--queries 1,6,9] [--jobs sums,words] [--rounds 5]
                 [--pairs 3] [--cores 2]
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path

import rdd_side
from paired import KINDS, Side, fastest, measure, ratios, table, with_conf
from session import BUILD

MODES = {
    "native operators": {},
    "Spark's operators": {"spark.reprise.sql.mode": "explainOnly"},
}


def compare(title: str, sides: dict[str, Side], work: list[str], rounds: int) -> dict:
    """Ratios of what it takes with the ledger to what it takes without; printed too."""
    times = measure(sides, work, rounds)
    print(table(title, times), flush=True)
    result = {}
    for kind in KINDS:
        of_rounds = ratios(times, "on", kind)
        result[kind] = {
            "ratio": statistics.median(of_rounds),
            "fastest": fastest(times, "on", kind),
            "rounds": of_rounds,
            "seconds_without": statistics.median(times["off"][kind]),
        }
    return result


def queries(chosen: argparse.Namespace, mode: str, folder: str) -> dict:
    conf = MODES[mode]
    with_ledger = conf | {"spark.reprise.ledger.path": f"file://{folder}"}
    sides = {
        "off": with_conf(chosen.data, chosen.cores, conf),
        "on": with_conf(chosen.data, chosen.cores, with_ledger),
    }
    result = compare(f"ledger over {mode}", sides, chosen.queries.split(","), chosen.rounds)
    for side in sides.values():
        side.end()
    return result


def jobs(chosen: argparse.Namespace, folder: str) -> dict:
    pairs = {job: [] for job in chosen.jobs.split(",")}
    conf = {"off": [], "on": [f"--conf=spark.reprise.ledger.path=file://{folder}"]}
    with tempfile.TemporaryDirectory(dir=BUILD) as work:
        rdd_side.write_inputs(chosen.data, Path(work))
        for number in range(1, chosen.pairs + 1):
            sides = {
                name: Side(rdd_side.__file__, chosen.data, chosen.cores, f"--work={work}", *more)
                for name, more in conf.items()
            }
            for job, measured in pairs.items():
                title = f"ledger over the RDDs of {job}, pair {number}"
                measured.append(compare(title, sides, [job], chosen.rounds))
            for side in sides.values():
                side.end()
    results = {job: {"ratio": {}, "pairs": measured} for job, measured in pairs.items()}
    for kind in ("cpu", "tasks"):
        print(f"{KINDS[kind]} of the fastest rounds, mean of all pairs (and of each)")
        for job, measured in pairs.items():
            of_pairs = [pair[kind]["fastest"] for pair in measured]
            results[job]["ratio"][kind] = statistics.mean(of_pairs)
            each = ", ".join(f"{ratio:.3f}" for ratio in of_pairs)
            print(f"  {job:15} {results[job]['ratio'][kind]:.3f} ({each})", flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", default=",".join(str(q) for q in range(1, 23)))
    parser.add_argument("--jobs", default=",".join(rdd_side.JOBS), help="over RDDs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=3, help="of processes, for jobs over RDDs")
    parser.add_argument("--cores", type=int, default=2)
    chosen = parser.parse_args()
    results = {}
    for mode in [*(MODES if chosen.queries else []), *(["RDDs"] if chosen.jobs else [])]:
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            measured = queries(chosen, mode, folder) if mode in MODES else jobs(chosen, folder)
            ledger_bytes = sum(f.stat().st_size for f in Path(folder).rglob("*"))
            print(f"  {ledger_bytes / 1e6:.1f} MB of ledger")
            results[mode] = measured | {"ledger_bytes": ledger_bytes}
    (BUILD / "bench").mkdir(exist_ok=True)
    (BUILD / "bench" / "ledger.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
