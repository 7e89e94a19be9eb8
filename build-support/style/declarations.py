"""Declarations of the core that stand twice."""

import re
from collections import defaultdict
from pathlib import PurePath

from . import Sources
from .cpp import Item, items, without_template

_NAMED = re.compile(r"([\w:~]+)\s*\((.*)\)\s*(?:const|noexcept|\s)*$", re.DOTALL)
_NO_FUNCTION = re.compile(
    r"(using|typedef|friend|extern|static_assert|class|struct|enum|template)\b"
)
_CONSTANT = re.compile(
    r"(?=.*\b(?:constexpr|const)\b)[^=(]*?\b(k[A-Z]\w*)\s*(?:\[\w*\])?\s*=\s*(.*)"
)


def _namespace(item: Item) -> str | None:
    """The namespaces around it, or None within a type."""
    if any(not re.match(r"(inline\s+)?namespace\b|extern\b", head) for head in item.scope):
        return None
    return "::".join(re.sub(r"^(inline\s+)?namespace\s*", "", head) for head in item.scope)


def _parameter_types(parameters: str) -> str:
    """Without names and defaults: `const Row& row, int n = 1` is `const Row&,int`."""
    types, depth, part = [], 0, ""
    for character in f"{parameters},":
        depth += {"<": 1, "(": 1, "{": 1, ">": -1, ")": -1, "}": -1}.get(character, 0)
        if character != "," or depth:
            part += character
            continue
        part = part.split("=")[0].strip()
        named = re.fullmatch(r"(.+[\s*&>])[A-Za-z_]\w*", part, re.DOTALL)
        types.append(re.sub(r"\s+", "", named[1] if named else part))
        part = ""
    return ",".join(types)


def _function(item: Item) -> str | None:
    head = without_template(item.head)
    match = _NAMED.search(head)
    if not match or _NO_FUNCTION.match(item.head) or "=" in head.split("(")[0]:
        return None
    return f"{match[1]}({_parameter_types(match[2])})"


def said_by(item: Item) -> str | None:
    """What the item says to whoever includes it, in words that are the same if it is said again."""
    head = without_template(item.head)
    if item.kind == "type":
        return re.sub(r"\s*(?:final\s*)?(?<!:):(?!:).*", "", head, flags=re.DOTALL)
    if item.kind == "declaration" and (constant := _CONSTANT.match(head)):
        return constant[1]
    if alias := re.match(r"using\s+(\w+)\s*=", head):
        return alias[1]
    return _function(item)


def declared_twice(sources: Sources) -> list[str]:
    """A function, type or constant of one namespace that stands twice in the core's headers."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path, text in sources.items():
        if not path.startswith("core/") or not path.endswith(".h"):
            continue
        for item in items(text):
            namespace = _namespace(item)
            # A specialisation is another one for each of its arguments.
            if namespace is None or item.head.startswith("template"):
                continue
            if said := said_by(item):
                places[namespace, said].append(f"{path}:{item.first_line}")
    return [
        f"{found[1]}: {said} stands in {found[0]} too; include that"
        for (_, said), found in places.items()
        if len(found) > 1
    ]


def constants_twice(sources: Sources) -> list[str]:
    """A constant of one name and one value that two files of the core define for themselves."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path, text in sources.items():
        if not path.startswith("core/") or PurePath(path).suffix not in {".cc", ".h"}:
            continue
        if re.search(r"/sample_|_(test|testing|main)\.\w+$", path):
            continue
        lines = text.splitlines()
        for item in items(text):
            head = without_template(item.head)
            if item.kind == "declaration" and _namespace(item) is not None:
                # The value as it is written: texts count.
                written = " ".join(lines[item.first_line - 1 : item.last_line])
                if _CONSTANT.match(head) and (constant := _CONSTANT.search(written)):
                    value = re.sub(r"\s+", " ", constant[2].split(";")[0])
                    places[constant[1], value].append(f"{path}:{item.first_line}")
    return [
        f"{found[1]}: {name} stands in {found[0]} too; let both read it at one place"
        for (name, _), found in places.items()
        if len(found) > 1
    ]
