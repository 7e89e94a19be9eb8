"""An application whose spans are looked at: spans_app.py ENDPOINT. Its log goes to its output."""

import contextlib
import sys

from places import JAR
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

if __name__ == "__main__":
    builder = SparkSession.builder.master("local[2]").appName("spans \u00e9 <b>")
    for key, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.ansi.enabled": "true",
        "spark.jars": str(JAR),
        "spark.plugins": "reprise.ReprisePlugin",
        "spark.reprise.otlp.endpoint": sys.argv[1],
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.range(1000).groupBy((f.col("id") % 7).alias("k")).count().collect()
    with contextlib.suppress(Exception):
        spark.range(10).select(f.expr("1 / (id - 5)")).collect()
    spark.sparkContext.parallelize(range(10), 3).map(lambda x: x + 1).count()
    spark.stop()
