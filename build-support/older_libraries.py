"""Writes libraries to link against, with the symbols alone that an older Linux has.

Usage: older_libraries.py FOLDER GLIBC LIBSTDC++ COMPILER (`older_libraries.py out 2.28 8 g++`).

They are made of those that the compiler links: every symbol in the newest version that the older
system has, without code. So a program that is linked against them asks for nothing newer, and
where it uses what is newer the linker says so, or takes it from the static libstdc++ (and from
core/portability/ what glibc lacks).
"""

import re
import subprocess
import sys
from pathlib import Path

# The newest versions of symbols in GCC's libraries, by GCC's version.
OF_GCC = {"8": {"GLIBCXX": "3.4.25", "CXXABI": "1.3.11", "CXXABI_TM": "1", "GCC": "7.0.0"}}
LIBRARIES = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1")
# They are empty since glibc 2.34, and libc.so.6 has what was in them. The loader looks for a symbol
# in all that is loaded, and Arrow's libraries load these three.
EMPTY = ("libpthread.so.0", "libdl.so.2", "librt.so.1")
# What stands behind a library's link name, as the system's own linker scripts have it.
SCRIPTS = {
    "libc.so": "{0}/libc.so.6 {0}/libpthread.so.0 {0}/libdl.so.2 {0}/librt.so.1 "
    "{libc_nonshared.a} AS_NEEDED({loader})",
    "libm.so": "{0}/libm.so.6",
    # What GCC's headers use of a newer libstdc++ comes along as code, and is seen by nobody else.
    "libstdc++.so": "{0}/libstdc++.so.6 {libstdc++.a}",
    "libgcc_s.so": "{0}/libgcc_s.so.1 -lgcc",
}
# The loader, as the architecture names it.
LOADERS = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}
SYMBOL = re.compile(
    r"^\s*\d+: \w+\s+(?P<size>\w+) (?P<type>\w+)\s+(?P<binding>\w+)\s+\w+\s+(?P<place>\w+) "
    r"(?P<name>[^@\s]+)@@?(?P<node>\w+?)_(?P<version>[\d.]+)$",
    re.MULTILINE,
)
BINDINGS = {"GLOBAL": ".globl", "WEAK": ".weak", "UNIQUE": ".globl"}


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def told_by(compiler: str, option: str) -> str:
    return subprocess.run(
        [compiler, option], check=True, capture_output=True, text=True
    ).stdout.strip()


def found_by(compiler: str, name: str) -> str:
    if name == "loader":
        name = LOADERS[told_by(compiler, "-dumpmachine").partition("-")[0]]
    return told_by(compiler, f"-print-file-name={name}")


def symbols_of(file: str, newest: dict[str, str]) -> dict[str, re.Match]:
    """The symbols that the older library has, each in its newest version there."""
    listed = subprocess.run(
        ["readelf", "--dyn-syms", "--wide", file],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    symbols: dict[str, re.Match] = {}
    for symbol in SYMBOL.finditer(listed):
        limit = newest.get(symbol["node"])
        if symbol["place"] in ("UND", "ABS") or limit is None:
            continue
        if number(symbol["version"]) > number(limit):
            continue
        known = symbols.get(symbol["name"])
        if known is None or number(known["version"]) < number(symbol["version"]):
            symbols[symbol["name"]] = symbol
    return symbols


def assembler(symbols: dict[str, re.Match]) -> str:
    lines = []
    for name, symbol in symbols.items():
        kind = {"OBJECT": "object", "TLS": "tls_object"}.get(symbol["type"], "function")
        if symbol["binding"] == "UNIQUE":
            kind = "gnu_unique_object"
        section = {"function": ".text", "tls_object": '.section .tbss,"awT",@nobits'}
        lines.append(section.get(kind, ".bss"))
        lines.append(f'{BINDINGS[symbol["binding"]]} "{name}"\n.type "{name}", @{kind}')
        # A program has copies of variables: of their size, and where it may be as they are aligned.
        size = int(symbol["size"], 0) if kind != "function" else 1
        if kind != "function":
            lines.append(f'.balign 32\n.size "{name}", {size}')
        lines.append(f'"{name}": .skip {size}')
    lines.append('.section .note.GNU-stack,"",@progbits')
    return "\n".join(lines) + "\n"


def version_script(symbols: dict[str, re.Match]) -> str:
    nodes: dict[str, list[str]] = {}
    for name, symbol in symbols.items():
        nodes.setdefault(f"{symbol['node']}_{symbol['version']}", []).append(f'"{name}";')
    lines = [f"{node} {{ {' '.join(names)} }};" for node, names in nodes.items()]
    return "\n".join(lines or ["{ };"]) + "\n"


def main(folder: Path, glibc: str, gcc: str, compiler: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    newest = {"GLIBC": glibc, **OF_GCC[gcc]}
    for library in LIBRARIES + EMPTY:
        symbols = {}
        if library in LIBRARIES:
            symbols = symbols_of(found_by(compiler, library), newest)
        source, versions = folder / f"{library}.s", folder / f"{library}.map"
        source.write_text(assembler(symbols))
        versions.write_text(version_script(symbols))
        options = ["-shared", "-nostdlib", f"-Wl,-soname,{library},--version-script={versions}"]
        subprocess.run([compiler, *options, "-o", folder / library, source], check=True)
    for name, inputs in SCRIPTS.items():
        for part in re.findall(r"\{([^0}]+)\}", inputs):
            inputs = inputs.replace(f"{{{part}}}", found_by(compiler, part))
        (folder / name).write_text(f"INPUT({inputs.replace('{0}', str(folder))})\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
