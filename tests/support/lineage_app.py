"""Runs small applications that write event logs: lineage_app.py FOLDER.

In one JVM, one application after the other; works on Spark 3.5 and 4.1 alike:
FOLDER/none … FOLDER/snappy  the same jobs, one log a codec
FOLDER/rolled                the same, in a rolled log that begins a new file every 10 MiB at most
FOLDER/als                   MLlib's ALS with one iteration
"""

import sys
from pathlib import Path

from py4j.java_collections import ListConverter
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

CODECS = ("none", "zstd", "lz4", "lzf", "snappy")


def start(folder: Path, codec: str, rolled: bool) -> SparkSession:
    """A session of its own whose application logs to `folder`."""
    folder.mkdir(parents=True)
    builder = SparkSession.builder.master("local[2]").appName("lineage sample")
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{folder}",
        "spark.eventLog.rolling.enabled": str(rolled).lower(),
        "spark.eventLog.rolling.maxFileSize": "10m",
        "spark.eventLog.compress": str(codec != "none").lower(),
    }
    if codec != "none":
        options["spark.eventLog.compression.codec"] = codec
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def run_jobs(session: SparkSession) -> None:
    """A shuffle that is cached and used again, two queries, and a job that fails."""
    context = session.sparkContext
    sums = context.parallelize(range(100), 4).map(lambda x: (x % 3, x)).reduceByKey(max).cache()
    sums.collect()
    sums.count()
    rows = session.range(1000).withColumn("k", f.col("id") % 7)
    rows.groupBy("k").agg(f.sum("id")).orderBy("k").collect()
    rows.join(rows.groupBy("k").count(), "k").filter("id > 3").collect()
    try:
        context.parallelize(range(4), 2).map(lambda x: 1 / (x - 3)).collect()
    except Exception as error:
        assert "ZeroDivisionError" in str(error)


def run_als(session: SparkSession) -> None:
    """MLlib's ALS on ratings that the JVM itself holds."""
    context = session.sparkContext
    jvm = context._jvm
    mllib = jvm.org.apache.spark.mllib.recommendation
    ratings = [mllib.Rating(u, i, float(u * i % 5)) for u in range(12) for i in range(8)]
    ratings = ListConverter().convert(ratings, context._gateway._gateway_client)
    model = mllib.ALS.train(context._jsc.parallelize(ratings, 2).rdd(), 2, 1)
    model.productFeatures().count()


def main(folder: Path) -> None:
    for codec in CODECS:
        session = start(folder / codec, codec, rolled=False)
        run_jobs(session)
        session.stop()
    session = start(folder / "rolled", "zstd", rolled=True)
    run_jobs(session)
    session.stop()
    session = start(folder / "als", "none", rolled=False)
    run_als(session)
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
