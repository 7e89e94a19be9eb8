"""How the jar's native libraries come into a JVM and leave the disk at once."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from applications import run_python
from places import DIST, JAR, ROOT, SUPPORT

PROGRAM = """
import json, os, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from sessions import session_options, start_session
work = Path({work!r})
spark = start_session("local[1]", session_options(work, with_plugin=True))
spark.conf.set("spark.reprise.sql.enabled", "true")
assert spark.range(10).where("id > 3").count() == 6
jvm = int(spark._jvm.java.lang.ProcessHandle.current().pid())
maps = Path(f"/proc/{{jvm}}/maps").read_text().splitlines()
print(json.dumps([line.split(maxsplit=5)[5] for line in maps if "libreprise.so" in line]))
os.kill(jvm, signal.SIGKILL)
os._exit(0)
"""


def test_what_the_jar_carries(with_plugin):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    with zipfile.ZipFile(JAR) as jar:
        files = (name for name in jar.namelist() if not name.endswith("/"))
        names = {Path(name).name for name in files if "native/linux-x86_64/" in name}
    carried = {path.name for path in (DIST / "lib").glob("*.so*")}
    assert carried | {"SHA256SUMS"} == names


def check_libraries(*files: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ROOT / "build-support" / "check_libraries.sh", DIST / "lib", *files],
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_but_what_every_linux_has_is_needed(with_plugin):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    done = check_libraries(DIST / "bin" / "reprise", *(DIST / "lib").glob("*.so*"))
    assert done.returncode == 0, done.stderr


# What is in libc since 2.30, and in libstdc++ since GCC 11; and a library of Debian's.
NEWER = """
#include <charconv>
#include <unistd.h>
extern "C" int deflateEnd(void*);
char to[32];
extern "C" int use() {
  return gettid() + deflateEnd(0) + (std::to_chars(to, to + 32, 0.1).ptr - to);
}
"""


def test_a_symbol_that_is_too_new_is_named(tmp_path):
    library = tmp_path / "libnewer.so"
    options = ["-shared", "-fPIC", "-std=c++20", "-x", "c++", "-", "-o", library, "-l:libz.so.1"]
    subprocess.run(["g++", *options], check=True, input=NEWER, text=True)
    done = check_libraries(library)
    assert done.returncode == 1
    told = sorted(done.stderr.splitlines())
    too_new = "which is newer than glibc 2.28 and GCC 8"
    assert [line.partition(":")[0] for line in told] == [
        f"{library} needs _ZSt8to_charsPcS_d of GLIBCXX_3.4.29, {too_new}",
        f"{library} needs gettid of GLIBC_2.30, {too_new}",
        f"{library} needs libz.so.1, which is neither in {DIST / 'lib'} nor on every Linux",
    ]


def jar_of(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as jar:
        for name, text in files.items():
            jar.writestr(name, text)
    return path


def entries(jar: Path) -> dict[str, str]:
    with zipfile.ZipFile(jar) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def divide(folder: Path, architecture: str, jar: Path) -> subprocess.CompletedProcess:
    script = ROOT / "build-support" / "wheel_jars.py"
    command = [sys.executable, script, folder, architecture, jar]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_wheel_has_the_libraries_of_its_own_architecture(tmp_path):
    manifest = "META-INF/MANIFEST.MF"
    files = {manifest: "Manifest-Version: 1.0\r\n\r\n", "reprise/ReprisePlugin.class": "class"}
    names = {of: f"native/linux-{of}/libreprise.so" for of in ("x86_64", "aarch64")}
    jar = jar_of(
        tmp_path / "reprise-spark-4.1_2.13.jar", files | {n: of for of, n in names.items()}
    )
    for architecture, name in names.items():
        to = tmp_path / architecture
        assert divide(to, architecture, jar).returncode == 0
        native = f"reprise-native-linux-{architecture}.jar"
        assert sorted(path.name for path in to.iterdir()) == [native, jar.name]
        assert entries(to / native) == {name: architecture}
        named = f"Manifest-Version: 1.0\r\nClass-Path: {native}\r\n\r\n"
        assert entries(to / jar.name) == files | {manifest: named}
    without = jar_of(tmp_path / "without.jar", files | {names["x86_64"]: "x86_64"})
    told = divide(tmp_path / "none", "aarch64", without)
    assert (told.returncode, told.stderr) == (1, f"{without} has no native/linux-aarch64/ in it\n")


def test_nothing_is_left_of_them_where_the_jvm_is_killed(with_plugin, tmp_path):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    script = PROGRAM.format(tests=str(SUPPORT), work=str(tmp_path))
    loaded = json.loads(run_python("-c", script, timeout=120).stdout)
    assert loaded, "the core is not loaded"
    assert all(path.startswith(f"{tmp_path}/reprise-") for path in loaded), loaded
    assert all(path.endswith("/libreprise.so (deleted)") for path in loaded), loaded
    # Spark leaves its own: folders, what it copies there, and the libraries of its codecs.
    carried = {path.name for path in (DIST / "lib").glob("*.so*")}
    names = {path.name for path in tmp_path.rglob("*")}
    assert not {name for name in names if name.startswith("reprise-") and name != JAR.name}
    assert not {name for name in names if name.removesuffix(" (deleted)") in carried}
