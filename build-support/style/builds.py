"""Files that nothing builds, includes or runs."""

import re
from pathlib import PurePath

from . import Sources

CPP = (".cc", ".h")


def _pattern(glob: str) -> re.Pattern:
    return re.compile(re.escape(glob).replace(r"\*", "[^/]*"))


def _built(sources: Sources) -> list[tuple[re.Pattern, bool]]:
    """What the CMakeLists name, and whether it is named for each of the core's folders alike."""
    patterns = []
    for path, text in sources.items():
        if PurePath(path).name != "CMakeLists.txt":
            continue
        here = f"{folder}/" if (folder := str(PurePath(path).parent)) != "." else ""
        folders = re.findall(r"^reprise_folder\((\w+)", text, re.MULTILINE)
        for token in re.findall(r"[^\s\"()]+\.cc\b(?!\$)", text):
            name = token.replace("${CMAKE_SOURCE_DIR}/", "/")
            name = name.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
            name = name[1:] if name.startswith("/") else f"{here}{name}"
            while match := re.search(r"[^/]+/\.\./", name):
                name = name.replace(match[0], "", 1)
            for folder in folders if "${name}" in name else ("",):
                patterns.append((_pattern(name.replace("${name}", folder)), bool(folder)))
    return patterns


def unbuilt_cpp(sources: Sources) -> list[str]:
    """A C++ file that no CMakeLists takes, or a header that no file includes."""
    built = _built(sources)
    included = {
        PurePath(name).name
        for path, text in sources.items()
        if PurePath(path).suffix in CPP
        for name in re.findall(r'#include "([^"]+)"', text)
    }
    named = "\n".join(text for path, text in sources.items() if path.endswith("CMakeLists.txt"))
    breaches = []
    for path in sources:
        name = PurePath(path).name
        # A program's main file is left out of its folder's library.
        alone = name.endswith("_main.cc")
        if path.endswith(".cc"):
            if not any(p.fullmatch(path) and not (alone and of_folder) for p, of_folder in built):
                breaches.append(f"{path}: no CMakeLists builds it; remove it or add it to one")
        elif path.endswith(".h") and name not in included and name not in named:
            breaches.append(f"{path}: nothing includes it; remove it")
    return breaches


def unbuilt_plugin(sources: Sources) -> list[str]:
    """A source of the plug-in in a folder that spark/pom.xml does not compile."""
    pom = sources.get("spark/pom.xml", "")
    named = re.findall(r"<(spark|scala)(?:\.(?:binary|major))?\.version>([\d.]+)<", pom)
    sides = [
        ("spark", side, of) for of, side in re.findall(r"<side-of\.([\d.]+)>(before|since)<", pom)
    ]
    names = ("java", "scala", *map("-".join, [*named, *sides]))
    roots = tuple(f"spark/src/{of}/{root}/" for of in ("main", "test") for root in names)
    return [
        f"{path}: spark/pom.xml does not compile this folder"
        for path in sources
        if path.startswith("spark/src/")
        and path.endswith((".scala", ".java"))
        and not path.startswith(roots)
    ]


def unused_support(sources: Sources) -> list[str]:
    """A file that tests may use, and none does, nor is it told of."""
    breaches = []
    for path in sources:
        name = PurePath(path)
        if not path.startswith(("tests/support/", "build-support/")) or name.stem == "__init__":
            continue
        known = re.compile(rf"\b{re.escape(name.stem)}\b")
        if not any(
            name.stem in text and known.search(text)
            for other, text in sources.items()
            if other != path
        ):
            breaches.append(f"{path}: nothing uses {name.name}; remove it, or say who runs it")
    return breaches
