"""Two Sparks that run the same queries in turn, so that what else the machine does meets both.

Run as a program, it is one of them: it runs each query that a line of standard input names, and
answers with its processor time and its wall time.
Usage: paired.py --data build/data/tpch-sf1 [--cores 2] [--conf key=value ...]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from session import BUILD, options
from tpch_queries import query


def cpu_seconds(process: Path) -> float:
    """User and system time of all threads so far."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Side:
    """One of the two: a process with these settings of Spark's beside those of every bench."""

    def __init__(self, data: Path, cores: int, conf: dict[str, str]):
        command = [sys.executable, __file__, "--data", str(data), "--cores", str(cores)]
        for key, value in conf.items():
            command += ["--conf", f"{key}={value}"]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        while self.process.stdout.readline().strip() != "ready":
            if self.process.poll() is not None:
                raise RuntimeError(f"Spark did not start with {conf}")

    def run(self, number: str) -> tuple[float, float]:
        """Seconds of processor time and of wall time."""
        self.process.stdin.write(number + "\n")
        self.process.stdin.flush()
        return tuple(json.loads(self.process.stdout.readline()))

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(60)


def ratios(off: Side, on: Side, queries: list[str], rounds: int) -> dict:
    """Rounds of all queries, the sides first by turns; how many times as long `on` takes."""
    measured = {"cpu": [], "wall": []}
    seconds = {"cpu": [], "wall": []}
    for number in range(rounds + 2):
        sums = {}
        for side in (off, on) if number % 2 else (on, off):
            times = [side.run(name) for name in queries]
            sums[side] = {"cpu": sum(t[0] for t in times), "wall": sum(t[1] for t in times)}
        if number < 2:
            continue  # compiles
        for kind in measured:
            measured[kind].append(sums[on][kind] / sums[off][kind])
            seconds[kind].append(sums[off][kind])
    return {
        kind: {
            "ratio": statistics.median(of_rounds),
            "rounds": of_rounds,
            "seconds_without": statistics.median(seconds[kind]),
        }
        for kind, of_rounds in measured.items()
    }


def table(title: str, result: dict) -> str:
    lines = [title]
    for kind, name in (("cpu", "processor time"), ("wall", "wall time")):
        one = result[kind]
        rounds = ", ".join(f"{ratio:.3f}" for ratio in one["rounds"])
        lines.append(
            f"  {name:15} {one['ratio']:.3f} times as long "
            f"(rounds {rounds}; {one['seconds_without']:.2f} s without)"
        )
    return "\n".join(lines)


def main() -> None:
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--conf", action="append", default=[])
    chosen = parser.parse_args()
    settings = options("reprise", chosen.cores, 4096)
    settings["spark.local.dir"] = tempfile.mkdtemp(dir=BUILD)
    settings |= dict(setting.split("=", 1) for setting in chosen.conf)
    builder = SparkSession.builder.master(f"local[{chosen.cores}]").appName("bench")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    for file in sorted(chosen.data.glob("*.parquet")):
        spark.read.parquet(str(file)).createOrReplaceTempView(file.stem)
    process = Path("/proc") / str(spark._jvm.java.lang.ProcessHandle.current().pid())
    print("ready", flush=True)
    for line in sys.stdin:
        cpu, wall = cpu_seconds(process), time.perf_counter()
        spark.sql(query(int(line))).collect()
        wall = time.perf_counter() - wall
        print(json.dumps([cpu_seconds(process) - cpu, wall]), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
