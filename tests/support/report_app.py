"""An application with much to find, for reports: report_app.py FOLDER [plugin].

Its event log is the one file in FOLDER/log. Before it ends it leaves in FOLDER what the tab of its
page serves: frame.html, report.html, data.json, and what its REST interface tells of queries:
sql.json, and running.json of one before its last stages were made.
"""

import contextlib
import json
import sys
import threading
import time
from pathlib import Path
from urllib.request import urlopen

from places import JAR
from pyspark.sql import SparkSession
from pyspark.sql import functions as f


def start(folder: Path, with_plugin: bool) -> SparkSession:
    options = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.port": "0",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{folder / 'log'}",
        "spark.eventLog.rolling.enabled": "false",
        "spark.app.name": "<script>alert('name')</script>",
    }
    if with_plugin:
        options["spark.jars"] = str(JAR)
        options["spark.plugins"] = "reprise.ReprisePlugin"
    options["spark.sql.ansi.enabled"] = "true"  # which Spark 3.5 has not by itself
    (folder / "log").mkdir(parents=True)
    builder = SparkSession.builder.master("local[2]")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def run(spark: SparkSession, folder: Path) -> None:
    # Query 0: wholly native, with a join, an aggregate and a sort.
    left = spark.range(10_000).select((f.col("id") % 100).alias("k"), "id")
    right = spark.range(100).select(f.col("id").alias("k"), (f.col("id") * 2).alias("w"))
    joined = left.join(right, "k").where("id % 2 = 0").groupBy("k").agg(f.sum("w").alias("s"))
    joined.sort("s").collect()
    # Query 1: Python, slow for each row of one partition of two.
    # By rows in every Spark: from 4.2 on functions are given columns unless told otherwise.
    slow = f.udf(lambda x: time.sleep(0.01) or str(x), "string", useArrow=False)
    spark.range(0, 200, 1, 2).select(slow("id").alias("</script><b>")).collect()
    # Query 2: fails in a task.
    with contextlib.suppress(Exception):
        spark.range(10).select(f.expr("1 / (id - 5)")).collect()
    # A cache that nobody reads again, and a slow task.
    kept = spark.sparkContext.parallelize(range(10), 4).map(lambda x: x + 1).setName("kept").cache()
    kept.count()
    numbers = spark.sparkContext.parallelize(range(6), 6)
    numbers.map(lambda x: time.sleep(3 if x == 5 else 0.1)).count()
    # Three equal queries, from 3 on.
    spark.range(1000).write.csv(str(folder / "csv"))
    for _ in range(3):
        read = spark.read.schema("id long").csv(str(folder / "csv"))
        read.select(slow("id")).where("id < 30").collect()
    time.sleep(4)
    spark.range(5).collect()
    look_at_running(spark, folder)


def look_at_running(spark: SparkSession, folder: Path) -> None:
    """Leaves running.json of a query whose first stage waits for it."""
    seen = folder / "running.json"
    until = time.time() + 60

    def wait(x: int) -> int:
        while not seen.exists() and time.time() < until:
            time.sleep(0.05)
        return x

    rows = spark.range(0, 40, 1, 2).select(f.udf(wait, "long", useArrow=False)("id").alias("k"))
    query = threading.Thread(target=rows.groupBy("k").count().sort("k").collect)
    query.start()
    while "RepriseRange" not in str(newest := queries(spark)[-1]) and time.time() < until:
        time.sleep(0.1)
    seen.write_text(json.dumps(newest))
    query.join()


def queries(spark: SparkSession) -> list[dict]:
    """What the REST interface tells of the queries, with their operators."""
    context = spark.sparkContext
    path = f"api/v1/applications/{context.applicationId}/sql?length=1000"
    with urlopen(f"{context.uiWebUrl}/{path}", timeout=60) as answer:
        return json.load(answer)


if __name__ == "__main__":
    session = start(Path(sys.argv[1]), "plugin" in sys.argv[2:])
    run(session, Path(sys.argv[1]))
    session._jsc.sc().listenerBus().waitUntilEmpty()
    served = {"frame.html": "", "report.html": "report/", "data.json": "report/data"}
    for name, path in served.items() if "plugin" in sys.argv[2:] else ():
        with urlopen(f"{session.sparkContext.uiWebUrl}/reprise/{path}", timeout=60) as answer:
            (Path(sys.argv[1]) / name).write_bytes(answer.read())
    (Path(sys.argv[1]) / "sql.json").write_text(json.dumps(queries(session)))
    session.stop()
