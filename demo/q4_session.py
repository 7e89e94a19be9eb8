"""One Spark session of the demo, a process of its own: runs TPC-H Q4, writes JSON of what it saw.

With `--dump FOLDER` the session has Reprise; Q4 runs a second time while two of its operators are
dumped: the filter on lineitem and the final aggregate. Their LORE ids come from the executed plan.
"""

import argparse
import json
import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

import sql_files  # noqa: E402  the query's text is the tests' own
from operators import lore_id, plan_text  # noqa: E402
from places import SQL_FILES  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from sessions import session_options, start_session  # noqa: E402


def peak_memory_mib(session: SparkSession) -> int:
    """The most memory that the session's JVM has taken, heap and native together."""
    pid = session._jvm.java.lang.ProcessHandle.current().pid()
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--dump", type=Path)
    arguments = parser.parse_args()
    query = sql_files.read(SQL_FILES / "tpch" / "q04.sql").statements[0].text

    begin = time.perf_counter()
    options = session_options(arguments.work, with_plugin=arguments.dump is not None)
    if arguments.dump:
        options["spark.reprise.sql.enabled"] = "true"
    session = start_session("local[*]", options)
    for table in ("lineitem", "orders"):
        file = arguments.data / f"{table}.parquet"
        session.read.parquet(str(file)).createOrReplaceTempView(table)
    started = time.perf_counter()
    frame = session.sql(query)
    rows = [list(row) for row in frame.collect()]
    done = time.perf_counter()
    report = {
        "start_s": started - begin,
        "query_s": done - started,
        "memory_mib": peak_memory_mib(session),
        "rows": rows,
    }
    if arguments.dump:
        ids = [
            lore_id(frame, "RepriseFilter", "l_commitdate"),
            lore_id(frame, "RepriseHashAggregate"),
        ]
        report["plan"] = plan_text(frame)
        report["explain"] = session._jvm.reprise.Explain.explain(session.sql(query)._jdf, "ALL")
        report["ids"] = ids
        session.conf.set("spark.reprise.lore.idsToDump", ", ".join(f"{i}[*]" for i in ids))
        session.conf.set("spark.reprise.lore.dumpPath", str(arguments.dump))
        begin = time.perf_counter()
        session.sql(query).collect()
        report["dump_s"] = time.perf_counter() - begin
    arguments.report.write_text(json.dumps(report))
    session.stop()


if __name__ == "__main__":
    main()
