"""Makes shared libraries a package's own, so that another build of them may be in its process too.

Usage: private_libraries.py LIBRARY-FOLDER FILE... Each library of the folder gets a name of its
own, `libarrow.so.2600` that of `reparrow.so.2600`, which the others and the files ask for it by;
and its symbols are no longer unique in the process, so that a loader that opens the package's
module finds them in its own libraries alone.
"""

import struct
import sys
from pathlib import Path

SECTION_SYMBOLS = 11  # SHT_DYNSYM
BINDING_WEAK, BINDING_UNIQUE = 2, 10


def private_name(name: str) -> str:
    """Of the same length, since it takes the other's place in the file."""
    return f"rep{name.removeprefix('lib')}"


def rename(data: bytearray, libraries: list[str]) -> None:
    """Where the file names libraries, whole strings are replaced."""
    for name in libraries:
        old, new = (b"\0" + text.encode() + b"\0" for text in (name, private_name(name)))
        data[:] = data.replace(old, new)


def make_weak(data: bytearray) -> None:
    """What is unique in the process, such as the variables of inline functions, is only weak."""
    (sections,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for i in range(count):
        at = sections + i * size
        (kind,) = struct.unpack_from("<I", data, at + 4)
        if kind != SECTION_SYMBOLS:
            continue
        begin, length = struct.unpack_from("<QQ", data, at + 0x18)
        for info in range(begin + 4, begin + length, 24):
            if data[info] >> 4 == BINDING_UNIQUE:
                data[info] = BINDING_WEAK << 4 | data[info] & 15


def main(folder: Path, files: list[Path]) -> None:
    libraries = sorted(folder.glob("lib*.so*"))
    names = [library.name for library in libraries]
    for file in [*libraries, *files]:
        data = bytearray(file.read_bytes())
        rename(data, names)
        make_weak(data)
        mode = file.stat().st_mode
        file.unlink()
        to = folder / private_name(file.name) if file in libraries else file
        to.write_bytes(data)
        to.chmod(mode)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
