"""Queries of many kinds over TPC-H's tables: qualify_app.py LOG TABLES [plugin] [KEY=VALUE ...].

Each query's jobs and executions are called by its name.
"""

import sys
from pathlib import Path

from places import JAR
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

QUERIES = {
    "aggregate": (
        "SELECT l_returnflag, sum(l_extendedprice * (1 - l_discount)), count(*) FROM lineitem "
        "WHERE l_shipdate < DATE '1998-09-01' GROUP BY l_returnflag ORDER BY l_returnflag"
    ),
    "join": (
        "SELECT /*+ MERGE(c) */ c_mktsegment, avg(o_totalprice) FROM orders o "
        "JOIN customer c ON o_custkey = c_custkey GROUP BY c_mktsegment"
    ),
    "broadcast": (
        "SELECT /*+ BROADCAST(n) */ n_name, count(*) FROM customer "
        "JOIN nation n ON c_nationkey = n_nationkey GROUP BY n_name"
    ),
    "window": (
        "SELECT * FROM (SELECT o_custkey, o_totalprice, row_number() OVER "
        "(PARTITION BY o_custkey ORDER BY o_totalprice DESC) r FROM orders) WHERE r = 1"
    ),
    "guest": "SELECT sum(length(regexp_replace(o_comment, 'a+', 'b'))) FROM orders",
    "explode": "SELECT count(*) FROM (SELECT explode(split(o_comment, ' ')) w FROM orders)",
    "top": "SELECT o_orderkey FROM orders ORDER BY o_totalprice DESC LIMIT 10",
    "limit": "SELECT * FROM orders LIMIT 3",
    "csv": "SELECT count(*), max(upper(n)) FROM kept_csv WHERE k > 3",
    "values": "SELECT max(a) FROM VALUES (1), (2) AS t(a)",
}


def start(log: Path, conf: dict[str, str], with_plugin: bool) -> SparkSession:
    options = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(log / "warehouse"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{log}",
        "spark.eventLog.rolling.enabled": "false",
    }
    if with_plugin:
        options |= {"spark.jars": str(JAR), "spark.plugins": "reprise.ReprisePlugin"}
    log.mkdir(parents=True)
    builder = SparkSession.builder.master("local[2]").appName("qualify")
    for key, value in (options | conf).items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def run(spark: SparkSession, tables: Path, csv: Path) -> None:
    for table in sorted(tables.glob("*.parquet")):
        spark.read.parquet(str(table)).createOrReplaceTempView(table.stem)
    spark.sql("SELECT n_nationkey k, n_name n FROM nation").write.csv(str(csv))
    spark.read.schema("k int, n string").csv(str(csv)).createOrReplaceTempView("kept_csv")
    for name, text in QUERIES.items():
        spark.sparkContext.setJobDescription(name)
        spark.sql(text).collect()
    spark.sparkContext.setJobDescription("write")
    spark.table("orders").where("o_totalprice > 1000").write.parquet(f"{csv}_written")
    spark.sparkContext.setJobDescription("python")
    # By rows in every Spark: later ones give functions columns unless told otherwise.
    longer = f.udf(lambda text: text + "!", "string", useArrow=False)
    spark.table("nation").select(longer("n_name")).collect()
    spark.sparkContext.setJobDescription("objects")
    spark.table("nation").rdd.map(lambda row: row.n_name).count()


if __name__ == "__main__":
    folder, tables, *rest = sys.argv[1:]
    conf = dict(setting.split("=", 1) for setting in rest if "=" in setting)
    session = start(Path(folder), conf, "plugin" in rest)
    run(session, Path(tables), Path(f"{folder}-csv"))
    session.stop()
