"""Applications that tests start as processes of their own, and the logs that they leave."""

import os
import subprocess
import sys
from pathlib import Path

from places import IS_OTHER_SCALA, SPARK_HOME, SUPPORT


def ended_app(
    name: str, *arguments: object, cwd: Path, python: str | Path = sys.executable, **variables: str
) -> subprocess.CompletedProcess:
    """Runs a program of tests/support to its end, however it ends."""
    environment = os.environ | {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": str(python),
        "PYTHONPATH": str(SUPPORT),
    }
    environment |= variables
    # That of the Python, not of whoever runs the tests.
    environment.pop("SPARK_HOME", None)
    if IS_OTHER_SCALA and python == sys.executable:
        environment["SPARK_HOME"] = str(SPARK_HOME)
    return subprocess.run(
        [python, SUPPORT / name, *map(str, arguments)],
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def run_app(name: str, *arguments: object, cwd: Path, **others) -> None:
    """Runs a program of tests/support to its end; a failure shows the end of what it said."""
    done = ended_app(name, *arguments, cwd=cwd, **others)
    assert done.returncode == 0, done.stderr[-3000:]


def log_file(folder: Path) -> Path:
    """The one log in a folder, beside Spark's hidden checksums and its warehouse."""
    (log,) = (path for path in folder.iterdir() if path.is_file() and path.name[0] != ".")
    return log
