"""Runs suites of Spark's own tests with the plug-in, or without it.

Says which tests fail that differs.txt does not list. Exit status 1 where one does, where a listed
one passes, or where a suite did not end.
"""

import argparse
import sys
import time

from differs import listed
from jvm import FOLDER, Run, known_suites, run_suite
from places import ROOT
from reports import Outcomes, ended_whole, outcomes_of

DEFAULT = (
    *("StringFunctionsSuite", "MathFunctionsSuite", "DateFunctionsSuite", "JoinSuite"),
    *("SubquerySuite", "DataFrameSuite", "DataFrameAggregateSuite"),
    *("DataFrameWindowFunctionsSuite", "SQLQueryTestSuite"),
)
HEADING = (
    f"{'passed':>7} {'as listed':>10} {'not listed':>11} {'listed, passed':>15} {'seconds':>8}"
)


def arguments_of(command_line: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", default=DEFAULT, help="classes, or their last names")
    parser.add_argument("--tests", default="", help="only those whose name holds this text")
    parser.add_argument("--off", action="store_true", help="without the plug-in")
    parser.add_argument("--limit", type=float, default=3600, help="seconds that a suite may take")
    return parser.parse_args(command_line)


def suite_of(asked: str, known: set[str]) -> str:
    """The class that a name means: the whole name, or its last part where that is one class's."""
    found = [name for name in sorted(known) if name == asked or name.endswith(f".{asked}")]
    if len(found) == 1:
        return found[0]
    if found:
        sys.exit(f"{asked} could be {', '.join(found)}: name one of them whole")
    sys.exit(f"{asked}: Spark's published tests have no such suite (of sql, catalyst and core)")


def differences(suite: str, outcomes: Outcomes, with_plugin: bool) -> tuple[list[str], list[str]]:
    """Tests that fail and are not listed, and tests that are listed and pass."""
    expected = listed(suite, with_plugin)
    unlisted = [name for name in outcomes.failed if name not in expected]
    return unlisted, [name for name in outcomes.passed if name in expected]


def report(suite: str, run: Run, with_plugin: bool, seconds: float) -> bool:
    """Prints how a suite went; is all as it is listed?"""
    where = run.output.relative_to(ROOT)
    if run.status is None or not run.report.exists():
        how = "did not end in time" if run.status is None else f"ended with status {run.status}"
        print(f"{suite}\n  {how}, without a report: see {where}", flush=True)
        return False
    outcomes = outcomes_of(run.report)
    unlisted, passing = differences(suite, outcomes, with_plugin)
    as_listed = len(outcomes.failed) - len(unlisted)
    print(f"{suite}\n{len(outcomes.passed):7} {as_listed:10} {len(unlisted):11} "
          f"{len(passing):15} {seconds:8.0f}")  # fmt: skip
    for name in unlisted:
        print(f"  not listed: {name}\n    {' '.join(outcomes.failed[name].split())[:300]}")
    for name in passing:
        print(f"  listed, and passes: {name}")
    whole = ended_whole(run.output)
    if not whole:
        print("  the suite failed outside its tests")
    elif not outcomes.passed and not outcomes.failed:
        print("  no test of it ran")
        whole = False
    if unlisted or not whole:
        print(f"  see {where}")
    sys.stdout.flush()
    return whole and not unlisted and not passing


def main() -> int:
    arguments = arguments_of(sys.argv[1:])
    known = known_suites()
    suites = [suite_of(asked, known) for asked in arguments.suites]
    print(f"Spark's own tests with{'out' if arguments.off else ''} the plug-in\n{HEADING}")
    as_listed = True
    for suite in suites:
        start = time.monotonic()
        run = run_suite(suite, arguments.tests, not arguments.off, arguments.limit)
        as_listed &= report(suite, run, not arguments.off, time.monotonic() - start)
    print(f"Reports are in {FOLDER.relative_to(ROOT)}/results")
    return 0 if as_listed else 1


if __name__ == "__main__":
    sys.exit(main())
