"""Joins whose build side is many times larger than the memory that Spark grants."""

from dataclasses import asdict

from answers import answer_of
from pyspark.sql import SparkSession

JOBS = "joins, natively"
# t has 300,000 rows, u 400,000; every key of t is there twice, two thirds of them in u.
BUILD = """SELECT id * 3 AS k, id, concat('a text for key ', id * 3) AS s,
  concat('text beside it, ', id) AS more FROM range(0, 400000, 1, 4)"""
QUERIES = {
    "inner": "SELECT {hint} count(*), sum(a.v), sum(b.id), max(b.more) "
    "FROM t a JOIN u b ON a.k = b.k",
    "strings": "SELECT {hint} count(*), sum(a.v), sum(b.id) FROM t a JOIN u b "
    "ON a.s = b.s AND a.k = b.k",
    "left": "SELECT {hint} count(*), count(b.id), sum(b.id), max(b.more) "
    "FROM t a LEFT JOIN u b ON a.k = b.k AND a.v < b.id",
    "right": "SELECT {hint} count(*), count(a.v), sum(a.v), max(a.s), min(b.more) "
    "FROM t a RIGHT JOIN u b ON a.k = b.k AND a.v % 2 = 0",
    "full": "SELECT {hint} count(*), count(a.v), count(b.id), sum(a.v), sum(b.id), max(b.more) "
    "FROM t a FULL JOIN u b ON a.k = b.k AND a.v > b.id",
    "semi": "SELECT {hint} count(*), sum(v), max(s) FROM t a LEFT SEMI JOIN u b "
    "ON a.k = b.k AND a.v > b.id AND b.more > ''",
    "anti": "SELECT {hint} count(*), sum(v), max(s) FROM t a LEFT ANTI JOIN u b "
    "ON a.k = b.k AND a.v < b.id AND b.more > ''",
    "existence": "SELECT count(*), sum(v) FROM t a WHERE v < 1000 "
    "OR EXISTS (SELECT 1 FROM u b WHERE a.k = b.k AND b.more > '' AND a.v > b.id)",
    "one key": "SELECT {hint} count(*), sum(b.id), count(b.s), max(b.more) "
    "FROM (SELECT * FROM t WHERE v < 30) a "
    "LEFT JOIN u b ON a.v div 1000 = b.id div 1000000 AND b.id % 1000 = a.v",
    # The window needs the order that the join promises, and sorts by nothing else.
    "ordered": "SELECT {hint} count(*), sum(n), sum(m) FROM ("
    "SELECT {hint} count(*) OVER (PARTITION BY a.k) AS n, max(b.id) OVER (PARTITION BY a.k) AS m "
    "FROM t a JOIN u b ON a.k = b.k WHERE b.more > '')",
}
# The hint for each strategy, and the native operator of it.
STRATEGIES = {"MERGE": "RepriseSortMergeJoin", "SHUFFLE_HASH": "RepriseShuffledHashJoin"}


def cases() -> list[tuple[str, str]]:
    """Names of queries and hints. Without a hint Spark merges."""
    return [
        (name, hint)
        for name, query in QUERIES.items()
        for hint in STRATEGIES
        if hint == "MERGE" or "{hint}" in query
    ]


def answer(spark: SparkSession, name: str, hint: str) -> dict:
    """The answer of a query by a strategy."""
    query = QUERIES[name].format(hint=f"/*+ {hint}(b) */")
    return asdict(answer_of(spark.sql(query), ordered=False))
