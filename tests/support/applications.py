"""Applications of Spark in processes of their own."""

import os
import subprocess
import sys


def environment(**settings: str) -> dict[str, str]:
    """This process's, without what PySpark has set in it for its own workers and JVM."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYSPARK_")}
    return kept | settings


def run_python(*arguments: object, timeout: int, **settings: str) -> subprocess.CompletedProcess:
    """Runs this Python with the arguments to its end, which must be a good one."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=environment(**settings),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done
