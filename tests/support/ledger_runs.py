"""An application with a ledger: runs TPC-H queries, in a Spark of its own.

Usage: ledger_runs.py LEDGER TABLES QUERIES [key=value ...]
"""

import sys
import tempfile
from pathlib import Path

from sessions import session_options, start_session
from tpch_queries import query


def main() -> None:
    ledger, data, queries, *settings = sys.argv[1:]
    options = session_options(Path(tempfile.mkdtemp()), with_plugin=True)
    options |= {"spark.reprise.sql.enabled": "true", "spark.reprise.ledger.path": ledger}
    master = "local[2]"
    for setting in settings:
        key, value = setting.split("=", 1)
        if key == "spark.master":
            master = value
        else:
            options[key] = value
    spark = start_session(master, options)
    for table in sorted(Path(data).glob("*.parquet")):
        spark.read.parquet(str(table)).createOrReplaceTempView(table.stem)
    for number in queries.split(","):
        spark.sql(query(int(number))).collect()
    spark.stop()


if __name__ == "__main__":
    main()
