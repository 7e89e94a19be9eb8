"""Writes the classes that Spark's queries load into a file: class_data.py FILE.

A JVM that is started with this Spark, and with the file, takes them from there as they are in
memory, instead of reading, checking and linking each of them again (Java's class data sharing).
"""

import os
import sys
import tempfile
from pathlib import Path

import sql_files
import test_sql
from data import tables
from places import BUILD, SQL_FILES
from pyspark import SparkContext
from sessions import session_options, start_session

# Between them they have most kinds of operators, expressions, sources and errors.
TRAINING = ("cached_and_written", "unions")
TPCH = BUILD / "data" / "tpch-sf0.01"


def run_files(work: Path) -> None:
    options = session_options(work, with_plugin=False)
    options |= {"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file:{work}"}
    spark = start_session("local[2]", options)
    tables.write_all(work / "tables")
    tables.open_all(spark, TPCH, work / "tables")
    places = {"tpch": TPCH, "tables": work / "tables", "out": work / "out"}
    for name in TRAINING:
        file = sql_files.read(SQL_FILES / f"{name}.sql")
        test_sql.answers_alone(spark, file, file.combinations[0], places)
    spark.stop()
    # It writes the file when it ends, which it does when nobody can write to it any more.
    gateway = SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


def main(file: Path) -> None:
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    file.parent.mkdir(exist_ok=True)
    os.environ["SPARK_SUBMIT_OPTS"] = (
        f"-XX:TieredStopAtLevel=1 -XX:+UseParallelGC -XX:ArchiveClassesAtExit={part}"
    )
    with tempfile.TemporaryDirectory() as work:
        run_files(Path(work))
    part.rename(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
