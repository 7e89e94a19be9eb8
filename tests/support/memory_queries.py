"""Runs in its own process with little memory: aggregates and joins that spill, fail, are killed.

Arguments: work folder. Prints JSON.
"""

import json
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path

import memory_joins
import memory_wide
from answers import answer_of
from sessions import session_options, start_session
from traces import events, misplaced, outside_tasks, ranges

NATIVE = "natively"
QUERIES = {
    "numbers": "SELECT k, count(*), sum(v), avg(d), min(v), max(d) FROM t GROUP BY k",
    "strings": "SELECT s, k, count(*), max(s), sum(d) FROM t GROUP BY s, k",
    # The window relies on the order in which the groups leave.
    "sorted": "SELECT sum(r), sum(a * r), max(m) FROM (SELECT a, b, max(s) AS m, "
    "rank() OVER (PARTITION BY a ORDER BY b) AS r FROM (SELECT /*+ REPARTITION(3, a) */ "
    "v % 300 AS a, k AS b, s FROM t) GROUP BY a, b)",
    "distinct": "SELECT k % 1000 AS m, count(DISTINCT s), sum(v) FROM t GROUP BY k % 1000",
}
FAILING = "SELECT k, 1 / (count(*) - count(*)) FROM t GROUP BY k"
# Long enough to be killed while it has spilled.
LONG = "SELECT s, b.id, count(*), sum(v) FROM t CROSS JOIN range(0, 200) b GROUP BY s, b.id"


def options(work: Path) -> dict[str, str]:
    """Eight MiB for two tasks; Spark itself complains of what a task does not give back."""
    return session_options(work, with_plugin=True) | {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": str(work / "events"),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.memory.offHeap.enabled": "true",
        "spark.memory.offHeap.size": "8m",
        "spark.reprise.concurrentTasks": "1",
        "spark.reprise.memory.debug": "true",
        "spark.reprise.order.debug": "true",
        "spark.reprise.trace.path": str(work / "trace"),
        "spark.unsafe.exceptionOnMemoryLeak": "true",
    }


class Local:
    """Spark's local directories. Spill files have no name; the JVM that holds them shows them."""

    def __init__(self, spark, folder: Path):
        self.spark = spark
        self.folder = str(folder)
        self.pid = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()

    def open_spill_files(self) -> int:
        count = 0
        for entry in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                target = str(entry.readlink())
            except OSError:
                continue
            count += target.startswith(self.folder) and target.endswith("(deleted)")
        return count

    def memory_used(self) -> int:
        environment = self.spark.sparkContext._jvm.org.apache.spark.SparkEnv.get()
        return environment.memoryManager().executionMemoryUsed()

    def left(self) -> dict[str, int]:
        """What is left once the tasks have ended, which may take a moment."""
        for _ in range(100):
            left = {"files": self.open_spill_files(), "memory": self.memory_used()}
            if not any(left.values()):
                break
            time.sleep(0.1)
        return left


def kill_while_spilling(spark, local: Local) -> dict:
    """Cancels a query once it has a spill file."""
    failures = []

    def run():
        try:
            spark.sql(LONG).write.format("noop").mode("overwrite").save()
        except Exception as error:
            failures.append(str(error))

    thread = threading.Thread(target=run)
    thread.start()
    end = time.monotonic() + 60
    while local.open_spill_files() == 0 and thread.is_alive() and time.monotonic() < end:
        time.sleep(0.02)
    had_spilled = local.open_spill_files() > 0
    spark.sparkContext.cancelAllJobs()
    thread.join(30)
    return {"had_spilled": had_spilled, "failures": failures, "left": local.left()}


def joins(spark, local: Local) -> dict:
    """The answers of Spark, which would not get the memory for hash joins, and of Reprise."""
    spark.sparkContext.setJobDescription(memory_joins.JOBS)
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.reprise.sql.enabled", "false")
    spark.sql(memory_joins.BUILD).createOrReplaceTempView("u")
    report = {"spark": {}, "native": {}, "left": {}}
    for name in memory_joins.QUERIES:
        report["spark"][name] = memory_joins.answer(spark, name, "MERGE")
    spark.conf.set("spark.reprise.sql.enabled", "true")
    for name, hint in memory_joins.cases():
        report["native"][f"{name} {hint}"] = memory_joins.answer(spark, name, hint)
        report["left"][f"{name} {hint}"] = local.left()
    return report


def wide(spark, local: Local, work: Path) -> dict:
    """The answers over wide rows, Spark's and ours, and what ours leave."""
    spark.conf.set("spark.reprise.sql.enabled", "false")
    memory_wide.make_table(spark, str(work / "w"))
    report = {"spark": {}, "native": {}, "left": {}}
    for enabled, answers in (("false", report["spark"]), ("true", report["native"])):
        spark.conf.set("spark.reprise.sql.enabled", enabled)
        for name in memory_wide.QUERIES:
            answers[name] = memory_wide.answer(spark, name)
            report["left"][name] = local.left()
    return report


def spilled(work: Path, jobs: str) -> dict[str, int]:
    """The sums of the figures of the tasks of jobs with this description."""
    sums = {"Memory Bytes Spilled": 0, "Disk Bytes Spilled": 0}
    stages = set()
    for log in (work / "events").iterdir():
        for line in log.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                if event["Properties"].get("spark.job.description") == jobs:
                    stages.update(event["Stage IDs"])
            elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in stages:
                for name in sums:
                    sums[name] += (event.get("Task Metrics") or {}).get(name, 0)
    return sums


def traced(work: Path) -> dict:
    """What the trace of all that ran natively says of spilling and waiting."""
    (file,) = (work / "trace").iterdir()
    found = events(file)
    spills = [event for event in ranges(found, "spill") if "writtenBytes" in event["args"]]
    return {
        "misplaced": len(misplaced(found)),
        "outside": len(outside_tasks(found)),
        "spillers": sorted({event["name"].split(" (")[0] for event in spills}),
        "written": sum(event["args"]["writtenBytes"] for event in spills),
        "waits": len(ranges(found, "wait")),
    }


def main() -> None:
    work = Path(sys.argv[1])
    (work / "events").mkdir()
    spark = start_session("local[2]", options(work))
    local = Local(spark, work / "local")
    spark.range(0, 300000, 1, 4).selectExpr(
        "id * 7919 % 150000 AS k",
        "id AS v",
        "CAST(id * 0.25 AS decimal(12,2)) AS d",
        "concat('a text for key ', id * 7919 % 150000) AS s",
    ).write.parquet(str(work / "t"))
    spark.read.parquet(str(work / "t")).createOrReplaceTempView("t")
    report = {"spark": {}, "native": {}, "left": {}}
    for name, query in QUERIES.items():
        report["spark"][name] = asdict(answer_of(spark.sql(query), ordered=False))
    spark.conf.set("spark.reprise.sql.enabled", "true")
    spark.sparkContext.setJobDescription(NATIVE)
    for name, query in QUERIES.items():
        report["native"][name] = asdict(answer_of(spark.sql(query), ordered=False))
        report["left"][name] = local.left()
    report["failing"] = asdict(answer_of(spark.sql(FAILING), ordered=False))
    report["left"]["failing"] = local.left()
    report["killed"] = kill_while_spilling(spark, local)
    report["after"] = asdict(answer_of(spark.sql("SELECT count(*) FROM t WHERE v > 0"), False))
    report["joins"] = joins(spark, local)
    report["wide"] = wide(spark, local, work)
    spark.stop()
    report["spilled"] = spilled(work, NATIVE)
    report["joins"]["spilled"] = spilled(work, memory_joins.JOBS)
    report["traced"] = traced(work)
    (work / "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main()
