"""Sparks that run the same queries in turn, so that what else the machine does meets all.

Run as a program, it is one of them.
Usage: paired.py --data build/data/tpch-sf1 [--cores 2] [--conf key=value ...]
"""

import argparse
import atexit
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from session import BUILD, options
from tpch_queries import query

LEDGER = "spark.reprise.ledger.enabled"
KINDS = {"cpu": "processor time", "tasks": "that of tasks", "wall": "wall time"}


def cpu_seconds(process: Path) -> float:
    """User and system time of all threads so far."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_seconds_of_all(process: Path) -> float:
    """With those of its children: Python runs in them."""
    children = []
    for task in process.glob("task/*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            children += task.read_text().split()
    seconds = cpu_seconds(process)
    for pid in children:
        with contextlib.suppress(OSError):  # it has ended
            seconds += cpu_seconds_of_all(Path(f"/proc/{pid}"))
    return seconds


def seconds_of_tasks(process: Path) -> dict[str, float]:
    """Processor time so far of each thread that runs tasks: none of compiling or of garbage."""
    seconds = {}
    for thread in (process / "task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if (thread / "comm").read_text().startswith("Executor task"):
                seconds[thread.name] = int((thread / "schedstat").read_text().split()[0]) / 1e9
    return seconds


def start(data: Path, cores: int, conf: dict[str, str], java_options: str = ""):
    """A Spark with the plug-in and the tables, and the folder of its process in /proc."""
    from pyspark.sql import SparkSession

    settings = options("reprise", cores, 4096)
    settings["spark.driver.extraJavaOptions"] += java_options
    settings["spark.local.dir"] = tempfile.mkdtemp(dir=BUILD)
    atexit.register(shutil.rmtree, settings["spark.local.dir"], ignore_errors=True)
    builder = SparkSession.builder.master(f"local[{cores}]").appName("bench")
    for key, value in (settings | conf).items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    for file in sorted(data.glob("*.parquet")):
        spark.read.parquet(str(file)).createOrReplaceTempView(file.stem)
    return spark, Path("/proc") / str(spark._jvm.java.lang.ProcessHandle.current().pid())


def serve(run: Callable[[str], object], process: Path) -> None:
    """Runs what each line of standard input names; answers with its times."""
    print("ready", flush=True)
    for line in sys.stdin:
        before = seconds_of_tasks(process)
        cpu, wall = cpu_seconds_of_all(process), time.perf_counter()
        run(line.strip())
        wall, cpu = time.perf_counter() - wall, cpu_seconds_of_all(process) - cpu
        after = seconds_of_tasks(process)
        tasks = sum(seconds - before.get(thread, 0) for thread, seconds in after.items())
        print(json.dumps([cpu, tasks, wall]), flush=True)


def switched(spark, run: Callable[[str], object]) -> Callable[[str], object]:
    """Runs "on 5" with the ledger and "off 5" without, in one JVM that has compiled both."""

    def by_turns(line: str) -> None:
        side, work = line.split()
        enabled = "true" if side == "on" else "false"
        spark.conf.set(LEDGER, enabled)
        spark.sparkContext.setLocalProperty(LEDGER, enabled)
        run(work)

    return by_turns


def queries_of(spark) -> Callable[[str], object]:
    """Runs the query of TPC-H that has the number."""
    return lambda number: spark.sql(query(int(number))).collect()


class Side:
    """One of them: a process of `program`, which serves."""

    def __init__(self, program: str, data: Path, cores: int, *arguments: str):
        command = [sys.executable, program, "--data", str(data), "--cores", str(cores)]
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        while self.process.stdout.readline().strip() != "ready":
            if self.process.poll() is not None:
                raise RuntimeError(f"Spark did not start with {arguments}")

    def run(self, number: str) -> tuple[float, ...]:
        """Seconds by KINDS."""
        self.process.stdin.write(number + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the side has ended, with {self.process.wait()}, at {number}")
        return tuple(json.loads(answer))

    def java(self) -> int:
        """The process that Spark runs in: the program's only child."""
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(task.read_text().split()[0])

    def end(self) -> str:
        """What it says last."""
        said, _ = self.process.communicate(timeout=60)
        return said


def with_conf(data: Path, cores: int, conf: dict[str, str]) -> Side:
    """One with these settings of Spark's beside those of every bench."""
    settings = (f"--conf={key}={value}" for key, value in conf.items())
    return Side(__file__, data, cores, *settings)


class Half:
    """One of two that a process runs by turns."""

    def __init__(self, side: Side, name: str):
        self.side, self.name = side, name

    def run(self, number: str) -> tuple[float, ...]:
        return self.side.run(f"{self.name} {number}")


def measure(
    sides: dict[str, Side | Half],
    queries: list[str],
    rounds: int,
    when_warm: Callable[[], object] = lambda: None,
) -> dict[str, dict]:
    """Seconds of all queries by side, kind and round; another side is the first each time."""
    times = {name: {kind: [] for kind in KINDS} for name in sides}
    names = list(sides)
    for number in range(rounds + 2):
        if number == 2:
            when_warm()
        taken = {name: [] for name in names}
        for place, query_number in enumerate(queries, number):
            first = place % len(names)
            for name in names[first:] + names[:first]:
                taken[name].append(sides[name].run(query_number))
        if number < 2:
            continue  # compiles
        for name in names:
            for kind, seconds in zip(KINDS, zip(*taken[name], strict=True), strict=True):
                times[name][kind].append(sum(seconds))
    return times


def ratios(times: dict[str, dict], name: str, kind: str) -> list[float]:
    """How many times as long as the side "off" it took, by round."""
    return [on / off for on, off in zip(times[name][kind], times["off"][kind], strict=True)]


def mean_with_error(of_rounds: list[float]) -> tuple[float, float]:
    """Their mean, and how far from it, nineteen times in twenty, that of more rounds would lie."""
    return statistics.mean(of_rounds), 2 * statistics.stdev(of_rounds) / len(of_rounds) ** 0.5


def mean_of_fastest(times: list[float]) -> float:
    """Of a third of all rounds: the JVM's compilers only ever add."""
    return statistics.mean(sorted(times)[: max(len(times) // 3, 1)])


def fastest(times: dict[str, dict], name: str, kind: str) -> float:
    """How many times as long as the side "off" it took in the fastest rounds of each."""
    return mean_of_fastest(times[name][kind]) / mean_of_fastest(times["off"][kind])


def table(title: str, times: dict[str, dict]) -> str:
    lines = [title]
    for kind, name in KINDS.items():
        of_rounds = ratios(times, "on", kind)
        rounds = ", ".join(f"{ratio:.3f}" for ratio in of_rounds)
        lines.append(
            f"  {name:15} {statistics.median(of_rounds):.3f} times as long, at its fastest "
            f"{fastest(times, 'on', kind):.3f} (rounds {rounds}; "
            f"{statistics.median(times['off'][kind]):.2f} s without)"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--conf", action="append", default=[])
    chosen = parser.parse_args()
    conf = dict(setting.split("=", 1) for setting in chosen.conf)
    spark, process = start(chosen.data, chosen.cores, conf)
    serve(switched(spark, queries_of(spark)), process)
    spark.stop()


if __name__ == "__main__":
    main()
