"""What the ledger costs: the same work with it and without, in turn, in one JVM.

In one, since what the compilers of two JVMs make of the same code differs by more than the ledger
takes: spark.reprise.ledger.enabled says of each query and job. TPC-H with the native operators, and
in explainOnly mode, where Spark's own run; jobs over RDDs, each by itself, in several processes.
Usage: ledger.py --data build/data/tpch-sf1 [--queries 1,6,9] [--jobs sums,words] [--rounds 5]
                 [--processes 3] [--cores 2]
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path

import rdd_side
from paired import (
    KINDS,
    Half,
    Side,
    fastest,
    mean_with_error,
    measure,
    ratios,
    table,
    with_conf,
)
from session import BUILD

MODES = {
    "native operators": {},
    "Spark's operators": {"spark.reprise.sql.mode": "explainOnly"},
}


def compare(title: str, sides: dict[str, Half], work: list[str], rounds: int) -> dict:
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


def halves(side: Side) -> dict[str, Half]:
    return {name: Half(side, name) for name in ("off", "on")}


def queries(chosen: argparse.Namespace, mode: str, folder: str) -> dict:
    conf = MODES[mode] | {"spark.reprise.ledger.path": f"file://{folder}"}
    side = with_conf(chosen.data, chosen.cores, conf)
    result = compare(f"ledger over {mode}", halves(side), chosen.queries.split(","), chosen.rounds)
    side.end()
    return result


def jobs(chosen: argparse.Namespace, folder: str) -> dict:
    processes = {job: [] for job in chosen.jobs.split(",")}
    conf = f"--conf=spark.reprise.ledger.path=file://{folder}"
    with tempfile.TemporaryDirectory(dir=BUILD) as work:
        rdd_side.write_inputs(chosen.data, Path(work))
        for number in range(1, chosen.processes + 1):
            side = Side(rdd_side.__file__, chosen.data, chosen.cores, f"--work={work}", conf)
            for job, measured in processes.items():
                title = f"ledger over the RDDs of {job}, process {number}"
                measured.append(compare(title, halves(side), [job], chosen.rounds))
            side.end()
    results = {
        job: {"ratio": {}, "mean": {}, "error": {}, "processes": measured}
        for job, measured in processes.items()
    }
    for kind in ("cpu", "tasks"):
        print(f"{KINDS[kind]} of all rounds; of the fastest, mean of all processes (and of each)")
        for job, measured in processes.items():
            of_each = [process[kind]["fastest"] for process in measured]
            results[job]["ratio"][kind] = statistics.mean(of_each)
            each = ", ".join(f"{ratio:.3f}" for ratio in of_each)
            of_rounds = [ratio for process in measured for ratio in process[kind]["rounds"]]
            mean, error = mean_with_error(of_rounds)
            results[job]["mean"][kind], results[job]["error"][kind] = mean, error
            best = results[job]["ratio"][kind]
            print(f"  {job:15} {mean:.3f} ± {error:.3f}; {best:.3f} ({each})", flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", default=",".join(str(q) for q in range(1, 23)))
    parser.add_argument("--jobs", default=",".join(rdd_side.JOBS), help="over RDDs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processes", type=int, default=3, help="for jobs over RDDs")
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
