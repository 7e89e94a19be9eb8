"""Reads the SQL files of tests/sql.

A file holds statements that end with `;` at the end of a line, and directives in comments:

    -- conf KEY=VALUE             for the rest of the file
    -- each KEY=VALUE1|VALUE2     the whole file runs with each value (several lines: every pair)
    -- expect native: A, B        the plan of the next statement shows these operators of Reprise
    -- expect all native          the plan of the next statement has no operator of Spark's own
    -- expect no native           the plan of the next statement shows no operator of Reprise
    -- expect no guest            the plan of the next statement shows no expression as a guest
    -- expect plan: TEXT          the next statement's plan shows this text on Spark alone too
    -- error CONDITION            the next statement fails with this error condition, or of Java's
                                  own exceptions the class
    -- error CONDITION since 4.3  what Spark fails with since then
    -- error CONDITION before 4.0 what Spark 3.5 has in the place of that, or "none"
    -- expect … since 4.0         one of the expectations above, which earlier Sparks do not meet
    -- ordered                    the next statement's rows are compared in order
    -- ordered by A, B            as ordered; where memory is denied, rows that are equal in these
                                  columns may come in another order
    -- first by A, B              as ordered by; where memory is denied, of the rows that are equal
                                  in these columns others may be there

Any other comment is only a comment.
"""

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

from places import SPARK


@dataclass
class Statement:
    """One statement, and what the directives before it say of it."""

    line: int
    text: str
    native: list[str] = field(default_factory=list)
    all_native: bool = False
    no_native: bool = False
    no_guest: bool = False
    in_plan: list[str] = field(default_factory=list)
    error: str | None = None
    earlier: str | None = None  # that of Spark 3.5
    ordered: bool = False
    keys: list[str] = field(default_factory=list)  # by which rows are ordered
    first: bool = False  # only the first rows by the keys are there
    conf: dict[str, str] = field(default_factory=dict)  # settings made before this statement


@dataclass
class SqlFile:
    """A file's statements, and the settings under each combination of which it runs."""

    path: Path
    statements: list[Statement]
    combinations: list[dict[str, str]]


# What a version of Spark calls other error conditions than those that files expect.
CONDITIONS = {
    "4.0": {"REMAINDER_BY_ZERO": "DIVIDE_BY_ZERO"},
    "3.5": {
        "REMAINDER_BY_ZERO": "DIVIDE_BY_ZERO",
        "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION": "NUMERIC_VALUE_OUT_OF_RANGE",
        "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION": "NUMERIC_VALUE_OUT_OF_RANGE",
    },
}


def _setting(text: str, where: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator:
        raise ValueError(f"{where}: expected KEY=VALUE, found {text!r}")
    return key.strip(), value.strip()


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def _apply(directive: str, pending: Statement, each: dict[str, list[str]], where: str) -> None:
    """Records one comment line; a comment that is no directive is ignored."""
    if match := re.fullmatch(r"(expect .*) since ([\d.]+)", directive):
        if _numbers(SPARK) < _numbers(match[2]):
            return
        directive = match[1]
    if match := re.fullmatch(r"error ([A-Za-z0-9_.]+) before 4\.0", directive):
        pending.earlier = match[1]
    elif match := re.fullmatch(r"error ([A-Za-z0-9_.]+) since ([\d.]+)", directive):
        if _numbers(SPARK) >= _numbers(match[2]):
            pending.error = match[1]
    elif match := re.fullmatch(r"conf (.*)", directive):
        key, value = _setting(match[1], where)
        pending.conf[key] = value
    elif match := re.fullmatch(r"each (.*)", directive):
        key, value = _setting(match[1], where)
        each[key] = value.split("|")
    elif match := re.fullmatch(r"expect native: (.*)", directive):
        pending.native += [name.strip() for name in match[1].split(",")]
    elif match := re.fullmatch(r"expect plan: (.*)", directive):
        pending.in_plan.append(match[1].strip())
    elif directive == "expect all native":
        pending.all_native = True
    elif directive == "expect no native":
        pending.no_native = True
    elif directive == "expect no guest":
        pending.no_guest = True
    elif match := re.fullmatch(r"error ([A-Za-z0-9_.]+)", directive):
        pending.error = CONDITIONS.get(SPARK, {}).get(match[1], match[1])
    elif directive == "ordered":
        pending.ordered = True
    elif match := re.fullmatch(r"(ordered|first) by ([\w, ]+)", directive):
        pending.ordered = True
        pending.first = match[1] == "first"
        pending.keys = [name.strip() for name in match[2].split(",")]
    elif re.match(r"(conf|each|expect|error|(ordered|first) by)\b", directive):
        raise ValueError(f"{where}: malformed directive: {directive!r}")


def read(path: Path) -> SqlFile:
    """Parses a file; raises ValueError with file and line where a directive is malformed."""
    statements: list[Statement] = []
    each: dict[str, list[str]] = {}
    pending = Statement(0, "")
    lines: list[str] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("--"):
            _apply(line[2:].strip(), pending, each, f"{path.name}:{number}")
            continue
        if not line.strip() and not lines:
            continue
        if not lines:
            pending.line = number
        lines.append(line)
        if line.rstrip().endswith(";"):
            if SPARK == "3.5" and pending.earlier:
                pending.error = None if pending.earlier == "none" else pending.earlier
                if pending.error:  # there is no plan to look into
                    pending.native, pending.in_plan = [], []
                    pending.all_native = pending.no_native = pending.no_guest = False
            pending.text = "\n".join(lines).rstrip().rstrip(";")
            statements.append(pending)
            pending, lines = Statement(0, ""), []
    if lines:
        raise ValueError(f"{path.name}:{pending.line}: the last statement has no ';'")
    names = list(each)
    combinations = [
        dict(zip(names, combination, strict=True))
        for combination in itertools.product(*each.values())
    ]
    return SqlFile(path, statements, combinations)
