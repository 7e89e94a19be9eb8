"""The style rules that a machine can check: prints one line a breach, and fails where one is."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Data goes through the folders of the core in this order; a folder includes only those before it.
CORE_ORDER = (
    *("base", "checksums", "plan", "vocabulary", "rules", "expressions", "sql", "exchange"),
    *("transitions", "operators", "scan", "dump", "flame", "replay", "eventlog", "lineage"),
    *("ledger", "profile", "task"),
)
CORE_FREE = ("jni", "cli")
# Of what is common, compilers speak of subexpressions.
VAGUE_NAMES = re.compile(
    r"(^|[_\-.])(utils?|helpers?|common(?!_subexpressions)|misc)([_\-.]|$)", re.IGNORECASE
)
SOURCES = {".cc", ".h", ".scala", ".java", ".py", ".sh", ".cmake"}
LINES_USUAL = 400
REASON = "Long because"  # a longer file says so near its top, with its reason


def tracked_files() -> list[Path]:
    """Files that git knows, or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for name in names.stdout.splitlines() if (path := ROOT / name).is_file()]


def include_order(path: Path, text: str) -> list[str]:
    """An include of a core folder that stands later than the file's own."""
    relative = path.relative_to(ROOT)
    if relative.parts[0] != "core" or path.suffix not in {".cc", ".h"} or len(relative.parts) < 3:
        return []
    folder = relative.parts[1]
    if folder in CORE_FREE:
        return []
    if folder not in CORE_ORDER:
        return [f"{relative}: folder {folder} has no place in the order of core/"]
    allowed = CORE_ORDER[: CORE_ORDER.index(folder) + 1]
    breaches = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'#include "([a-z_]+)/', line)
        if match and match[1] in CORE_ORDER + CORE_FREE and match[1] not in allowed:
            breaches.append(f"{relative}:{number}: {folder}/ includes {match[1]}/, a later folder")
    return breaches


def jni_stays_in_jni(path: Path, text: str) -> list[str]:
    """Only core/jni includes jni.h."""
    relative = path.relative_to(ROOT)
    if relative.parts[0] != "core" or relative.parts[1] == "jni":
        return []
    return [f"{relative}: includes jni.h"] if re.search(r"#include [<\"]jni\.h", text) else []


def no_vague_name(path: Path, text: str) -> list[str]:
    """A name that says nothing of what is inside."""
    relative = path.relative_to(ROOT)
    camel = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", path.stem)
    if VAGUE_NAMES.search(camel):
        return [f"{relative}: name the concept; {path.name} says nothing"]
    return []


def no_todo(path: Path, text: str) -> list[str]:
    """A mark for later work: it belongs in an issue."""
    if path == Path(__file__).resolve():
        return []
    marks = re.compile(r"\b(TODO|FIXME|XXX)\b")
    return [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for number, line in enumerate(text.splitlines(), 1)
        if (match := marks.search(line))
    ]


def not_too_long(path: Path, text: str) -> list[str]:
    """A file of more lines than one concept needs, unless its first lines say why."""
    lines = text.splitlines()
    if len(lines) <= LINES_USUAL or any(REASON in line for line in lines[:40]):
        return []
    return [
        f"{path.relative_to(ROOT)}: {len(lines)} lines; split it, or say near its top "
        f'"{REASON} …" (usual is 150, limit {LINES_USUAL})'
    ]


def named_packages(text: str) -> set[str]:
    """The packages that Scala or Java names, in imports and code; not in comments and texts."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    code = re.sub(r"//.*|\"(?:\\.|[^\"\\\n])*\"|^package .*", "", code, flags=re.MULTILINE)
    return set(re.findall(r"(?<![\w.])(?:reprise|org\.apache\.spark)(?:\.\w+)*(?=\.[\w{])", code))


def package_cycles() -> list[str]:
    """Packages of the plug-in that name each other, be it through others."""
    sources = [p for p in (ROOT / "spark/src/main").rglob("*") if p.suffix in {".scala", ".java"}]
    texts = [path.read_text() for path in sources]
    declared = [re.search(r"^package ([\w.]+)", text, re.MULTILINE)[1] for text in texts]
    uses: dict[str, set[str]] = {package: set() for package in declared}
    for package, text in zip(declared, texts, strict=True):
        for name in named_packages(text):
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


RULES = (include_order, jni_stays_in_jni, no_vague_name, no_todo, not_too_long)


def stale_reference_pages() -> list[str]:
    """Generated pages that differ from what the program prints today."""
    if not (ROOT / "dist/bin/reprise").exists():
        return ["dist/bin/reprise is missing: run `make build` before `make tidy`"]
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "build-support/reference_pages.sh"
        made = subprocess.run([script, folder], cwd=ROOT, check=False, capture_output=True)
        if made.returncode != 0:
            return [f"reference_pages.sh failed: {made.stderr.decode().strip()}"]
        breaches = []
        for page in sorted(Path(folder).iterdir()):
            kept = ROOT / "docs/reference" / page.name
            if not kept.exists() or kept.read_text() != page.read_text():
                breaches.append(f"{kept.relative_to(ROOT)} is stale: run `make docs`")
        return breaches


def main() -> int:
    breaches = []
    for path in tracked_files():
        if path.suffix in SOURCES:
            text = path.read_text()
            for rule in RULES:
                breaches += rule(path, text)
    breaches += package_cycles()
    breaches += stale_reference_pages()
    for breach in breaches:
        print(breach, file=sys.stderr)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
