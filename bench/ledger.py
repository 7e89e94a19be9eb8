"""What the ledger costs: TPC-H with spark.reprise.ledger.path and without, in turn.

With the native operators, and in explainOnly mode, where Spark's own operators run.
Usage: ledger.py --data build/data/tpch-sf1 [--queries 1,6,9] [--rounds 5] [--cores 2]
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from paired import KINDS, measure, ratios, table, with_conf
from session import BUILD

MODES = {
    "native operators": {},
    "Spark's operators": {"spark.reprise.sql.mode": "explainOnly"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", default=",".join(str(q) for q in range(1, 23)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=2)
    chosen = parser.parse_args()
    results = {}
    for mode, conf in MODES.items():
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            with_ledger = conf | {"spark.reprise.ledger.path": f"file://{folder}"}
            sides = {
                "off": with_conf(chosen.data, chosen.cores, conf),
                "on": with_conf(chosen.data, chosen.cores, with_ledger),
            }
            times = measure(sides, chosen.queries.split(","), chosen.rounds)
            for side in sides.values():
                side.end()
            ledger_bytes = sum(f.stat().st_size for f in Path(folder).rglob("*"))
        print(table(f"ledger over {mode} ({ledger_bytes / 1e6:.1f} MB)", times))
        results[mode] = {"ledger_bytes": ledger_bytes}
        for kind in KINDS:
            of_rounds = ratios(times, "on", kind)
            results[mode][kind] = {
                "ratio": statistics.median(of_rounds),
                "rounds": of_rounds,
                "seconds_without": statistics.median(times["off"][kind]),
            }
    (BUILD / "bench").mkdir(exist_ok=True)
    (BUILD / "bench" / "ledger.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
