"""Runs queries in a JVM of its own and prints the LORE ids that Spark's event log tells of.

Usage: lore_ids_runs.py WORK SEED RUNS. Prints one JSON object: {scenario: [[query…]…]}, one entry a
run, one query an object {id: [occurrence, fingerprint]}. The tables sleep: each holds a row that
says for how long, drawn anew for each run, so that stages end in another order every time.
"""

import json
import os
import random
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from sessions import session_options, start_session

SLEEPS_MS = 150
FIRST_WRITTEN = 1_700_000_000  # seconds since 1970
TABLES = ("a", "b", "c", "d")
# Sleeps for as long as the row says; true.
SLEEPING = "reflect('java.lang.Thread', 'sleep', ms) IS NOT NULL"

PERTURBED = {
    "joins": (
        "SELECT a.g, count(*), sum(b.v + c.v + d.v) FROM a JOIN b ON a.k = b.k "
        "JOIN c ON b.g = c.g JOIN d ON c.k = d.k WHERE a.v > 1 AND b.v > 2 GROUP BY a.g"
    ),
    "bushy": (
        "SELECT l.g, l.n, r.n FROM "
        "(SELECT a.g, count(*) n FROM a JOIN b ON a.k = b.k GROUP BY a.g) l "
        "JOIN (SELECT c.g, count(*) n FROM c JOIN d ON c.k = d.k GROUP BY c.g) r ON l.g = r.g"
    ),
    "equal_branches": (
        "SELECT a.k, b.v FROM a JOIN b ON a.k = b.k UNION ALL "
        "SELECT a.k, b.v FROM a JOIN b ON a.k = b.k "
        "UNION ALL SELECT x.k, y.v FROM a x JOIN a y ON x.k = y.k"
    ),
    "emptied": (
        "SELECT a.k FROM a JOIN (SELECT k FROM b WHERE v < -1) e ON a.k = e.k UNION ALL "
        "SELECT c.k FROM c LEFT JOIN (SELECT k FROM d WHERE v < -1) f ON c.k = f.k UNION ALL "
        "SELECT c.k FROM c LEFT ANTI JOIN d ON c.k = d.k"
    ),
    "subqueries": (
        "SELECT a.g, count(*) FROM a JOIN b ON a.k = b.k "
        "WHERE a.v > (SELECT avg(c.v) FROM c JOIN d ON c.k = d.k) AND a.g IN (SELECT g FROM d) "
        "AND EXISTS (SELECT 1 FROM c WHERE c.k = b.k) GROUP BY a.g"
    ),
}


def write_tables(folder: Path, rng: random.Random) -> None:
    """The same rows each time, but for how long they sleep."""
    for number, name in enumerate(TABLES):
        rows = 40 + 20 * number
        table = pa.table(
            {
                "k": pa.array([(i * 7 + number) % 23 for i in range(rows)], pa.int64()),
                "g": pa.array([i % 5 for i in range(rows)], pa.int32()),
                "v": pa.array([i % 11 for i in range(rows)], pa.int64()),
                "ms": pa.array(
                    [rng.randrange(SLEEPS_MS) if i == 0 else 0 for i in range(rows)], pa.int64()
                ),
            }
        )
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.parquet"
        pq.write_table(table, path)
        # A stream takes files in the order of their times.
        os.utime(path, (FIRST_WRITTEN + number, FIRST_WRITTEN + number))


class Session:
    """A session whose event log is read as it grows."""

    def __init__(self, work: Path):
        self.work = work
        log = work / "log"
        log.mkdir(parents=True)
        options = session_options(work, True) | {
            "spark.reprise.sql.enabled": "true",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": str(log),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
            "spark.sql.autoBroadcastJoinThreshold": "-1",
            "spark.sql.adaptive.autoBroadcastJoinThreshold": "10MB",
        }
        self.spark: SparkSession = start_session("local[8]", options)
        self._log = next(log.iterdir()).open()
        self._told()

    def tables(self, rng: random.Random) -> None:
        write_tables(self.work / "tables", rng)
        for name in TABLES:
            frame = self.spark.read.parquet(str(self.work / "tables" / f"{name}.parquet"))
            frame.where(SLEEPING).createOrReplaceTempView(name)

    def _told(self) -> list[dict]:
        self.spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        lines = (json.loads(line) for line in self._log.readlines())
        return [line for line in lines if line["Event"] == "reprise.event.PlanExplained"]

    def ids(self, work) -> list[dict[int, list[str]]]:
        """The queries that `work` ran, in the order in which they were first planned."""
        self._told()
        work()
        queries: dict[str, dict[int, list[str]]] = {}
        for event in self._told():
            for token in event["replaces"]:
                queries.pop(token, None)
            found = queries.setdefault(event["query"], {})
            for operator in event["operators"]:
                found[operator["loreId"]] = [operator["occurrence"], operator["fingerprint"]]
        return list(queries.values())

    def run(self, query: str) -> None:
        self.spark.sql(query).collect()


def scenarios(session: Session):
    """What is not a plain query."""
    spark, work = session.spark, session.work
    query = PERTURBED["joins"]
    small = "SELECT g, count(*) AS n FROM a WHERE v > 3 GROUP BY g"

    def cached():
        frame = spark.sql(small).cache()
        frame.where("n > 1").collect()
        frame.unpersist(blocking=True)

    def stream(frame_of, mode):
        schema = "k BIGINT, g INT, v BIGINT, ms BIGINT"
        source = spark.readStream.schema(schema).parquet(str(work / "tables"))
        writer = frame_of(source)
        writer.outputMode(mode).trigger(availableNow=True).start().awaitTermination()

    def batch(frame, _):
        frame.where("v > 2").groupBy("g").count().collect()

    def at_once():
        queries = [small.replace("3", str(i)) for i in range(4, 8)]
        threads = [threading.Thread(target=session.run, args=(each,)) for each in queries]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def pruned():
        frame = spark.range(200).selectExpr("id", "id % 10 AS p")
        frame.write.partitionBy("p").mode("overwrite").parquet(str(work / "pruned"))
        spark.read.parquet(str(work / "pruned")).createOrReplaceTempView("pruned")
        session.run("SELECT count(*) FROM pruned JOIN a ON pruned.p = a.k WHERE a.v = 3")

    yield "rdd", lambda: spark.sql(query).rdd.count()
    yield "to_rdd", lambda: spark.sql(query)._jdf.queryExecution().toRdd().count()
    yield "cached", cached
    yield "create_table", lambda: spark.sql(f"CREATE TABLE made USING parquet AS {small}")
    yield "insert", lambda: spark.sql(f"INSERT INTO made {small}")
    yield "save", lambda: spark.sql(small).write.mode("overwrite").saveAsTable("saved")
    yield "for_each_batch", lambda: stream(lambda s: s.writeStream.foreachBatch(batch), "append")
    yield (
        "stateful",
        lambda: stream(lambda s: s.groupBy("g").count().writeStream.format("noop"), "complete"),
    )
    yield "at_once", at_once
    yield "pruned", pruned


def main(work: Path, seed: int, runs: int) -> None:
    rng = random.Random(seed)
    session = Session(work)
    found: dict[str, list] = {}
    for number in range(runs):
        for name, query in PERTURBED.items():
            session.tables(rng)
            session.spark.conf.set("spark.sql.adaptive.enabled", "true")
            # Settings that decide nothing.
            session.spark.conf.set("spark.reprise.sql.batchRows", str(1000 + number))
            found.setdefault(name, []).append(session.ids(lambda text=query: session.run(text)))
    for adaptive in ("true", "false"):
        session.spark.conf.set("spark.sql.adaptive.enabled", adaptive)
        for _ in range(2):
            session.spark.sql("DROP TABLE IF EXISTS made")
            for name, scenario in scenarios(session):
                session.tables(rng)
                found.setdefault(f"{name}, adaptive {adaptive}", []).append(session.ids(scenario))
    session.spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
