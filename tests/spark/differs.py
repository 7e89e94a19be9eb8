"""The list of tests of Spark's that fail with the plug-in and may: differs.txt."""

from pathlib import Path

from reports import one_line

LIST = Path(__file__).parent / "differs.txt"
FAILS_ANYWAY = "fails without the plug-in"
KINDS = ("operator", "code", "metric", "order", "hook", FAILS_ANYWAY)


def listed(suite: str, with_plugin: bool, file: Path = LIST) -> set[str]:
    """The tests of a suite that are expected to fail; a line that is none is a ValueError."""
    names = set()
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ", 2)]
        kind, _, detail = parts[1].partition(": ") if len(parts) == 3 else ("", "", "")
        if kind not in KINDS or not detail:
            expected = f"SUITE | REASON: WHAT | TEST, with a reason of {', '.join(KINDS)}"
            raise ValueError(f"{file.name}:{number}: expected {expected}")
        if parts[0] == suite and (with_plugin or kind == FAILS_ANYWAY):
            names.add(one_line(parts[2]))
    return names
