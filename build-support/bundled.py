"""Writes down what of others jar, wheel and archive carry: licences, notices, a bill of materials.

Usage: bundled.py FOLDER ARCHITECTURE. Texts and versions are those of the packages that this build
has taken, so that they stay right when one is updated. FOLDER gets LICENSE, NOTICE, licenses/ and
reprise.cdx.json (CycloneDX).
"""

import json
import re
import shutil
import subprocess
import sys
from functools import partial
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
APACHE = ROOT / "LICENSE"
GPL_3 = Path("/usr/share/common-licenses/GPL-3")

# What Debian's packages of GCC's parts are called besides.
GCC_PACKAGES = {"x86_64": "", "aarch64": "-arm64-cross"}


class Part(NamedTuple):
    name: str
    version: str
    licence: str  # as SPDX writes it
    package: str  # where it comes from, as a package URL
    texts: tuple[Path, ...]
    what: str


def debian(
    architecture: str, name: str, package: str, licence: str, what: str, *texts: Path
) -> Part:
    """Code of a header, or of a library, that a package of Debian brings."""
    of = unpacked(architecture).get(package)
    root = parts_of(architecture) if of else Path("/")
    of = of or output_of("dpkg-query", "-W", "-f", "${Version} ${Architecture}", package)
    version, built_for = of.split()
    url = f"pkg:deb/debian/{package}@{version}?arch={built_for}"
    copyright_file = root / "usr/share/doc" / package / "copyright"
    return Part(name, version, licence, url, (copyright_file, *texts), what)


def parts_of(architecture: str) -> Path:
    return ROOT / "build" / f"{architecture}-parts"


def unpacked(architecture: str) -> dict[str, str]:
    """Versions of the packages that lie there and are not this system's."""
    listed = parts_of(architecture) / "packages"
    lines = listed.read_text().splitlines() if listed.exists() else []
    return dict(line.split(" ", 1) for line in lines)


def python(name: str, package: str, licence: str, what: str, *files: str) -> Part:
    """What a Python package brings; its files as its wheel lists them, each by its last names."""
    found = distribution(package)
    texts = tuple(
        Path(str(found.locate_file(file)))
        for wanted in files
        for file in found.files
        if str(file).endswith(wanted)
    )
    if len(texts) != len(files):
        raise SystemExit(f"{package} {found.version} has not the files {', '.join(files)}")
    url = f"pkg:pypi/{package}@{found.version}"
    return Part(name, found.version, licence, url, texts, what)


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def pinned(file: str, pattern: str) -> str:
    return re.search(pattern, (ROOT / file).read_text())[1]


def bundled(architecture: str) -> list[Part]:
    of_debian = partial(debian, architecture)
    profiler = pinned("spark/pom.xml", r"<async-profiler.version>([^<]+)<")
    d3 = pinned("build-support/page-parts.xml", r"d3-hierarchy</artifactId>\s*<version>([^<]+)<")
    gcc = output_of("g++", "-dumpversion")
    return [
        python(
            *("Apache Arrow", "pyarrow", "Apache-2.0"),
            "libarrow, libarrow_compute and libparquet, with all that is linked into them",
            "licenses/LICENSE.txt",
        ),
        Part(
            *("async-profiler", profiler, "Apache-2.0"),
            f"pkg:maven/tools.profiler/async-profiler@{profiler}",
            *((APACHE,), "the jar's linux-*/libasyncProfiler.so and one.profiler"),
        ),
        of_debian("simdjson", "libsimdjson-dev", "Apache-2.0", "libsimdjson", APACHE),
        of_debian("fmt", "libfmt-dev", "MIT", "compiled in"),
        of_debian("JSON for Modern C++", "nlohmann-json3-dev", "MIT", "compiled in"),
        of_debian("CLI11", "libcli11-dev", "BSD-3-Clause", "compiled in"),
        of_debian("protozero", "libprotozero-dev", "BSD-2-Clause AND Apache-2.0", "compiled in"),
        of_debian("PCRE2", "libpcre2-dev", "BSD-3-Clause", "compiled in"),
        of_debian("xxHash", "libxxhash-dev", "BSD-2-Clause", "compiled in"),
        of_debian(
            *("GCC runtime library", f"libstdc++-{gcc}-dev{GCC_PACKAGES[architecture]}"),
            *("GPL-3.0-or-later WITH GCC-exception-3.1", "parts of libstdc++ and libgcc", GPL_3),
        ),
        Part(
            *("d3-hierarchy", d3, "ISC", f"pkg:npm/d3-hierarchy@{d3}"),
            *((ROOT / "build/page-parts/d3-hierarchy-LICENSE",), "in the page of reports"),
        ),
    ]


# How Arrow's licence begins a section on what its build links in, or has a copy of.
IN_ARROW = re.compile(
    r"^(?:3rdparty dependency (\S+(?: [A-Z]\w+)?) is (?:statically|redistributed)"
    r"|The files in cpp/src/arrow/vendored/([\w-]+)/? )",
    re.MULTILINE,
)
# Where vcpkg, which builds the wheel's libraries, had the sources: messages name their files.
BUILT_FROM = re.compile(rb"/buildtrees/([\w-]+)/src/([^/\0]+)-[0-9a-f]{10}\.clean/")


def in_arrow(licence: str, libraries: list[Path]) -> dict[str, str]:
    """What Arrow's libraries are made of besides: versions by name, empty where nothing tells.

    Of what the licence names, that of which a library has symbols or texts: other wheels and
    other libraries of Arrow's have the rest.
    """
    contents = b"".join(library.read_bytes() for library in libraries)
    versions = {}
    for name, source in BUILT_FROM.findall(contents):
        found = re.search(rb"\d+(?:[._]\d+)+", source)
        versions[name.decode()] = found[0].decode().replace("_", ".") if found else ""
    lower = contents.lower()
    for linked, copied in IN_ARROW.findall(licence):
        name = linked or copied
        word = name.removeprefix("Apache ").lower().replace("-", "[-_]?").replace("_", "[-_]?")
        known = {other.lower() for other in versions}
        if name.lower() not in known and re.search(word.encode(), lower):
            versions[name] = ""
    return dict(sorted(versions.items(), key=lambda item: item[0].lower()))


def components_of_arrow(folder: Path) -> list[dict]:
    licence = python("", "pyarrow", "", "", "licenses/LICENSE.txt").texts[0].read_text()
    libraries = [path for path in (folder / "lib").glob("lib*.so.*") if is_of_arrow(path)]
    return [
        {
            "type": "library",
            "name": name,
            **({"version": version} if version else {}),
            "description": "within Arrow's libraries; its licence stands in theirs",
        }
        for name, version in in_arrow(licence, sorted(libraries)).items()
    ]


def is_of_arrow(library: Path) -> bool:
    return library.name.startswith(("libarrow", "libparquet"))


def bill_of_materials(parts: list[Part], of_arrow: list[dict]) -> dict:
    """In CycloneDX's format; without a date, so that equal builds give equal files."""
    version = (ROOT / "VERSION").read_text().strip()
    components = [
        {
            "type": "library",
            "bom-ref": part.package,
            "name": part.name,
            "version": part.version,
            "description": part.what,
            "licenses": [{"expression": part.licence}],
            "purl": part.package,
            **({"components": of_arrow} if part.name == "Apache Arrow" else {}),
        }
        for part in parts
    ]
    product = {
        "type": "application",
        "bom-ref": "reprise",
        "name": "reprise",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
        "dependencies": [{"ref": "reprise", "dependsOn": [part.package for part in parts]}],
    }


def main(folder: Path, architecture: str) -> None:
    parts = bundled(architecture)
    shutil.rmtree(folder / "licenses", ignore_errors=True)
    (folder / "licenses").mkdir(parents=True)
    for part in parts:
        text = "\n\n".join(file.read_text(encoding="utf-8") for file in part.texts)
        (folder / "licenses" / f"{part.name.replace(' ', '-')}.txt").write_text(text)
    arrow = python("", "pyarrow", "", "", "licenses/NOTICE.txt").texts[0]
    (folder / "NOTICE").write_text(f"{(ROOT / 'NOTICE').read_text()}\n{arrow.read_text()}")
    (folder / "LICENSE").write_text(APACHE.read_text())
    bill = json.dumps(bill_of_materials(parts, components_of_arrow(folder)), indent=2)
    (folder / "reprise.cdx.json").write_text(f"{bill}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
