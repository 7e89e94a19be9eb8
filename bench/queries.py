"""A suite on Spark alone and with Reprise, in turn, in one run; DuckDB's times beside them.

Both sides have the same cores and the same total memory. Every answer is compared. Writes
NAME.json and NAME.svg of the suite into build/bench, and with --profile a flame graph a query.
Exit status 1 where a query failed or an answer differs.
"""

import argparse
import json
import os
import platform
import sys
from dataclasses import replace
from pathlib import Path

import session as sessions
import side_classes
import slow_store
from chart import svg
from neighbour import Neighbour
from places import ROOT
from report import HEADING, closing_lines, line_of, summary
from rounds import measure, warm_up
from side import MIB, OUTPUT, SIDES, Side, profile
from suites import SUITES, suite_of


def arguments_of(command_line: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="tpch", choices=SUITES)
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--sf", required=True, help="their scale factor, for the report")
    parser.add_argument("--queries", default="all", help="numbers, separated by commas, or all")
    parser.add_argument("--rounds", type=int, default=3, help="timed runs of each side")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=4096, help="MiB that each side may take")
    parser.add_argument("--limit", type=float, default=900, help="seconds that a run may take")
    parser.add_argument("--profile", action="store_true", help="a flame graph of each query")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder of the report")
    arguments = parser.parse_args(command_line)
    chosen = arguments.queries
    arguments.suite = suite_of(arguments.suite, arguments.data)
    if chosen != "all":
        texts = {int(number): arguments.suite.texts[int(number)] for number in chosen.split(",")}
        arguments.suite = replace(arguments.suite, texts=texts)
    return arguments


def memory_text(total_mib: int) -> str:
    """How each side's memory is divided."""
    parts = []
    for side in SIDES:
        heap, off_heap = sessions.memory_of(side, total_mib)
        parts.append(f"{side} {heap} MiB heap" + (f" + {off_heap} MiB off it" * bool(off_heap)))
    return "; ".join(parts)


def write_report(arguments: argparse.Namespace, results: list[dict], peak_mib: dict) -> dict:
    """The suite's JSON and its picture; gives the totals."""
    total = summary(results)
    scale = float(arguments.sf)
    document = {
        "sf": int(scale) if scale.is_integer() else scale,
        "cores": arguments.cores,
        "rounds": arguments.rounds,
        "memory_mib": arguments.memory,
        "memory": memory_text(arguments.memory),
        "machine": platform.platform(),
        **total,
        "peak_memory": {f"{side}_mib": round(mib) for side, mib in peak_mib.items()},
        "queries": results,
    }
    arguments.output.mkdir(parents=True, exist_ok=True)
    name = arguments.suite.name
    (arguments.output / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
    title = f"{arguments.suite.title}, scale factor {arguments.sf}, {arguments.cores} cores"
    (arguments.output / f"{name}.svg").write_text(svg(results, title))
    return total


def write_profiles(side: Side, arguments: argparse.Namespace) -> bool:
    """A flame graph a query, from runs of their own, so that no timing pays for the profiler."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    done = True
    for number, text in arguments.suite.texts.items():
        file = (arguments.output / f"profile-q{number}.html").resolve()
        title = f"{arguments.suite.title} Q{number} with Reprise"
        failure = side.ask(profile, text, max(3, arguments.rounds), file, title)
        if failure:
            print(f"Q{number}: no profile: {failure.error}")
        else:
            print(f"Written {os.path.relpath(file, ROOT)}")
        done = done and not failure
    return done


def main() -> int:
    arguments = arguments_of(sys.argv[1:])
    print(
        f"{arguments.suite.title} at scale factor {arguments.sf}, local[{arguments.cores}], "
        f"medians of {arguments.rounds} after a warm-up, a JVM a side\n"
        f"Memory: {memory_text(arguments.memory)}\n\n{HEADING}",
        flush=True,
    )
    if arguments.suite.name in side_classes.SUITES:
        side_classes.compile_all()
    create = (arguments.suite, arguments.cores, arguments.memory, arguments.limit)
    sides = {side: Side(side, *create) for side in SIDES}
    neighbour = Neighbour(arguments.suite, arguments.cores, arguments.memory)
    results = []
    for query in warm_up(sides, arguments.suite.texts).values():
        result = measure(sides, query, arguments.rounds)
        result["duckdb_s"] = neighbour.seconds(query.text, arguments.rounds)
        results.append(result)
        print(line_of(result), flush=True)
    peak_mib = {side: sides[side].peak_mib for side in SIDES}
    total = write_report(arguments, results, peak_mib)
    print(closing_lines(total, peak_mib))
    if arguments.suite.name == slow_store.SUITE:
        for name, side in sides.items():
            requests, read = side.ask(slow_store.asked)
            print(f"{name}: {requests:,} requests, {read / MIB:,.0f} MiB, warm-up and all rounds")
    name = arguments.suite.name
    print(f"Written {os.path.relpath(arguments.output, ROOT)}/{name}.json and {name}.svg")
    profiled = write_profiles(sides["reprise"], arguments) if arguments.profile else True
    for side in sides.values():
        side.stop()
    return 1 if total.get("failed") or total.get("different") or not profiled else 0


if __name__ == "__main__":
    sys.exit(main())
