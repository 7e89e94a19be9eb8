"""A side's Spark session: the same cores, tables and total memory; with the plug-in or without."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The queries and the exact comparison are the tests' own.
sys.path.insert(0, str(ROOT / "tests" / "support"))

import side_classes  # noqa: E402
import slow_store  # noqa: E402
from places import BUILD, JAR  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from sessions import QUIET  # noqa: E402
from suites import register  # noqa: E402

TOOLS = BUILD / "java-tools"
WITH_PLUGIN = {"spark": False, "reprise": True}


def memory_of(side: str, total_mib: int) -> tuple[int, int]:
    """MiB of Java heap and MiB off it, together `total_mib`.

    Spark alone takes all of it as heap, its default. Reprise takes half of it off the heap, where
    the core's memory is accounted: what falls back and Spark's own objects have the other half.
    """
    off_heap = total_mib // 2 if WITH_PLUGIN[side] else 0
    return total_mib - off_heap, off_heap


def options(side: str, cores: int, total_mib: int, suite: str = "") -> dict[str, str]:
    """The settings of a side's session for a suite of that name."""
    heap, off_heap = memory_of(side, total_mib)
    work = BUILD / "bench" / "work" / side
    chosen = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUIET,
        "spark.driver.memory": f"{heap}m",
        "spark.local.dir": str(work / "local"),
        "spark.sql.warehouse.dir": str(work / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": str(2 * cores),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if off_heap:
        chosen |= {
            "spark.memory.offHeap.enabled": "true",
            "spark.memory.offHeap.size": f"{off_heap}m",
        }
    if WITH_PLUGIN[side]:
        chosen |= {"spark.jars": str(JAR), "spark.plugins": "reprise.ReprisePlugin"}
    if suite == slow_store.SUITE:
        chosen |= slow_store.settings()
    class_path = [str(side_classes.CLASSES)] if suite in side_classes.SUITES else []
    if TOOLS.is_dir():  # for the profiler; both sides alike
        class_path.append(f"{TOOLS}/*")
    if class_path:
        chosen["spark.driver.extraClassPath"] = ":".join(class_path)
    return chosen


def start(side: str, data: Path, cores: int, total_mib: int, suite: str = "") -> SparkSession:
    """A local session that knows the tables of the folder `data`."""
    builder = SparkSession.builder.master(f"local[{cores}]").appName(f"bench: {side}")
    for key, value in options(side, cores, total_mib, suite).items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    register(session, data, suite)
    return session
