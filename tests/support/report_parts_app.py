"""An application that leaves much beside its log: report_parts_app.py FOLDER.

Of its queries one keeps an assertion, one breaks one, one fails and is dumped for that; a stage has
a slow task; an RDD gives something else each time. FOLDER has log, flames, ledger and dump.
"""

import contextlib
import random
import sys
from pathlib import Path

from sessions import session_options, start_session

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "log").mkdir(parents=True)
    options = session_options(folder, with_plugin=True) | {
        "spark.sql.ansi.enabled": "true",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{folder / 'log'}",
        "spark.eventLog.rolling.enabled": "false",
        "spark.reprise.sql.enabled": "true",
        "spark.reprise.lore.perQuery": "true",
        "spark.reprise.flameGraph.pathPrefix": f"file:{folder / 'flames'}",
        "spark.reprise.ledger.path": f"file:{folder / 'ledger'}",
    }
    spark = start_session("local[2]", options)
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
    rows = spark.range(0, 4, 1, 4).selectExpr("explode(sequence(1, if(id = 3, 12000000, 1000))) x")
    rows.selectExpr("max(length(format_number(x, 3)))").collect()
    luck = spark.sparkContext.parallelize(range(4), 2).map(lambda x: random.random())
    luck.collect()
    luck.collect()
    with contextlib.suppress(Exception):
        spark.sparkContext.parallelize(range(4), 2).map(lambda x: 1 // (3 - x)).collect()
    spark.stop()
