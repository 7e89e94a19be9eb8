"""Divides the plug-in's jars for the wheel: native libraries, which are most of each, it has once.

Usage: wheel_jars.py FOLDER JAR... Writes reprise-native-linux-x86_64.jar, and each jar without
them, which names it as part of its class path: a JVM that is given the one beside it finds both.
"""

import sys
import zipfile
from pathlib import Path

NATIVE = "reprise-native-linux-x86_64.jar"
MANIFEST = "META-INF/MANIFEST.MF"


def copy(jar: Path, to: Path, is_native: bool) -> None:
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as part:
        for entry in whole.infolist():
            if entry.filename.startswith("native/") != is_native:
                continue
            data = whole.read(entry)
            if entry.filename == MANIFEST:
                data = data.rstrip() + f"\r\nClass-Path: {NATIVE}\r\n\r\n".encode()
            part.writestr(entry, data)


def main(folder: Path, jars: list[Path]) -> None:
    folder.mkdir(parents=True)
    copy(jars[0], folder / NATIVE, is_native=True)
    for jar in jars:
        copy(jar, folder / jar.name, is_native=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
