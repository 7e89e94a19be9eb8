"""Divides the plug-in's jars for the wheel: native libraries, which are most of each, it has once.

Usage: wheel_jars.py FOLDER ARCHITECTURE JAR... Writes reprise-native-linux-ARCHITECTURE.jar with
those of the wheel's architecture, and each jar without any, which names it as part of its class
path: a JVM that is given the one beside it finds both.
"""

import sys
import zipfile
from pathlib import Path

MANIFEST = "META-INF/MANIFEST.MF"


def write_native(jar: Path, to: Path, libraries: str) -> None:
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as part:
        names = [name for name in whole.namelist() if name.startswith(libraries)]
        if not names:
            raise SystemExit(f"{jar} has no {libraries} in it")
        for name in names:
            part.writestr(whole.getinfo(name), whole.read(name))


def write_rest(jar: Path, to: Path, native: str) -> None:
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as part:
        for entry in whole.infolist():
            if entry.filename.startswith("native/"):
                continue
            data = whole.read(entry)
            if entry.filename == MANIFEST:
                data = data.rstrip() + f"\r\nClass-Path: {native}\r\n\r\n".encode()
            part.writestr(entry, data)


def main(folder: Path, architecture: str, jars: list[Path]) -> None:
    folder.mkdir(parents=True)
    native = f"reprise-native-linux-{architecture}.jar"
    write_native(jars[0], folder / native, f"native/linux-{architecture}/")
    for jar in jars:
        write_rest(jar, folder / jar.name, native)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], [Path(name) for name in sys.argv[3:]])
