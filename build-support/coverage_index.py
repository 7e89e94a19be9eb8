"""Writes index.html over the reports of the core (gcovr), the plug-in (JaCoCo) and the Python
package (coverage).

Usage: coverage_index.py REPORT, a folder with core.json, plugin.csv, python.json and the reports
core/, plugin/ and python/.
"""

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

STYLE = (
    "body{font:15px system-ui,sans-serif;margin:2rem auto;max-width:44rem;color:#2b2f36}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}tr{border-bottom:1px solid #d9dde3}"
    "meter{width:10rem}"
)


def core_folders(summary: dict) -> dict[str, tuple[int, int]]:
    """Lines that ran, and lines, of each folder of the core."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for file in summary["files"]:
        folder = "/".join(file["filename"].split("/")[:2])
        found[folder][0] += file["line_covered"]
        found[folder][1] += file["line_total"]
    return {folder: (ran, lines) for folder, (ran, lines) in found.items()}


def plugin_packages(rows: list[dict]) -> dict[str, tuple[int, int]]:
    """Lines that ran, and lines, of each package of the plug-in."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        ran, missed = int(row["LINE_COVERED"]), int(row["LINE_MISSED"])
        found[row["PACKAGE"]][0] += ran
        found[row["PACKAGE"]][1] += ran + missed
    return {package: (ran, lines) for package, (ran, lines) in found.items()}


def python_modules(summary: dict) -> dict[str, tuple[int, int]]:
    """Lines that ran, and lines, of each module of the Python package."""
    return {
        Path(file).stem: (found["summary"]["covered_lines"], found["summary"]["num_statements"])
        for file, found in summary["files"].items()
    }


def table(title: str, page: str, parts: dict[str, tuple[int, int]]) -> str:
    """One part's lines as an HTML table, its sum first."""
    total = tuple(sum(column) for column in zip(*parts.values(), strict=True)) or (0, 0)
    rows = [f'<h2><a href="{page}">{title}</a></h2><table>', "<tr><th><th>lines<th>ran<th><th>"]
    for name, (ran, lines) in [("all", total), *sorted(parts.items())]:
        share = ran / lines if lines else 0.0
        rows.append(
            f"<tr><td>{name}<td>{lines:,}<td>{ran:,}<td>{share:.1%}"
            f'<td><meter value="{share:.3f}" low="0.6" high="0.85" optimum="1"></meter>'
        )
    return "\n".join([*rows, "</table>"])


def main() -> None:
    report = Path(sys.argv[1])
    core = core_folders(json.loads((report / "core.json").read_text()))
    with (report / "plugin.csv").open() as file:
        plugin = plugin_packages(list(csv.DictReader(file)))
    python = python_modules(json.loads((report / "python.json").read_text()))
    text = [
        "<!DOCTYPE html><meta charset='utf-8'><title>Coverage of Reprise</title>",
        f"<style>{STYLE}</style><h1>Lines that the tests ran</h1>",
        table("The core (C++)", "core/index.html", core),
        table("The plug-in (Scala, Java)", "plugin/index.html", plugin),
        table("The package (Python)", "python/index.html", python),
    ]
    (report / "index.html").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
