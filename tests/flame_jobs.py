"""Runs in its own process: jobs under spark.reprise.flameGraph. Prints JSON.

Arguments: what to run (fair, cluster, killed or refused), the master, a work folder, the jar of
HotStages.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from operators import native_operators
from places import JAR
from pyspark.sql import SparkSession
from sessions import session_options

FAIR_MS = 200
SHORT_MS = 50


def session(master: str, work: Path, hot: Path, more: dict[str, str]) -> SparkSession:
    options = session_options(work, with_plugin=True) | {
        "spark.jars": f"{JAR},{hot}",
        "spark.driver.extraClassPath": str(hot),
        "spark.driver.memory": "1g",
        "spark.executor.memory": "700m",
    }
    builder = SparkSession.builder.master(master).appName("reprise flame graphs")
    for key, value in (options | more).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def stages(spark: SparkSession) -> dict[int, str]:
    """The job description of each stage, as Spark tells it."""
    lines = spark._jvm.HotStages.stages(spark.sparkContext._jsc).splitlines()
    return {int(stage): name for stage, name in (line.split(" ", 1) for line in lines)}


def fair(spark: SparkSession, folder: Path) -> dict:
    """Three jobs at once under FAIR, ten short stages, a native query."""
    hot = spark._jvm.HotStages
    context = spark.sparkContext._jsc
    hot.runFair(context, 2, 4, FAIR_MS)
    fair_stages = stages(spark)
    for _ in range(10):
        hot.run(context, "short", 1, SHORT_MS)
    # Pages are there before the application ends.
    end = time.monotonic() + 60
    while len(list(folder.glob("*-exec-*-stage-*.html"))) < 16 and time.monotonic() < end:
        time.sleep(0.05)
    before_end = sorted(file.name for file in folder.glob("*-exec-*-stage-*.html"))
    operators = aggregate(spark, "native")
    aggregate(spark, "generated")
    return {
        "fair": fair_stages,
        "all": stages(spark),
        "before_end": before_end,
        "operators": operators,
    }


def aggregate(spark: SparkSession, how: str) -> list[str]:
    """An aggregate over numbers, native or in code that Spark generates; its native operators."""
    spark.conf.set("spark.reprise.sql.enabled", str(how == "native").lower())
    spark.sparkContext.setJobDescription(how)
    frame = spark.sql(
        "SELECT id % 1000 AS k, sum(id * 3) AS s FROM range(0, 30000000, 1, 2) GROUP BY id % 1000"
    )
    frame.collect()
    return [f"{one.name} [loreId={one.lore_id}]" for one in native_operators(frame)]


def cluster(spark: SparkSession, folder: Path) -> dict:
    """A stage on both executors."""
    spark._jvm.HotStages.run(spark.sparkContext._jsc, "burnTwo", 4, 700)
    return {"all": stages(spark)}


def killed(spark: SparkSession, folder: Path) -> dict:
    """A stage that would run for minutes; its executor is killed once there is a page of it."""
    hot = spark._jvm.HotStages
    job = threading.Thread(
        target=lambda: hot.run(spark.sparkContext._jsc, "burnOne", 1, 300_000), daemon=True
    )
    job.start()
    end = time.monotonic() + 90
    while not list(folder.glob("*.html")) and time.monotonic() < end:
        time.sleep(0.1)
    os.kill(spark._jvm.java.lang.ProcessHandle.current().pid(), signal.SIGKILL)
    return {"files": sorted(file.name for file in folder.iterdir())}


def refused(master: str, work: Path, hot: Path) -> dict:
    """Settings that cannot be: each application runs on."""
    barred = work / "barred"
    barred.write_text("a file")
    answers = {}
    # Every application names the same keys: what the first one sets is the JVM's.
    prefix = "spark.rapids.flameGraph.pathPrefix"
    executors = "spark.reprise.flameGraph.executors"
    options = "spark.rapids.flameGraph.asyncProfiler.options"
    cases = {
        "prefix": {prefix: f"file://{barred}/below"},
        "executors": {executors: "1,x"},
        "options": {options: "jfr,evnt=cpu"},
    }
    for name, case in cases.items():
        settings = {prefix: f"file://{work}/{name}", executors: "*", options: "jfr,event=cpu"}
        spark = session(master, work, hot, settings | case)
        print(f"CASE {name}", file=sys.stderr, flush=True)
        answers[name] = spark.range(1000).count()
        spark.stop()
        print(f"END {name}", file=sys.stderr, flush=True)
        answers[f"{name}_files"] = sorted(file.name for file in (work / name).glob("*"))
    return answers


def main() -> None:
    what, master, work, hot = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    if what == "refused":
        print(json.dumps(refused(master, work, hot)))
        return
    folder = work / "flames"
    settings = {
        "spark.rapids.flameGraph.pathPrefix": f"file://{folder}",
        "spark.scheduler.mode": "FAIR",
    }
    if what == "cluster":
        settings |= {
            "spark.cores.max": "2",
            "spark.executor.cores": "1",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        }
    spark = session(master, work, hot, settings)
    if what == "killed":
        print(json.dumps(killed(spark, folder)), flush=True)
        os._exit(0)  # the JVM is gone
    spark._jvm.HotStages.watch(spark.sparkContext._jsc)
    report = {"fair": fair, "cluster": cluster}[what](spark, folder)
    report["application"] = spark.sparkContext.applicationId
    spark.stop()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
