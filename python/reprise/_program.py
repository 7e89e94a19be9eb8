"""The program `reprise`, which the wheel carries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from reprise._core import Error


def program() -> Path:
    """Where the program lies."""
    return Path(str(resources.files("reprise"))) / "bin" / "reprise"


def output_of(*arguments: str) -> object:
    """What the program prints as JSON. Raises `reprise.Error` with what it says where it fails."""
    ended = subprocess.run([program(), *arguments, "--json"], capture_output=True, check=False)
    if ended.returncode == 2 or not ended.stdout:
        raise Error(ended.stderr.decode(errors="replace").strip())
    return json.loads(ended.stdout)


def run(*arguments: str) -> None:
    """Runs the program. Raises `reprise.Error` with what it says where it fails."""
    ended = subprocess.run([program(), *arguments], capture_output=True, check=False)
    if ended.returncode != 0:
        raise Error(ended.stderr.decode(errors="replace").strip())


def spark_home() -> str | None:
    """The folder of Spark: SPARK_HOME, else the PySpark beside this package; None without both."""
    if home := os.environ.get("SPARK_HOME"):
        return home
    # Found, and not imported: whoever asks may want no Spark.
    found = find_spec("pyspark")
    return None if found is None or found.origin is None else str(Path(found.origin).parent)


def main() -> None:
    """The command `reprise`."""
    if home := spark_home():
        os.environ["SPARK_HOME"] = home
    os.execv(program(), ["reprise", *sys.argv[1:]])
