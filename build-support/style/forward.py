"""Includes of headers of the core for which a forward declaration would do.

Only what is certain is reported: the header names nothing of the included one but classes, and
these only as `const T&`, `T*` and the like in declarations, outside of templates' arguments.
"""

import re

from . import Sources
from .cpp import code_of, items, without_template
from .declarations import said_by

_INCLUDE = re.compile(r'^#include "([^"]+\.h)"', re.MULTILINE)
_CLASS = re.compile(r"(?:class|struct)\s+(\w+)$")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def _names(text: str) -> tuple[set[str], set[str]]:
    """The classes that a header defines, and whatever else it gives a name."""
    classes, others = set(), set(_MACRO.findall(text))
    for item in items(text):
        head = without_template(item.head)
        match = _CLASS.match(said_by(item) or "")
        inside = any(not head.startswith("namespace") for head in item.scope)
        if item.kind == "type" and match and not inside and not item.head.startswith("template"):
            classes.add(match[1])
        elif not inside:
            others |= set(_WORD.findall(head))
    return classes, others - classes


def _only_referred_to(name: str, text: str) -> bool:
    """Whether each mention is `T&` or `T*` in a declaration, outside of templates' arguments."""
    code = code_of(text)
    whole = re.compile(rf"(?<![\w:]){name}\b")
    mentions = len(re.findall(rf"\b{name}\b", code))
    declared = 0
    for item in items(text):
        found = whole.findall(item.head)
        referred = re.findall(rf"(?<![\w:<]){name}\s*(?:const\s*)?[&*]+(?!\s*>)", item.head)
        if item.kind != "declaration" or len(found) != len(referred):
            if found:
                return False
            continue
        declared += len(found)
    # What is in a body, or in a base class, is not among the declarations.
    return 0 < mentions == declared and not _is_looked_into(name, text)


def _is_looked_into(name: str, text: str) -> bool:
    """Whether a body in the header uses what a variable of the class refers to."""
    lines = code_of(text).splitlines()
    bodies = "\n".join(
        line
        for item in items(text)
        if item.kind == "function"
        for line in lines[item.first_line - 1 : item.last_line]
    )
    variables = re.findall(rf"\b{name}\s*(?:const\s*)?[&*]+\s*(?:const\s+)?(\w+)", code_of(text))
    return any(re.search(rf"\*{each}\b|\b{each}\s*(?:->|\.|\()", bodies) for each in variables)


def needless_includes(sources: Sources) -> list[str]:
    """A header's include of another for classes that it only refers to."""
    headers = {p: t for p, t in sources.items() if p.startswith("core/") and p.endswith(".h")}
    names = {path: _names(text) for path, text in headers.items()}
    breaches = []
    for path, text in headers.items():
        words = set(_WORD.findall(code_of(text)))
        for include in _INCLUDE.findall(text):
            if (other := f"core/{include}") not in names:
                continue
            classes, others = names[other]
            used = classes & words
            if used and not others & words and all(_only_referred_to(n, text) for n in used):
                breaches.append(
                    f"{path}: includes {include} for {', '.join(sorted(used))} alone, of which "
                    "forward declarations would do"
                )
    return breaches
