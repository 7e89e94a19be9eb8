"""Statements that Spark alone and Spark with Reprise run in turn, and the table of their ratios."""

import argparse
import contextlib
import json
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

from side import OUTPUT, SIDES, Run, Side, answered, answers_differ
from suites import suite_of

Results = dict[str, dict]


def arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=4096, help="MiB that each side may take")
    return parser.parse_args()


@contextlib.contextmanager
def both_sides(chosen: argparse.Namespace) -> Iterator[dict[str, Side]]:
    """Over the tables of TPC-H."""
    suite = suite_of("tpch", chosen.data)
    sides = {name: Side(name, suite, chosen.cores, chosen.memory, 900) for name in SIDES}
    try:
        yield sides
    finally:
        for side in sides.values():
            side.stop()


def measure(
    sides: dict[str, Side],
    statements: dict[str, str],
    rounds: int,
    run: Callable,
    seconds_of: Callable,
    departure: Callable,
) -> Results:
    """Seconds of each statement by side and round; the first run of each is not counted.

    `run` is what a side is asked to do with a session and a statement; `departure` says how what
    Spark's gave differs from what Reprise's did, if it does.
    """
    results = {name: {side: [] for side in SIDES} | {"errors": []} for name in statements}
    for number in range(rounds + 1):
        for name, statement in statements.items():
            order = SIDES if number % 2 == 0 else SIDES[::-1]
            runs = {side: sides[side].ask(run, statement) for side in order}
            errors = [f"{side}: {one.error}" for side, one in runs.items() if one.error]
            if not errors and (found := departure(runs["spark"], runs["reprise"])):
                errors = [found]
            results[name]["errors"] += errors
            for side in SIDES:
                if number > 0 and not errors:
                    results[name][side].append(seconds_of(runs[side]))
    return results


def measure_queries(
    chosen: argparse.Namespace,
    prepare: Callable[..., Run],
    argument: str,
    queries: dict[str, str],
) -> Results:
    """Queries over what `prepare(session, argument)` makes known to each side."""
    with both_sides(chosen) as sides:
        prepared = [sides[name].ask(prepare, argument) for name in SIDES]
        if failed := [run.error for run in prepared if run.error]:
            raise SystemExit("; ".join(failed))
        return measure(
            sides, queries, chosen.rounds, answered, lambda run: run.total_s, answers_differ
        )


def tell(results: Results, rounds: int, file: str) -> bool:
    """Prints the table and writes the file of figures; whether nothing went wrong.

    Each result without errors gets its `ratio`.
    """
    width = max(map(len, results)) + 1
    print(f"{'':{width}} {'Spark':>10} {'Reprise':>10}  ratio (medians of {rounds} rounds)")
    for name, result in results.items():
        if result["errors"]:
            print(f"{name:{width}} {'; '.join(result['errors'])}")
            continue
        medians = {side: statistics.median(result[side]) for side in SIDES}
        result["ratio"] = medians["spark"] / medians["reprise"]
        seconds = f"{medians['spark']:8.2f} s {medians['reprise']:8.2f} s"
        print(f"{name:{width}} {seconds} {result['ratio']:6.2f} x")
    (OUTPUT / file).write_text(json.dumps(results, indent=1) + "\n")
    return not any(result["errors"] for result in results.values())
