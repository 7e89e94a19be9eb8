"""How the jar's native libraries come into a JVM and leave the disk again."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from places import DIST, JAR, ROOT, SUPPORT

PROGRAM = """
import os, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from sessions import session_options, start_session
work = Path({work!r})
spark = start_session("local[1]", session_options(work, with_plugin=True))
spark.conf.set("spark.reprise.sql.enabled", "true")
assert spark.range(10).where("id > 3").count() == 6
for path in sorted(work.rglob("libreprise.so*")):
    print(oct(path.parent.stat().st_mode & 0o777), path.parent)
spark.stop()
"""


def test_what_the_jar_carries(with_plugin):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    with zipfile.ZipFile(JAR) as jar:
        files = (name for name in jar.namelist() if not name.endswith("/"))
        names = {Path(name).name for name in files if "native/linux-x86_64/" in name}
    carried = {path.name for path in (DIST / "lib").glob("*.so*")}
    assert carried | {"SHA256SUMS"} == names


def test_nothing_but_what_every_linux_has_is_needed(with_plugin):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    done = subprocess.run(
        [ROOT / "build-support" / "check_libraries.sh", DIST],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_unpacked_for_this_user_alone_and_removed_at_exit(with_plugin, tmp_path):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    script = PROGRAM.format(tests=str(SUPPORT), work=str(tmp_path))
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("PYSPARK_")
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    places = done.stdout.splitlines()
    assert places, "no unpacked library below java.io.tmpdir"
    for place in places:
        mode, folder = place.split(" ", 1)
        assert mode == "0o700"
        assert not Path(folder).exists()
