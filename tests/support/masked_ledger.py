"""An application with a ledger whose tables, settings and readers hold secrets.

Usage: masked_ledger.py LEDGER WORK
"""

import sys
from contextlib import suppress
from pathlib import Path

from answers import FAILURES
from sessions import session_options, start_session

QUERIES = [
    "SELECT name, count(*) FROM t GROUP BY name",
    "SELECT id FROM t WHERE name = 'SECRET005' OR name LIKE 'SECRET01%'",
    "SELECT name = 'SECRET007', upper(name) || '!' FROM t",
    "SELECT id, (SELECT max(name) FROM t) m FROM t ORDER BY name DESC",
    "SELECT p.id, country FROM p JOIN t USING (id) WHERE country = 'SECRETC1'",
    "SELECT count(*) FROM t JOIN cached USING (id)",
    "SELECT cast(name AS int) FROM t",
    "SELECT raise_error(name) FROM t",
    "SELECT shout(name) FROM t",
]


def shout(text: str) -> str:
    if text.endswith("7"):
        raise ValueError(text)
    return text + "!"


def main() -> None:
    ledger, work = sys.argv[1], Path(sys.argv[2])
    options = session_options(work, with_plugin=True) | {
        "spark.reprise.ledger.path": ledger,
        "spark.reprise.ledger.operators": "all",
        "spark.my.token": "SECRETTOKEN",
        "spark.hadoop.fs.s3a.secret.key": "SECRETKEY",
        "spark.sql.ansi.enabled": "true",
    }
    spark = start_session("local[2]", options)
    spark.conf.set("spark.reprise.ledger.enabled", "false")
    rows = spark.range(0, 40, 1, 2).selectExpr("id", "concat('SEC', 'RET0', 10 + id) AS name")
    rows.write.parquet(str(work / "t"))
    folders = rows.selectExpr("id", "concat('SEC', 'RETC', id % 3) AS country")
    folders.write.partitionBy("country").parquet(str(work / "p"))
    spark.conf.set("spark.reprise.ledger.enabled", "true")
    spark.conf.set("spark.reprise.lore.mask", "name:hash, country:hash")
    spark.conf.set("spark.sql.my.token", "SECRETTOKEN")
    reader = spark.read.option("password", "SECRETWORD")
    reader.parquet(str(work / "t")).createOrReplaceTempView("t")
    reader.parquet(str(work / "p")).createOrReplaceTempView("p")
    cached = spark.sql("SELECT id FROM t WHERE name <> 'SECRET009'").cache()
    cached.createOrReplaceTempView("cached")
    spark.udf.register("shout", shout, "string")
    for mode in ("execute", "explainOnly"):
        spark.conf.set("spark.reprise.sql.mode", mode)
        spark.conf.set("spark.reprise.sql.enabled", "true")
        for query in QUERIES:
            with suppress(*FAILURES):
                spark.sql(query).collect()
    named = spark.sql("SELECT name FROM t").rdd.map(lambda row: (row[0], 1))
    named.reduceByKey(lambda a, b: a + b).collect()
    spark.stop()


if __name__ == "__main__":
    main()
