"""What a suite reported: ScalaTest's report in JUnit's XML, and the last lines of its output."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

# A failed comparison quotes strings, whatever is in them; XML has no place for some of it.
NOT_XML = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:x0?[0-9a-f]|[0-9]|[12][0-9]|3[01]);"
)


@dataclass
class Outcomes:
    """The tests of a suite by how they ended; of those that failed, with the message."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)


def outcomes_of(report: Path) -> Outcomes:
    """Reads a report."""
    outcomes = Outcomes()
    text = NOT_XML.sub("?", report.read_text(errors="replace"))
    for case in ElementTree.fromstring(text).iter("testcase"):
        name = one_line(case.get("name", ""))
        failure = case.find("failure") if case.find("failure") is not None else case.find("error")
        if failure is not None:
            outcomes.failed[name] = failure.get("message") or failure.get("type") or "no message"
        elif case.find("skipped") is not None:
            outcomes.skipped.append(name)
        else:
            outcomes.passed.append(name)
    return outcomes


def one_line(name: str) -> str:
    """A test's name as differs.txt has it."""
    return " ".join(name.split())


def ended_whole(output: Path) -> bool:
    """Did the suite run to its end, and was nothing wrong outside its tests?"""
    return "Suites: completed 1, aborted 0" in output.read_text(errors="replace")
