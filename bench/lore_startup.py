"""How long `reprise replay` takes to start: from its call to its end on a dump of one small batch.

Prints medians, and the replay as a multiple of `reprise --version`, which only loads the program
and its libraries. The aim is below 50 ms to the first batch on an idle machine.
Usage: lore_startup.py [--program dist/bin/reprise] [--dump DUMP/loreId-N] [--rounds 20]
"""

import argparse
import json
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def seconds(command: list[str]) -> tuple[float, str]:
    start = time.perf_counter()
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - start, run.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "dist/bin/reprise")
    parser.add_argument("--dump", default=ROOT / "tests/dumps/format-1/loreId-5")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    program = str(options.program)
    loads, replays, readings = [], [], []
    for _ in range(options.rounds):
        # In turn, so that what else the machine does meets both.
        loads.append(seconds([program, "--version"])[0])
        took, printed = seconds([program, "replay", "--json", str(options.dump)])
        replays.append(took)
        runs = json.loads(printed)["partitions"][0]["runs"]
        readings.append(runs[0]["wallTimeNs"] / 1e9)
    load, replay = statistics.median(loads), statistics.median(replays)
    print(f"load the program     {load * 1000:7.1f} ms")
    print(f"whole replay         {replay * 1000:7.1f} ms  {replay / load:.2f} times the load")
    print(f"of it reading+running{statistics.median(readings) * 1000:7.1f} ms")


if __name__ == "__main__":
    main()
