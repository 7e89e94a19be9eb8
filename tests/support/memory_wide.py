"""Rows of two thousand bytes in eight megabytes: what Spark answers there, we answer."""

from dataclasses import asdict

from answers import answer_of
from pyspark.sql import SparkSession

# Parquet takes a dictionary for the first rows alone; blocks compress to a small part.
TABLE = """SELECT id AS k, id * 7919 % 50000 AS j,
  rpad(concat('row ', id * 7919 % 50000, ' '), 2000, 'wide row ') AS s
  FROM range(0, 50000, 1, 2)"""
QUERIES = {
    "order by": "SELECT k, substr(s, 1, 9) AS b FROM w ORDER BY s, k",
    "group by": "SELECT count(*), sum(c), max(m) FROM "
    "(SELECT s, count(*) AS c, max(s) AS m FROM w GROUP BY s)",
    "merge join": "SELECT /*+ MERGE(b) */ count(*), sum(length(a.s)), max(b.s) "
    "FROM w a JOIN w b ON a.k = b.j",
    "repartition": "SELECT count(*), sum(length(s)), max(s) FROM "
    "(SELECT /*+ REPARTITION(1) */ * FROM w)",
    "first rows": "SELECT k, substr(s, 1, 9) AS b, s > '' FROM w ORDER BY j LIMIT 200000",
}
OPERATORS = {
    "order by": "RepriseSort",
    "group by": "RepriseHashAggregate",
    "merge join": "RepriseSortMergeJoin",
    "repartition": "RepriseShuffle",
    "first rows": "RepriseTakeOrdered",
}


def make_table(spark: SparkSession, folder: str) -> None:
    """Writes the wide rows by Spark."""
    spark.sql(TABLE).write.parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("w")


def answer(spark: SparkSession, name: str) -> dict:
    """The answer of a query, in order where it has one."""
    return asdict(answer_of(spark.sql(QUERIES[name]), ordered="ORDER BY" in QUERIES[name]))
