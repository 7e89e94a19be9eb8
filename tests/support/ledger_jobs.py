"""An application with a ledger, in a Spark of its own, that runs one of the jobs below.

Usage: ledger_jobs.py LEDGER JOB WORK [key=value ...]
"""

import datetime
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.serializers import BatchedSerializer, CPickleSerializer
from pyspark.sql import SparkSession
from sessions import session_options, start_session

HOURS = """SELECT h, count(*) AS n, sum(k) AS s
           FROM (SELECT k, hour(ts) AS h FROM times WHERE k > 3) GROUP BY h ORDER BY h"""


def lose_shuffles(work: Path) -> None:
    """As where an executor is lost: the stages that wrote them are tried again."""
    for file in (work / "local").rglob("shuffle_*"):
        file.unlink()


def reduced_twice(spark: SparkSession, work: Path, salt) -> None:
    """A map whose output is shuffled; the shuffle is lost and made again."""
    pairs = spark.sparkContext.parallelize(range(100), 2).map(lambda x: (x % 5, x + salt()))
    totals = pairs.reduceByKey(lambda a, b: a + b, 3)
    totals.collect()
    lose_shuffles(work)
    totals.collect()


def changing(spark: SparkSession, work: Path) -> None:
    reduced_twice(spark, work, time.perf_counter_ns)


def steady(spark: SparkSession, work: Path) -> None:
    reduced_twice(spark, work, lambda: 7)


def hours(spark: SparkSession, work: Path) -> None:
    start = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
    times = [start + datetime.timedelta(minutes=90 * i) for i in range(50)]
    table = pa.table({"k": range(50), "ts": pa.array(times, pa.timestamp("us", "UTC"))})
    pq.write_table(table, work / "times.parquet")
    spark.read.parquet(str(work / "times.parquet")).createOrReplaceTempView("times")
    spark.sql("SELECT count(*) FROM times").collect()
    spark.sql(HOURS).collect()


def cached(spark: SparkSession, work: Path) -> None:
    """Fills a cache, joins what it holds with a table, and caches that."""
    salt = spark.conf.get("spark.tests.salt", "0")
    rows = spark.range(0, 500, 1, 2).selectExpr("id AS k", f"id * 2 + IF(id = 77, {salt}, 0) AS v")
    rows.cache().count()
    others = spark.range(0, 500, 1, 2).selectExpr("id AS k", "id % 7 AS g")
    joined = rows.where("v > 10").join(others, "k").cache()
    joined.groupBy("g").sum("v").collect()


def passed_on(spark: SparkSession, work: Path) -> None:
    """Stages whose tasks only pass on what stages before them gave."""
    numbers = spark.range(0, 500, 1, 2)
    numbers.repartition(3).cache().count()
    numbers.repartition(4).collect()


def sorted_keys(spark: SparkSession, work: Path) -> None:
    """Sorts in Python, and by Spark, into as many partitions as is said, of as many."""
    count = int(spark.conf.get("spark.tests.partitions", "3"))
    numbers = spark.sparkContext.parallelize(range(3000), count)
    pairs = numbers.map(lambda n: (n * 7919 % 1000, n))
    pairs.sortBy(lambda pair: -pair[0], numPartitions=count).collect()
    jvm = spark.sparkContext._jvm
    tuples = [jvm.scala.Tuple2(n * 7919 % 100, n) for n in range(300)]
    up = spark.sparkContext._jsc.parallelizePairs(tuples, count).sortByKey(True, count)
    up.sortByKey(False, count).count()
    up.count()


class Own:
    """Sent along with its values, since Python's workers cannot import it."""

    def __init__(self, number: int):
        self.number = number


def values(spark: SparkSession, work: Path) -> None:
    """Collects values of Python's and shuffles them; the settings say how they come."""
    how = spark.conf.get("spark.tests.values", "")

    def given(numbers):
        rows = [(n % 5, ["a word", n, {"half": n / 2}]) for n in numbers]
        if how == "own":
            rows = [(n, Own(n)) for n, _ in rows]
        if how == "changed":
            rows[7] = (rows[7][0], ["a word", 7, {"half": 3.25}])
        return reversed(rows) if how == "reversed" else rows

    serializer = BatchedSerializer(CPickleSerializer(), 3 if how == "cut" else 100)
    rows = spark.sparkContext.parallelize(range(5000), 2).mapPartitions(given)
    cut = rows._reserialize(serializer).cache()
    cut.collect()
    cut.partitionBy(3).count()


JOBS = {
    job.__name__: job for job in (changing, steady, hours, cached, passed_on, values, sorted_keys)
}


def main() -> None:
    ledger, job, folder, *settings = sys.argv[1:]
    work = Path(folder)
    options = session_options(work, with_plugin=True)
    options |= {"spark.reprise.sql.enabled": "true", "spark.reprise.ledger.path": ledger}
    options |= dict(setting.split("=", 1) for setting in settings)
    spark = start_session("local[2]", options)
    JOBS[job](spark, work)
    spark.stop()


if __name__ == "__main__":
    main()
