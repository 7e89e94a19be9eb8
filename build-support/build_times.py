"""Where the time of a build goes: what ninja and the steps of make noted, and what a change costs.

A command whose result the compiler's cache held takes no time: only a first build shows all.

Usage: build_times.py BUILD-FOLDER LOGS [SOURCE...]: the sources whose change is measured.
"""

import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

LONGEST = 10
# Several sizes of file, in as many of the units into which operators are compiled.
CHANGED = (
    "core/operators/aggregate/hash_aggregate.cc",
    "core/operators/limit.cc",
    "core/operators/sort.cc",
)


class Edge(NamedTuple):
    """One command of ninja's."""

    output: str
    seconds: float


def edges_of(log_lines: list[str]) -> list[Edge]:
    """The last run of every command; one that has several outputs counts once."""
    last = {}
    for line in log_lines:
        if not line.startswith("#"):
            start, end, _, output, command = line.rstrip("\n").split("\t")
            last[output] = (int(start), int(end), command)
    commands = {run: output for output, run in last.items()}
    return [Edge(output, (end - start) / 1000) for (start, end, _), output in commands.items()]


def part_of(output: str) -> str:
    """The folder of the core whose library or tests an output belongs to."""
    if compiled := re.search(r"CMakeFiles/(?:reprise_)?([a-z_]+)\.dir/", output):
        target = compiled[1].removeprefix("reprise_") or "reprise"
    elif linked := re.match(r"(?:core/(?:\w+/)?libreprise_|bin/|lib/)([a-z_]+)", output):
        target = linked[1]
    else:
        return "other"
    target = {"reprise": "cli", "replay_command": "cli", "libreprise": "jni"}.get(target, target)
    if target.endswith(("_test", "_fuzz")):
        return target.rsplit("_", 1)[0] + " (tests)"
    return target


def print_parts(edges: list[Edge]) -> None:
    parts = defaultdict(list)
    for edge in edges:
        parts[part_of(edge.output)].append(edge.seconds)
    print(f"{'part':22}{'commands':>10}{'minutes':>10}")
    for part, seconds in sorted(parts.items(), key=lambda item: -sum(item[1])):
        print(f"{part:22}{len(seconds):10}{sum(seconds) / 60:10.1f}")
    in_tests = sum(sum(seconds) for part, seconds in parts.items() if part.endswith("(tests)"))
    in_all = sum(edge.seconds for edge in edges)
    print(f"{'all':22}{len(edges):10}{in_all / 60:10.1f}, of which tests {in_tests / 60:.1f}")


def print_longest(edges: list[Edge]) -> None:
    print(f"\nThe {LONGEST} longest commands:")
    for edge in sorted(edges, key=lambda edge: -edge.seconds)[:LONGEST]:
        print(f"{edge.seconds:8.1f} s  {edge.output}")


def print_steps(log: Path) -> None:
    """The last time that each step of make took."""
    if not log.exists():
        return
    steps = {}
    for line in log.read_text().splitlines():
        seconds, what = line.split("\t")
        steps.pop(what, None)
        steps[what] = int(seconds)
    print("\nSteps of make, each as it ran last:")
    for what, seconds in steps.items():
        print(f"{seconds:8} s  {what}")


def seconds_of(command: list[str]) -> float:
    start = time.monotonic()
    # As if the file had been edited: what the compiler's cache holds is not that.
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    ran = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{ran.stdout}{ran.stderr}")
    return time.monotonic() - start


def print_increment(build: Path, source: str) -> None:
    Path(source).touch()
    built = seconds_of(["ninja", "-C", str(build), "product"])
    packed = seconds_of(["build-support/pack.sh", str(build)])
    seconds_of(["dist/bin/reprise", "--version"])
    print(f"{built + packed:8.1f} s  {source}: {built:.1f} s to build, {packed:.1f} s to lay out")


def main() -> int:
    build, logs, *sources = sys.argv[1:]
    # Before a change is measured, which would be noted too.
    edges = edges_of((Path(build) / ".ninja_log").read_text().splitlines())
    print("Minutes are those of one processor.\n")
    print_parts(edges)
    print_longest(edges)
    print_steps(Path(logs) / "steps.tsv")
    print("\nFrom a change of one file to a program that runs:", flush=True)
    for source in sources or CHANGED:
        print_increment(Path(build), source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
