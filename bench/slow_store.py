"""Tables that are read as if they lay far away: by the file system of java/SlowFileSystem.java."""

import subprocess
from pathlib import Path

from places import BUILD, ROOT
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

SCHEME = "slow:"
CLASSES = BUILD / "bench" / "classes"


def compile_store() -> None:
    """Makes the file system's classes, for `settings`."""
    jars = f"{_find_spark_home()}/jars/*"
    CLASSES.mkdir(parents=True, exist_ok=True)
    sources = [str(file) for file in sorted((ROOT / "bench" / "java").glob("*.java"))]
    command = ["javac", "-proc:none", "-cp", jars, "-d", str(CLASSES), *sources]
    subprocess.run(command, check=True)


def settings() -> dict[str, str]:
    """By which a session finds it."""
    return {
        "spark.driver.extraClassPath": str(CLASSES),
        "spark.hadoop.fs.slow.impl": "reprise.bench.SlowFileSystem",
    }


def location(table: Path) -> str:
    return f"{SCHEME}{table.resolve()}"


def asked(session: SparkSession) -> tuple[int, int]:
    """Requests and bytes of the session's process so far."""
    store = session._jvm.reprise.bench.SlowFileSystem
    return store.requests(), store.bytes()
