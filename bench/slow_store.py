"""Tables that are read as if they lay far away: by the file system of java/SlowFileSystem.java."""

from pathlib import Path

from pyspark.sql import SparkSession

SUITE = "remote"  # whose tables lie there
SCHEME = "slow:"


def settings() -> dict[str, str]:
    """By which a session finds it among `side_classes`."""
    return {"spark.hadoop.fs.slow.impl": "reprise.bench.SlowFileSystem"}


def location(table: Path) -> str:
    return f"{SCHEME}{table.resolve()}"


def asked(session: SparkSession) -> tuple[int, int]:
    """Requests and bytes of the session's process so far."""
    store = session._jvm.reprise.bench.SlowFileSystem
    return store.requests(), store.bytes()
