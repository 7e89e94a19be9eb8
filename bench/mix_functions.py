"""What the mix asks for beside SQL's own functions: a user's in Java and Python, and a cache.

Spark's plans have a function of Java's as they have one of Scala's (`ScalaUDF`).
"""

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

SUITE = "mix"
QUERIES = [
    "SELECT clerk_number(o_clerk) % 10 AS n, count(*) AS c, sum(o_totalprice) AS p FROM orders"
    " GROUP BY n ORDER BY n",
    "SELECT l_shipmode, sum(charged(CAST(l_extendedprice AS DOUBLE), CAST(l_discount AS DOUBLE)))"
    " AS cents FROM lineitem GROUP BY l_shipmode ORDER BY l_shipmode",
    "SELECT words(o_comment) AS n, count(*) AS c FROM orders WHERE o_orderdate >= DATE '1998-01-01'"
    " GROUP BY n ORDER BY n",
    "SELECT o_orderpriority, count(*) AS c, sum(o_totalprice) AS p FROM cached_orders"
    " WHERE o_orderdate < DATE '1996-01-01' GROUP BY o_orderpriority ORDER BY o_orderpriority",
]


def register(session: SparkSession) -> None:
    """Makes the functions known, and the table, which the first query of it puts into the cache."""

    # Within, so that Python's workers get them by value and need not find this file.
    def charged(price: pd.Series, discount: pd.Series) -> pd.Series:
        return (price * (1 - discount) * 100).round().astype("int64")

    def words(text: str) -> int:
        return len(text.split())

    session.udf.registerJavaFunction("clerk_number", "reprise.bench.ClerkNumber", "int")
    session.udf.register("charged", f.pandas_udf(charged, "bigint"))
    session.udf.register("words", f.udf(words, "int"))
    columns = ("o_orderpriority", "o_totalprice", "o_orderdate")
    session.table("orders").select(*columns).createOrReplaceTempView("cached_orders")
    session.catalog.cacheTable("cached_orders")
