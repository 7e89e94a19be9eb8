"""Runs in its own process against a cluster: TPC-H queries, a trace, a dump, a kill. Prints JSON.

Arguments: master URL, folder of the TPC-H tables, work folder.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from answers import answer_of
from killed_executor import answers_despite_kills
from operators import lore_id, output_rows
from sessions import session_options, start_session
from tpch_queries import NUMBERS, query

KILLED = 9  # five joins: several stages follow the first
# The rows that are dealt out come from an exchange, in another order in each attempt; the last
# stage takes its time, so that some of its tasks have ended when others miss what they read.
DEALT_OUT = """
SELECT part, k, c, java_method('java.lang.Thread', 'sleep', 20L) AS slept
FROM (SELECT spark_partition_id() AS part, * FROM (SELECT /*+ REPARTITION(12) */ * FROM (
    SELECT l_partkey % 400 AS k, count(*) AS c FROM lineitem GROUP BY l_partkey % 400)))"""


def options(work: Path) -> dict[str, str]:
    """Two executors of one core; a lost one is noticed soon and its tasks are tried again."""
    return session_options(work, with_plugin=True) | {
        "spark.cores.max": "2",
        "spark.driver.memory": "1g",
        "spark.executor.cores": "1",
        "spark.executor.memory": "700m",
        "spark.reprise.sql.enabled": "true",
        "spark.shuffle.io.maxRetries": "1",
        "spark.shuffle.io.retryWait": "200ms",
        "spark.task.maxFailures": "4",
    }


def take_a_dump(spark, folder: Path) -> str:
    """Dumps a filter of Q4 that runs in several tasks; gives the dump's folder."""
    frame = spark.sql(query(4))
    frame.collect()
    wanted = lore_id(frame, "RepriseFilter", "l_commitdate")
    spark.conf.set("spark.reprise.lore.idsToDump", f"{wanted}[*]")
    spark.conf.set("spark.reprise.lore.dumpPath", str(folder))
    spark.sql(query(4)).collect()
    spark.conf.unset("spark.reprise.lore.idsToDump")
    spark.conf.unset("spark.reprise.lore.dumpPath")
    return str(folder / f"loreId-{wanted}")


def take_a_trace(spark, folder: Path) -> dict:
    """Traces Q3 in tasks enough for both executors; gives the folder and the operators' rows."""
    spark.conf.set("spark.reprise.trace.path", str(folder))
    spark.conf.set("spark.sql.files.maxPartitionBytes", "256k")
    frame = spark.sql(query(3))
    frame.collect()
    spark.conf.unset("spark.sql.files.maxPartitionBytes")
    spark.conf.unset("spark.reprise.trace.path")
    return {"folder": str(folder), "rows": output_rows(frame)}


def main() -> None:
    master, tables, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    spark = start_session(master, options(work))
    for table in sorted(tables.glob("*.parquet")):
        spark.read.parquet(str(table)).createOrReplaceTempView(table.stem)
    report = {"answers": {}}
    for number in NUMBERS:
        report["answers"][number] = asdict(answer_of(spark.sql(query(number)), ordered=True))
    report["trace"] = take_a_trace(spark, work / "trace")
    report["dump"] = take_a_dump(spark, work / "dump")
    # Many small tasks, so that most of the query is still to come when its first stage is done.
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.shuffle.partitions", "12")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "256k")
    kills = answers_despite_kills(spark, query(KILLED), executors=2)
    report["kills"] = [{**kill, "answer": asdict(kill["answer"])} for kill in kills]
    spark.conf.set("spark.reprise.sql.enabled", "false")
    report["dealt out by Spark"] = asdict(answer_of(spark.sql(DEALT_OUT), ordered=True))
    spark.conf.set("spark.reprise.sql.enabled", "true")
    kills = answers_despite_kills(spark, DEALT_OUT, executors=2, stages=2)
    report["kills while dealt out"] = [{**kill, "answer": asdict(kill["answer"])} for kill in kills]
    spark.stop()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
