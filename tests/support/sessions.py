"""Spark sessions for tests: loopback only, no web page, few shuffle partitions, one work folder."""

import logging
import os
import sys
from pathlib import Path

from places import CLASS_DATA, JAR, ROOT, SPARK
from pyspark.sql import SparkSession

# Queries of tests are short, and so are most of their JVMs: the second compiler, and a collector
# that works beside the program, would cost more than they save, and classes are read from where
# class_data.py has put them. A JVM for which that file is not goes without it, and must not say so
# where a program's output is looked at.
JVM_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseParallelGC"
if CLASS_DATA.exists():
    JVM_OPTIONS += f" -XX:SharedArchiveFile={CLASS_DATA} -Xlog:disable"
# Of the JVM that only puts the other one's command together.
LAUNCHER_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# Read when the first JVM starts. The test reports a failing statement, not PySpark's log.
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)

QUIET = f"-Dlog4j2.configurationFile=file:{ROOT}/tests/support/log4j2.properties"


def session_options(work: Path, with_plugin: bool) -> dict[str, str]:
    """Settings of a test's session; with the plug-in it is present but switched off."""
    options = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={work} {QUIET}",
        "spark.executor.defaultJavaOptions": JVM_OPTIONS,
        "spark.local.dir": str(work / "local"),
        "spark.sql.warehouse.dir": str(work / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.codegen.cache.maxEntries": "1000",
        "spark.sql.maxPlanStringLength": "1000000",
        "spark.sql.debug.maxToStringFields": "10000",
        "spark.task.maxFailures": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if SPARK == "3.5":
        # As they are in later versions unless they are set: tests expect the errors, or none.
        options["spark.sql.ansi.enabled"] = "true"
        options["spark.sql.parquet.datetimeRebaseModeInRead"] = "CORRECTED"
        options["spark.sql.parquet.int96RebaseModeInRead"] = "CORRECTED"
        options["spark.sql.parquet.datetimeRebaseModeInWrite"] = "CORRECTED"
        options["spark.sql.parquet.int96RebaseModeInWrite"] = "CORRECTED"
    if with_plugin:
        options["spark.jars"] = str(JAR)
        options["spark.plugins"] = "reprise.ReprisePlugin"
        options["spark.reprise.sql.enabled"] = "false"
        # So that a test knows where a dump is.
        options["spark.reprise.lore.perQuery"] = "false"
    return options


def settings(session: SparkSession) -> dict[str, str]:
    """What is set in the session, by key."""
    if SPARK != "3.5":
        return dict(session.conf.getAll)
    entries = session._jsparkSession.conf().getAll().iterator()
    found = {}
    while entries.hasNext():
        entry = entries.next()
        found[entry._1()] = entry._2()
    return found


def start_session(master: str, options: dict[str, str]) -> SparkSession:
    """A new session; Spark's log shows errors only."""
    builder = SparkSession.builder.master(master).appName("reprise tests")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
