"""The style rules that a machine can check: prints one line a breach, and fails where one is."""

import subprocess
import sys
import tempfile
from pathlib import Path

from style import Sources, builds, declarations, files, folders, forward, functions

ROOT = Path(__file__).resolve().parent.parent
RULES = (
    folders.include_order,
    folders.build_order,
    folders.jni_stays_in_jni,
    folders.package_cycles,
    files.vague_names,
    files.marks_for_later,
    files.long_files,
    functions.long_functions,
    builds.unbuilt_cpp,
    builds.unbuilt_plugin,
    builds.unused_support,
    declarations.declared_twice,
    declarations.constants_twice,
    forward.needless_includes,
)


def tracked_sources() -> Sources:
    """The texts of the files that git knows, or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    sources = {}
    for name in names.stdout.splitlines():
        content = path.read_bytes() if (path := ROOT / name).is_file() else b"\0"
        if b"\0" not in content:
            sources[name] = content.decode(errors="replace")
    return sources


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
    sources = tracked_sources()
    breaches = [breach for rule in RULES for breach in rule(sources)] + stale_reference_pages()
    for breach in breaches:
        print(breach, file=sys.stderr)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
