"""Replays by Spark's own operators in the JVM of a session.

As a program it replays on the Spark of the Python that runs it, whichever version that is, and
prints what is wrong, by folder, as JSON.
Usage: spark_replays.py JAR FOLDER...
"""

import json
import sys
from pathlib import Path

from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException
from pyspark.sql import SparkSession


def on_spark(spark, folder: Path, *options: str) -> dict:
    """The report of a replay on Spark, in the JVM of the tests."""
    jvm = spark._jvm
    given = jvm.java.util.ArrayList()
    for option in options:
        given.add(option)
    # The converters that Scala 2.12 has too.
    scala = getattr(jvm, "scala.collection.JavaConverters").asScalaBuffer(given)
    report = jvm.reprise.Dump.open(str(folder)).replay(spark._jsparkSession, scala.toSeq())
    return json.loads(report.json())


def difference(report: dict) -> str:
    """What is wrong in a report; empty where it is as recorded."""
    wrong = [partition for partition in report["partitions"] if not partition["holds"]]
    return json.dumps(wrong, indent=1)[:4000] if wrong or not report["holds"] else ""


# Exchanges that give other rows on Spark: by other bounds, or all together.
EXCHANGES = [
    "Spark samples the bounds of",
    "was recorded task by task; Spark's operator makes one relation of all rows",
]


def problem_on_spark(spark, folder: Path) -> str:
    """What is wrong with a replay on Spark; empty where it is as recorded."""
    try:
        return difference(on_spark(spark, folder, "--recorded"))
    except (Py4JJavaError, CapturedException) as error:
        name = json.loads((folder / "plan.meta").read_text())["operator"]["name"]
        is_exchange = "Exchange" in name and any(text in str(error) for text in EXCHANGES)
        return "" if is_exchange else str(error)[:2000]


def main() -> None:
    jar, *folders = sys.argv[1:]
    spark = SparkSession.builder.master("local[2]").config("spark.jars", jar).getOrCreate()
    print(json.dumps({folder: problem_on_spark(spark, Path(folder)) for folder in folders}))
    spark.stop()


if __name__ == "__main__":
    main()
