"""What a file is called, how long it is, and what it leaves for later."""

import re
from pathlib import PurePath

from . import Sources

CODE = {".cc", ".h", ".scala", ".java", ".py", ".sh", ".cmake"}
# Of what is common, compilers speak of subexpressions.
VAGUE_NAMES = re.compile(
    r"(^|[_\-.])(utils?|helpers?|common(?!_subexpressions)|misc)([_\-.]|$)", re.IGNORECASE
)
MARKS = re.compile(r"\b(TODO|FIXME|XXX)\b")  # tidy: these are the marks
LINES_MOST = 600
REASON = "Long because"  # a longer file says so near its top, with its reason


def _code(sources: Sources) -> Sources:
    return {path: text for path, text in sources.items() if PurePath(path).suffix in CODE}


def vague_names(sources: Sources) -> list[str]:
    """A name that says nothing of what is inside."""
    return [
        f"{path}: name the concept; {PurePath(path).name} says nothing"
        for path in _code(sources)
        if VAGUE_NAMES.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", PurePath(path).stem))
    ]


def marks_for_later(sources: Sources) -> list[str]:
    """A mark for later work: it belongs in an issue."""
    return [
        f"{path}:{number}: {match[0]}; write an issue"
        for path, text in _code(sources).items()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := MARKS.search(line)) and "tidy: these are the marks" not in line
    ]


def long_files(sources: Sources) -> list[str]:
    """A file of more lines than one concept needs, unless its first lines say why."""
    return [
        f"{path}: {len(lines)} lines; split it, or say near its top "
        f'"{REASON} …" (usual is 150, limit {LINES_MOST})'
        for path, text in _code(sources).items()
        if len(lines := text.splitlines()) > LINES_MOST
        and not any(REASON in line for line in lines[:40])
    ]
