"""TPC-H queries on Spark alone and on Spark with Reprise, in turn, in one run: medians and ratios.

One JVM with the plug-in switched off and on at run time; `--separate` gives each side its own JVM
with the same total memory. Every round's answers are compared. Writes build/bench/tpch.json.
"""

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import sql_files  # noqa: E402  the queries and the exact comparison are the tests' own
from answers import answer_with, difference  # noqa: E402
from places import BUILD, JAR, SQL_FILES  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from sessions import QUIET  # noqa: E402

ENABLED = "spark.reprise.sql.enabled"
SIDES = ("spark", "reprise")


def start(data: Path, cores: int, heap_mb: int, with_plugin: bool) -> SparkSession:
    """A local session that has the TPC-H tables as views."""
    work = BUILD / "bench" / "work"
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUIET,
        "spark.driver.memory": f"{heap_mb}m",
        "spark.local.dir": str(work / "local"),
        "spark.sql.warehouse.dir": str(work / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.shuffle.partitions": str(2 * cores),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if with_plugin:
        options |= {"spark.jars": str(JAR), "spark.plugins": "reprise.ReprisePlugin"}
    builder = SparkSession.builder.master(f"local[{cores}]").appName("reprise bench")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    for table in sorted(data.glob("*.parquet")):
        session.read.parquet(str(table)).createOrReplaceTempView(table.stem)
    return session


def query_text(number: int) -> str:
    """The text of a TPC-H query."""
    return sql_files.read(SQL_FILES / "tpch" / f"q{number:02}.sql").statements[0].text


def measure(session: SparkSession, number: int) -> dict:
    """One run of a query: seconds to plan it, seconds to carry it out, and its answer."""
    begin = time.perf_counter()
    frame = session.sql(query_text(number))
    frame._jdf.queryExecution().executedPlan()
    planned = time.perf_counter()
    rows = frame.collect()
    done = time.perf_counter()
    answer = answer_with(frame, rows, ordered=True)
    return {"plan_s": planned - begin, "run_s": done - planned, "answer": answer}


class OneJvm:
    """Both sides in one session; the plug-in is switched at run time."""

    def __init__(self, arguments: argparse.Namespace):
        self.session = start(arguments.data, arguments.cores, arguments.memory, with_plugin=True)

    def measure(self, side: str, number: int) -> dict:
        self.session.conf.set(ENABLED, "true" if side == "reprise" else "false")
        return measure(self.session, number)

    def stop(self) -> None:
        self.session.stop()


def serve(pipe, data: Path, cores: int, heap_mb: int, with_plugin: bool) -> None:
    """The body of a side's own process: measures the queries whose numbers arrive."""
    session = start(data, cores, heap_mb, with_plugin)
    while (number := pipe.recv()) is not None:
        pipe.send(measure(session, number))
    session.stop()


class SeparateJvms:
    """One process and JVM a side; Reprise's heap is smaller by what its native memory may take."""

    def __init__(self, arguments: argparse.Namespace):
        spawn = multiprocessing.get_context("spawn")
        heaps = {"spark": arguments.memory, "reprise": arguments.memory - arguments.native_memory}
        self.pipes, self.processes = {}, []
        for side in SIDES:
            self.pipes[side], theirs = spawn.Pipe()
            values = (theirs, arguments.data, arguments.cores, heaps[side], side == "reprise")
            process = spawn.Process(target=serve, args=values, daemon=True)
            process.start()
            theirs.close()
            self.processes.append(process)

    def measure(self, side: str, number: int) -> dict:
        self.pipes[side].send(number)
        return self.pipes[side].recv()

    def stop(self) -> None:
        for pipe in self.pipes.values():
            pipe.send(None)
        for process in self.processes:
            process.join(30)


def run_query(sessions, number: int, rounds: int) -> dict:
    """Warms both sides up once, then measures them in turn; fails where an answer differs."""
    for side in SIDES:
        sessions.measure(side, number)
    runs = {side: [] for side in SIDES}
    for round_number in range(rounds):
        order = SIDES if round_number % 2 == 0 else SIDES[::-1]
        taken = {side: sessions.measure(side, number) for side in order}
        problem = difference(taken["spark"]["answer"], taken["reprise"]["answer"])
        if problem:
            raise SystemExit(f"Q{number}: the answers differ\n{problem}")
        for side in SIDES:
            runs[side].append({key: taken[side][key] for key in ("plan_s", "run_s")})
    result = {"query": number, "rounds": runs}
    for side in SIDES:
        total = [run["plan_s"] + run["run_s"] for run in runs[side]]
        result[f"{side}_s"] = statistics.median(total)
        result[f"{side}_min_s"], result[f"{side}_max_s"] = min(total), max(total)
    result["ratio"] = result["spark_s"] / result["reprise_s"]
    plans = {side: statistics.median(run["plan_s"] for run in runs[side]) for side in SIDES}
    result["plan_added_ms"] = 1000 * (plans["reprise"] - plans["spark"])
    return result


def line_of(result: dict) -> str:
    """A query's line of the table."""
    columns = [f"Q{result['query']:<3}"]
    for side in SIDES:
        low, high = result[f"{side}_min_s"], result[f"{side}_max_s"]
        columns.append(f"{result[f'{side}_s']:8.3f} s ({low:.3f} to {high:.3f})")
    columns.append(f"{result['ratio']:6.2f} x   {result['plan_added_ms']:+7.1f} ms")
    return "  ".join(columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the TPC-H tables")
    parser.add_argument("--queries", default="1,4,6", help="numbers, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--memory", type=int, default=4096, help="MiB that each side may take")
    parser.add_argument(
        "--native-memory", type=int, default=1024, help="MiB of it that Reprise's heap goes without"
    )
    parser.add_argument("--separate", action="store_true", help="a JVM for each side")
    arguments = parser.parse_args()
    numbers = [int(number) for number in arguments.queries.split(",")]

    mode = "separate JVMs" if arguments.separate else "one JVM"
    print(f"{arguments.data.name}, {arguments.cores} cores, {mode}, median of {arguments.rounds}")
    print(f"{'':4}  {'Spark alone':28}  {'with Reprise':28}  {'ratio':>6}     planning added")
    sessions = (SeparateJvms if arguments.separate else OneJvm)(arguments)
    results = []
    for number in numbers:
        results.append(run_query(sessions, number, arguments.rounds))
        print(line_of(results[-1]), flush=True)
    sessions.stop()
    total = {side: sum(result[f"{side}_s"] for result in results) for side in SIDES}
    print(f"All   {total['spark']:8.3f} s {'':19}{total['reprise']:8.3f} s {'':18}", end="")
    print(f"{total['spark'] / total['reprise']:6.2f} x   answers equal in every round")

    report = {
        "data": arguments.data.name,
        "cores": arguments.cores,
        "mode": mode,
        "memory_mib": arguments.memory,
        "machine": platform.platform(),
        "results": results,
    }
    place = BUILD / "bench" / "tpch.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(report, indent=1))
    print(f"Written to {place.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
