"""Measures queries on both sides in turn: medians, planning time, every answer compared."""

import statistics

from answers import difference
from side import SIDES, Run, Side, carry_out


class QueryRuns:
    """What a query has shown so far: its runs on each side, and what went wrong."""

    def __init__(self, number: int, text: str):
        self.number = number
        self.text = text
        self.timed: dict[str, list[Run]] = {side: [] for side in SIDES}
        self.errors: dict[str, str] = {}
        self.difference: str | None = None
        self.row_based: list[str] = []
        self.rows = 0

    def run(self, sides: dict[str, Side], order: tuple[str, ...], warm_up: bool) -> None:
        """Runs the query on each side and compares the answers; a failed query is left alone."""
        if self.errors:
            return
        runs = {side: sides[side].ask(carry_out, self.text, warm_up) for side in order}
        self.errors = {side: run.error for side, run in runs.items() if run.error}
        if self.errors:
            return
        problem = difference(runs["spark"].answer, runs["reprise"].answer)
        self.difference = self.difference or problem
        if warm_up:
            self.row_based = runs["reprise"].row_based
            self.rows = len(runs["spark"].answer.rows)
            return
        for side in SIDES:
            self.timed[side].append(runs[side])

    def result(self) -> dict:
        """The query's entry in the report."""
        result = {"query": self.number, "equal": not self.errors and not self.difference}
        if self.errors:
            return {**result, "failed": self.errors, "ratio": None, "fallbacks": self.row_based}
        for side in SIDES:
            seconds = [run.total_s for run in self.timed[side]]
            result[f"{side}_s"] = statistics.median(seconds)
            result[f"{side}_rounds_s"] = [round(taken, 4) for taken in seconds]
        result["ratio"] = result["spark_s"] / result["reprise_s"]
        result["planning_s"] = statistics.median(run.plan_s for run in self.timed["reprise"])
        result["spark_planning_s"] = statistics.median(run.plan_s for run in self.timed["spark"])
        result |= {"rows": self.rows, "fallbacks": self.row_based, "difference": self.difference}
        return result


def warm_up(sides: dict[str, Side], texts: dict[int, str]) -> dict[int, QueryRuns]:
    """Runs every query once on each side, not timed: compiles what is common to all of them."""
    queries = {number: QueryRuns(number, text) for number, text in texts.items()}
    for query in queries.values():
        query.run(sides, SIDES, warm_up=True)
    return queries


def measure(sides: dict[str, Side], query: QueryRuns, rounds: int) -> dict:
    """The timed rounds of a query; the sides go first by turns."""
    for turn in range(rounds):
        query.run(sides, SIDES if turn % 2 == 0 else SIDES[::-1], warm_up=False)
    return query.result()
