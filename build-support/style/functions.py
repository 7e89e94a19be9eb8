"""Functions that do not fit on a screen."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePath

from . import Sources
from .cpp import items, without_texts

LINES_MOST = 60
Function = tuple[str, int, int]  # name, first and last line


def _cpp_functions(text: str) -> Iterator[Function]:
    for item in items(text):
        if item.kind == "function":
            yield item.name, item.first_line, item.last_line


def _scala_functions(text: str) -> Iterator[Function]:
    """By indentation, as a body needs no braces: a function ends before what stands no deeper."""
    lines = without_texts(re.sub(r'"""[\s\S]*?"""', lambda m: "\n" * m[0].count("\n"), text))
    lines = lines.splitlines()
    for first, line in enumerate(lines):
        if not (match := re.match(r"(\s*)(?:[\w\[\]]+\s+)*def\s+([^\s(\[:=]+)", line)):
            continue
        depth, last = len(match[1]), first
        for number, later in enumerate(lines[first + 1 :], first + 1):
            if not later.strip():
                continue
            if len(later) - len(later.lstrip()) <= depth and not re.match(r"\s*[)\]}]", later):
                break
            if len(later) - len(later.lstrip()) < depth:
                break
            last = number
        yield match[2], first + 1, last + 1


def _python_functions(text: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


FUNCTIONS = {
    **dict.fromkeys((".cc", ".h", ".java"), _cpp_functions),
    ".scala": _scala_functions,
    ".py": _python_functions,
}


def long_functions(sources: Sources) -> list[str]:
    """A function of more lines than fit on a screen."""
    breaches = []
    for path, text in sources.items():
        functions = FUNCTIONS.get(PurePath(path).suffix)
        for name, first, last in functions(text) if functions else ():
            if last - first >= LINES_MOST:
                breaches.append(
                    f"{path}:{first}: {name} has {last - first + 1} lines; take a step "
                    f"out that has a name of its own (limit {LINES_MOST})"
                )
    return breaches
