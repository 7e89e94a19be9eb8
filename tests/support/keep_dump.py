"""Writes a dump of this version's format to tests/dumps/format-N, to be replayed for ever.

Run once, when the format's version grows:
.venv/bin/python tests/support/keep_dump.py tests/dumps/format-1
The query reads TPC-H's supplier at scale factor 0.01: decimals, strings, integers, both aggregates.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from operators import native_operators
from places import BUILD
from pyspark.sql import SparkSession
from sessions import session_options, start_session

QUERY = """
    SELECT s_nationkey, count(*) AS suppliers, sum(s_acctbal * 1.05) AS total,
           avg(s_acctbal) AS mean, max(s_acctbal) AS most
    FROM supplier WHERE s_acctbal > 100 AND s_name <> 'Supplier#000000007' GROUP BY s_nationkey"""


def main(target: Path) -> None:
    with tempfile.TemporaryDirectory() as work:
        spark = start_session("local[2]", session_options(Path(work), with_plugin=True))
        # plan.meta tells where the dump was written: not in somebody's home.
        write(spark, Path(work) / target.name)
        spark.stop()
        shutil.copytree(Path(work) / target.name, target)


def write(spark: SparkSession, target: Path) -> None:
    spark.conf.set("spark.reprise.sql.enabled", "true")
    data = BUILD / "data" / "tpch-sf0.01" / "supplier.parquet"
    spark.read.parquet(str(data)).createOrReplaceTempView("supplier")
    frame = spark.sql(QUERY)
    frame.collect()
    wanted = [o.lore_id for o in native_operators(frame) if o.name != "RepriseParquetScan"]
    spark.conf.set("spark.reprise.lore.dumpPath", str(target))
    spark.conf.set("spark.reprise.lore.idsToDump", ", ".join(f"{number}[*]" for number in wanted))
    spark.sql(QUERY).collect()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
