"""Runs in its own process against a cluster: executors that die of memory. Prints JSON.

Arguments: master URL, folder of the reports, work folder.
"""

import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sessions import session_options, start_session

# A sort holds its rows while what is above takes its time.
SORTED = """SELECT count(s), count(slept)
FROM (SELECT s, java_method('java.lang.Thread', 'sleep', 20L) AS slept
      FROM (SELECT repeat(cast(id AS string), 20) AS s FROM range(0, 400000, 1, 2) SORT BY s))"""
# On the heap, since Spark's own collect_list is there: three gigabytes in one group.
TOO_MUCH = "SELECT size(collect_list(repeat(cast(id AS string), 300000))) FROM range(0, 3000, 1, 1)"


def options(work: Path, reports: Path) -> dict[str, str]:
    return session_options(work, with_plugin=True) | {
        "spark.cores.max": "2",
        "spark.driver.memory": "1g",
        "spark.executor.cores": "1",
        "spark.executor.memory": "700m",
        "spark.reprise.sql.enabled": "true",
        "spark.reprise.memory.reportPath": str(reports),
        "spark.task.maxFailures": "1",
    }


def held_by_sorts(report: dict) -> int:
    operators = [op for of in report["native"]["fragments"] for op in of["operators"]]
    return sum(op.get("held", 0) for op in operators if op["name"].startswith("RepriseSort"))


def report_of_a_sort(reports: Path, seconds: float = 60) -> tuple[Path, dict]:
    """A report that says that a native sort holds something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for path in sorted(reports.glob("*.memory.json")):
            report = json.loads(path.read_text())
            if held_by_sorts(report) > 1_000_000:
                return path, report
        time.sleep(0.2)
    raise TimeoutError(f"no sort in {sorted(reports.glob('*'))}")


def killed_while_sorting(spark, reports: Path) -> str:
    """Kills an executor as the operating system does; gives its report's name."""
    with ThreadPoolExecutor(1) as threads:
        query = threads.submit(failure_of, spark, SORTED)
        path, report = report_of_a_sort(reports)
        os.kill(report["process"]["pid"], signal.SIGKILL)
        assert query.result(), "a task is tried once"
    return path.name


def failure_of(spark, query: str) -> str:
    try:
        spark.sql(query).collect()
    except Exception as error:
        return str(error)
    return ""


def main() -> None:
    master, reports, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    spark = start_session(master, options(work, reports))
    found = {"answer": spark.sql("SELECT count(*) FROM range(0, 1000, 1, 2)").first()[0]}
    found["killed"] = killed_while_sorting(spark, reports)
    spark.conf.set("spark.reprise.sql.enabled", "false")
    found["error"] = failure_of(spark, TOO_MUCH)
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
