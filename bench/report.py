"""What the bench found out, as a table on the terminal and as JSON."""

import math
from collections import Counter

HEADING = (
    f"{'':4} {'Spark':>9} {'Reprise':>9} {'ratio':>7}   {'planning':>9} {'of Spark':>9}   "
    f"{'DuckDB':>8}   answers    fell back"
)


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:6.0f} ms"


def _counted(names: list[str]) -> str:
    parts = [name if n == 1 else f"{n} {name}" for name, n in Counter(names).items()]
    return ", ".join(parts) or "nothing"


def line_of(result: dict) -> str:
    """A query's line of the table; a failure takes the place of the figures."""
    name = f"Q{result['query']:<3}"
    if "failed" in result:
        return "\n".join(
            f"{name} failed on {side}: {' '.join(error.split())[:300]}"
            for side, error in result["failed"].items()
        )
    duck = f"{result['duckdb_s']:6.3f} s" if result.get("duckdb_s") else f"{'-':>8}"
    text = (
        f"{name} {result['spark_s']:7.3f} s {result['reprise_s']:7.3f} s "
        f"{result['ratio']:6.2f} x   {_milliseconds(result['planning_s'])} "
        f"{_milliseconds(result['spark_planning_s'])}   {duck}   "
        f"{'equal    ' if result['equal'] else 'DIFFERENT'}  {_counted(result['fallbacks'])}"
    )
    return text if result["equal"] else f"{text}\n{result['difference']}"


def summary(results: list[dict]) -> dict:
    """Totals over the queries that ran on both sides; None where none did."""
    ran = [result for result in results if "failed" not in result]
    failed = [result["query"] for result in results if "failed" in result]
    if not ran:
        return {"total_ratio": None, "geometric_mean": None, "failed": failed}
    total = {side: sum(result[f"{side}_s"] for result in ran) for side in ("spark", "reprise")}
    logs = [math.log(result["ratio"]) for result in ran]
    duck = [result["duckdb_s"] for result in ran if result.get("duckdb_s")]
    return {
        "spark_total_s": total["spark"],
        "reprise_total_s": total["reprise"],
        "duckdb_total_s": sum(duck) if len(duck) == len(ran) else None,
        "total_ratio": total["spark"] / total["reprise"],
        "geometric_mean": math.exp(sum(logs) / len(logs)),
        "slower_than_spark": [result["query"] for result in ran if result["ratio"] < 1],
        "failed": failed,
        "different": [result["query"] for result in ran if not result["equal"]],
    }


def closing_lines(total: dict, peak_mib: dict[str, float]) -> str:
    """The lines below the table."""
    text = []
    if total["total_ratio"] is not None:
        duck = total["duckdb_total_s"]
        text += [
            f"All  {total['spark_total_s']:7.3f} s {total['reprise_total_s']:7.3f} s "
            f"{total['total_ratio']:6.2f} x   {'':22} {f'{duck:6.3f} s' if duck else '':>8}",
            f"Geometric mean of the ratios: {total['geometric_mean']:.2f} x",
        ]
    peaks = ", ".join(f"{side} {mib:,.0f} MiB" for side, mib in peak_mib.items())
    text.append(f"Peak memory of the JVM's process: {peaks}")
    for what in ("slower_than_spark", "failed", "different"):
        if total.get(what):
            queries = ", ".join(f"Q{n}" for n in total[what])
            text.append(f"{what.replace('_', ' ').capitalize()}: {queries}")
    return "\n".join(text)
