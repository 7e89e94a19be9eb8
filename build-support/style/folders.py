"""The order of the core's folders, which ARCHITECTURE.md says, and the plug-in's packages."""

import re
from pathlib import PurePath

from . import Sources


def core_order(sources: Sources) -> tuple[list[str], list[str]]:
    """The folders in which a query's data goes through them, and those that may include all."""
    table = sources["ARCHITECTURE.md"].partition("| folder |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in table.splitlines()[2:]]
    return [row[0] for row in rows if len(row) == 1], [
        n for row in rows if len(row) > 1 for n in row
    ]


def include_order(sources: Sources) -> list[str]:
    """An include of a core folder that stands later than the file's own; a folder without place."""
    order, free = core_order(sources)
    breaches = []
    for path, text in sources.items():
        parts = PurePath(path).parts
        if parts[0] != "core" or len(parts) < 3 or not path.endswith((".cc", ".h")):
            continue
        folder = parts[1]
        if folder in free:
            continue
        if folder not in order:
            breaches.append(f"{path}: ARCHITECTURE.md gives the folder {folder} no place in core/")
            continue
        later = {*order[order.index(folder) + 1 :], *free}
        for number, line in enumerate(text.splitlines(), 1):
            if (match := re.match(r'#include "([a-z_]+)/', line)) and match[1] in later:
                breaches.append(f"{path}:{number}: {folder}/ includes {match[1]}/, a later folder")
    return breaches


def build_order(sources: Sources) -> list[str]:
    """Another order of folders in the build, which says what a folder links."""
    order, _ = core_order(sources)
    built = re.findall(
        r"^reprise_folder\((\w+)", sources.get("core/CMakeLists.txt", ""), re.MULTILINE
    )
    if built == order:
        return []
    return [
        f"core/CMakeLists.txt: folders are built as {built}; in ARCHITECTURE.md they are {order}"
    ]


def jni_stays_in_jni(sources: Sources) -> list[str]:
    """Only core/jni includes jni.h."""
    return [
        f"{path}: includes jni.h, which only core/jni may"
        for path, text in sources.items()
        if path.startswith("core/")
        and not path.startswith("core/jni/")
        and re.search(r"^#include [<\"]jni\.h", text, re.MULTILINE)
    ]


def _named_packages(text: str) -> set[str]:
    """The packages that Scala or Java names, in imports and code; not in comments and texts."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    code = re.sub(r"//.*|\"(?:\\.|[^\"\\\n])*\"|^package .*", "", code, flags=re.MULTILINE)
    return set(re.findall(r"(?<![\w.])(?:reprise|org\.apache\.spark)(?:\.\w+)*(?=\.[\w{])", code))


def package_cycles(sources: Sources) -> list[str]:
    """Packages of the plug-in that name each other, be it through others."""
    texts = [
        text
        for path, text in sources.items()
        if path.startswith("spark/src/main/") and path.endswith((".scala", ".java"))
    ]
    declared = [re.search(r"^package ([\w.]+)", text, re.MULTILINE)[1] for text in texts]
    uses: dict[str, set[str]] = {package: set() for package in declared}
    for package, text in zip(declared, texts, strict=True):
        for name in _named_packages(text):
            # The innermost of ours; what else lies in Spark's packages is Spark's.
            inner = [p for p in uses if f"{name}.".startswith(f"{p}.")]
            if inner:
                uses[package].add(max(inner, key=len))
    while leaves := [p for p, used in uses.items() if not used & uses.keys() - {p}]:
        for package in leaves:
            del uses[package]
    # What is left is in a cycle, or uses what is.
    return [
        f"spark/src/main: packages in a cycle, or above one: {package} uses "
        + ", ".join(sorted(used & uses.keys() - {package}))
        for package, used in sorted(uses.items())
    ]
