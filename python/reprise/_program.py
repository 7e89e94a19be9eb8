"""The program `reprise`, which the wheel carries."""

import json
import os
import subprocess
import sys
from importlib import resources
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


def main() -> None:
    """The command `reprise`."""
    os.execv(program(), ["reprise", *sys.argv[1:]])
