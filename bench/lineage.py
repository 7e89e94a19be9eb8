"""Reads one large event log with Reprise and with Spark's own replay; prints times, ratios, memory.

lineage.py [--megabytes 300] [--rounds 3]: the log is a real one (tests/eventlogs) whose tasks are
multiplied within their stages. Spark reads it in one JVM, warmed up by a first replay, in two ways:
  parse   ReplayListenerBus with no listener: what it takes to read the lines and decode the events
  replay  the same with AppStatusListener, as the history server does to show an application
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from places import BUILD, PROGRAM  # noqa: E402
from pyspark.java_gateway import launch_gateway  # noqa: E402

KEPT = ROOT / "tests" / "eventlogs" / "spark-4.1.3.zstd"
TASK = re.compile(r'"Task ID":\d+,"Index":\d+')


def make_log(path: Path, megabytes: int) -> None:
    """Writes the log; every copy of a task has an id and an index of its own."""
    with pa.input_stream(pa.py_buffer(KEPT.read_bytes()), compression="zstd") as stream:
        lines = stream.read().decode().splitlines(keepends=True)
    tasks = [line for line in lines if '"Event":"SparkListenerTaskEnd"' in line]
    copies = 1 + megabytes * 1_000_000 // sum(len(line) for line in tasks)
    number = 1_000_000
    part = path.with_suffix(".part")
    with part.open("w") as file:
        for line in lines:
            file.write(line)
            if '"Event":"SparkListenerTaskEnd"' not in line or '"Failed":true' in line:
                continue
            for _ in range(copies - 1):
                number += 1
                file.write(TASK.sub(f'"Task ID":{number},"Index":{number}', line, count=1))
    part.rename(path)


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mib(pid: int) -> float:
    """The most memory that a process has held so far."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


@dataclass
class Reading:
    """One reading of the log."""

    seconds: float
    cpu_seconds: float


class Reprise:
    """The program, a process a reading."""

    def __init__(self, log: Path):
        self.command = [str(PROGRAM), "tasks", "--json", str(log)]
        self.tasks = 0
        self.peak = 0.0

    def read(self) -> Reading:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.perf_counter()
        with tempfile.TemporaryFile() as answer:
            with subprocess.Popen(self.command, stdout=answer) as process:
                # The kernel's own figure for children counts what this process held when it forked.
                while process.poll() is None:
                    self.peak = max(self.peak, peak_mib(process.pid))
                    time.sleep(0.002)
            taken = time.perf_counter() - begin
            answer.seek(0)
            stages = json.load(answer)["stages"]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.tasks = sum(s["attempts"][0]["tasks"]["succeeded"] for s in stages)
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return Reading(taken, used)


class Spark:
    """A JVM with Spark's classes, without a SparkContext."""

    def __init__(self, log: Path, heap: str):
        os.environ["PYSPARK_SUBMIT_ARGS"] = f"--driver-memory {heap} pyspark-shell"
        self.log = log
        self.gateway = launch_gateway()
        self.jvm = self.gateway.jvm
        self.jvm.org.apache.logging.log4j.core.config.Configurator.setRootLevel(
            self.jvm.org.apache.logging.log4j.Level.OFF
        )

    def read(self, listen: bool) -> Reading:
        scheduler = self.jvm.org.apache.spark.scheduler
        bus = scheduler.ReplayListenerBus()
        if listen:
            conf = self.jvm.org.apache.spark.SparkConf(False)
            status = self.jvm.org.apache.spark.status
            memory = self.jvm.org.apache.spark.util.kvstore.InMemoryStore()
            store = status.ElementTrackingStore(memory, conf)
            none = self.jvm.scala.Option.empty()
            bus.addListener(status.AppStatusListener(store, conf, False, none, none))
        stream = self.jvm.java.io.FileInputStream(str(self.log))
        every = scheduler.ReplayListenerBus.SELECT_ALL_FILTER()
        used = cpu_seconds(self.gateway.proc.pid)
        begin = time.perf_counter()
        bus.replay(stream, str(self.log), False, every)
        taken = time.perf_counter() - begin
        used = cpu_seconds(self.gateway.proc.pid) - used
        stream.close()
        return Reading(taken, used)

    def stop(self) -> None:
        self.gateway.shutdown()
        self.gateway.proc.stdin.close()
        self.gateway.proc.wait()


def median(readings: list[Reading]) -> Reading:
    return Reading(
        statistics.median(reading.seconds for reading in readings),
        statistics.median(reading.cpu_seconds for reading in readings),
    )


def measure(log: Path, rounds: int, heap: str) -> None:
    size = log.stat().st_size / 1e6
    reprise, spark = Reprise(log), Spark(log, heap)
    try:
        reprise.read()
        cold = spark.read(listen=True)
        ours, parse, replay = [], [], []
        for _ in range(rounds):
            ours.append(reprise.read())
            parse.append(spark.read(listen=False))
            replay.append(spark.read(listen=True))
        base = median(ours)
        peak = peak_mib(spark.gateway.proc.pid)
        rows = [
            ("Reprise (reprise tasks)", base, reprise.peak),
            ("Spark, warm, parsing alone", median(parse), peak),
            ("Spark, warm, as history server", median(replay), peak),
            ("Spark, its first replay", cold, peak),
        ]
    finally:
        spark.stop()
    print(f"\nlog of {size:.0f} MB, {reprise.tasks} tasks; median of {rounds} rounds\n")
    print(
        f"{'reader':32} {'s':>7} {'ratio':>7} {'CPU s':>7} {'ratio':>7} {'MB/CPU s':>9} {'MiB':>6}"
    )
    for name, taken, held in rows:
        print(
            f"{name:32} {taken.seconds:7.2f} {taken.seconds / base.seconds:6.1f}x"
            f" {taken.cpu_seconds:7.2f} {taken.cpu_seconds / base.cpu_seconds:6.1f}x"
            f" {size / taken.cpu_seconds:9.0f} {held:6.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=300, help="size of the log (300)")
    parser.add_argument("--rounds", type=int, default=3, help="timed rounds of each reader (3)")
    parser.add_argument("--heap", default="4g", help="Spark's Java heap (4g)")
    options = parser.parse_args()
    folder = BUILD / "bench" / "lineage"
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"log-{options.megabytes}MB"
    if not log.exists():
        make_log(log, options.megabytes)
    measure(log, options.rounds, options.heap)


if __name__ == "__main__":
    main()
