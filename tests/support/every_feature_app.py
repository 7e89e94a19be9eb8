"""Runs one query with everything that may be recorded of it: every_feature_app.py FOLDER.

Twice in one JVM, natively and by Spark's own operators. Below FOLDER/native and FOLDER/spark are
the event log, a dump, the ledger, the lineage, flame graphs; and what explain says, as a file.
"""

import sys
from pathlib import Path

from sessions import session_options, start_session

MODES = {"native": "execute", "spark": "explainOnly"}
QUERY = """SELECT k, g, count(*) AS n, sum(v) AS s FROM (
  SELECT id % 500 AS k, id % 7 AS g, id * 3 AS v FROM range(0, 6000000, 1, 2) WHERE id % 5 > 1)
GROUP BY k, g"""


def options(folder: Path, mode: str) -> dict[str, str]:
    (folder / "log").mkdir(parents=True)
    return session_options(folder / "work", with_plugin=True) | {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{folder}/log",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.reprise.sql.enabled": "true",
        "spark.reprise.sql.mode": mode,
        "spark.reprise.lore.idsToDump": "Filter#0[*], HashAggregate#0[*]",
        "spark.reprise.lore.dumpPath": f"file:{folder}/dump",
        "spark.reprise.ledger.path": f"file:{folder}/ledger",
        "spark.reprise.ledger.operators": "all",
        "spark.reprise.lineage.path": f"file:{folder}/lineage",
        "spark.reprise.flameGraph.pathPrefix": f"file:{folder}/flames",
    }


def main(folder: Path) -> None:
    for name, mode in MODES.items():
        session = start_session("local[2]", options(folder / name, mode))
        frame = session.sql(QUERY)
        assert len(frame.collect()) == 2100
        explained = session._jvm.reprise.Explain.explain(frame._jdf, "ALL")
        (folder / name / "explained").write_text(explained)
        pairs = session.sparkContext.parallelize(range(100), 2).map(lambda n: (n % 5, n))
        assert sum(n for _, n in pairs.reduceByKey(max).collect()) == 485
        session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
