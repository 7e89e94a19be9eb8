"""An application that leaves much beside its log: report_parts_app.py FOLDER.

Of its queries one keeps an assertion, one breaks one, one fails and is dumped for that; a stage has
a slow task; an RDD gives something else each time. FOLDER has log, flames, ledger and dump.
"""

import contextlib
import random
import sys
from pathlib import Path

from places import JAR
from pyspark.sql import SparkSession

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "log").mkdir(parents=True)
    builder = SparkSession.builder.master("local[2]").appName("parts")
    for key, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.shuffle.partitions": "2",
        "spark.jars": str(JAR),
        "spark.plugins": "reprise.ReprisePlugin",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{folder / 'log'}",
        "spark.eventLog.rolling.enabled": "false",
        "spark.reprise.flameGraph.pathPrefix": f"file:{folder / 'flames'}",
        "spark.reprise.ledger.path": f"file:{folder / 'ledger'}",
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    # Queries 0 and 1: Project over Range.
    for bound in (100, 5):
        spark.conf.set("spark.reprise.assert", f"1: y >= 0; Range#0: id < {bound}")
        with contextlib.suppress(Exception):
            spark.range(10).selectExpr("id * 2 as y").collect()
    spark.conf.unset("spark.reprise.assert")
    # Query 2.
    spark.conf.set("spark.reprise.lore.idsToDump", "*")
    spark.conf.set("spark.reprise.lore.when", "failure")
    spark.conf.set("spark.reprise.lore.dumpPath", f"file:{folder / 'dump'}")
    with contextlib.suppress(Exception):
        spark.range(10).selectExpr("1 / (id - 5)").collect()
    spark.conf.unset("spark.reprise.lore.idsToDump")
    # Query 3: task 3 has all the work.
    rows = spark.range(0, 4, 1, 4).selectExpr("explode(sequence(1, if(id = 3, 3000000, 1000))) x")
    rows.selectExpr("max(sha2(cast(x as string), 512))").collect()
    luck = spark.sparkContext.parallelize(range(4), 2).map(lambda x: random.random())
    luck.collect()
    luck.collect()
    with contextlib.suppress(Exception):
        spark.sparkContext.parallelize(range(4), 2).map(lambda x: 1 // (3 - x)).collect()
    spark.stop()
