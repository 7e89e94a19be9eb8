"""What profiles cost: the same queries with spark.reprise.flameGraph.pathPrefix and without.

Processes of the same settings run the queries in turn, so that what else the machine does meets
all: without profiles ("off"), with async-profiler alone at the same options ("sampler"), with
spark.reprise.flameGraph ("on"). Prints ratios of processor time and of wall time to "off", and what
is loaded where nothing is asked for.
Usage: flame.py --data build/data/tpch-sf1 [--queries 1,6,9] [--rounds 5] [--cores 2]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from session import BUILD, JAR, options
from tpch_queries import query

THREADS = "reprise-flame"


def cpu_seconds(process: Path) -> float:
    """User and system time of all threads so far."""
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sample(spark, folder: Path) -> None:
    """Has async-profiler record what it records for Reprise, into a file that nobody reads."""
    name = "linux-x64/libasyncProfiler.so"
    with zipfile.ZipFile(JAR) as jar:
        library = jar.extract(name, folder)
    profiler = spark._jvm.one.profiler.AsyncProfiler.getInstance(library)
    options = "jfropts=31,event=cpu,wall=10ms,memlimit=256m,clock=monotonic"
    profiler.execute(f"start,{options},file={folder}/recording.jfr")


def worker(data: Path, cores: int, flames: str) -> None:
    """Runs each query that a line of standard input names; answers with its times."""
    from pyspark.sql import SparkSession

    loaded = Path(tempfile.mkdtemp()) / "classes"
    settings = options("reprise", cores, 4096)
    settings["spark.driver.extraJavaOptions"] += f" -Xlog:class+load:file={loaded}"
    settings["spark.local.dir"] = tempfile.mkdtemp(dir=BUILD)
    if flames not in ("off", "sampler"):
        settings["spark.reprise.flameGraph.pathPrefix"] = flames
    builder = SparkSession.builder.master(f"local[{cores}]").appName("bench: flame graphs")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    for table in sorted(data.glob("*.parquet")):
        spark.read.parquet(str(table)).createOrReplaceTempView(table.stem)
    if flames == "sampler":
        sample(spark, loaded.parent)
    process = Path("/proc") / str(spark._jvm.java.lang.ProcessHandle.current().pid())
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "end":
            break
        cpu, wall = cpu_seconds(process), time.perf_counter()
        spark.sql(query(int(line))).collect()
        wall = time.perf_counter() - wall
        print(json.dumps([cpu_seconds(process) - cpu, wall]), flush=True)
    threads = {task: (task / "comm").read_text() for task in (process / "task").iterdir()}
    ours = [task for task, name in threads.items() if name.startswith(THREADS)]
    share = sum(map(cpu_seconds, ours)) / cpu_seconds(process)
    classes = loaded.read_text().count(" reprise.profile.") + loaded.read_text().count(" one.prof")
    print(json.dumps({"threads": len(ours), "classes": classes, "share": share}), flush=True)
    spark.stop()


class Worker:
    """A process that runs queries."""

    def __init__(self, data: Path, cores: int, flames: str):
        command = [sys.executable, __file__, "--data", str(data), "--cores", str(cores)]
        self.process = subprocess.Popen(
            [*command, f"--worker={flames}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        while self.process.stdout.readline().strip() != "ready":
            if self.process.poll() is not None:
                raise RuntimeError("the worker has ended")

    def ask(self, line: str) -> list | dict:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", default="1,3,6,9,18")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--sides", default="sampler,on", help="what is compared with: off")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        worker(chosen.data, chosen.cores, chosen.worker)
        return
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        sides = {
            name: Worker(chosen.data, chosen.cores, f"file://{folder}" if name == "on" else name)
            for name in ["off", *chosen.sides.split(",")]
        }
        queries = chosen.queries.split(",")
        times = {name: {"cpu": [], "wall": []} for name in sides}
        for number in range(chosen.rounds + 2):
            names = list(sides)
            order = names[number % len(names) :] + names[: number % len(names)]
            sums = {
                name: [sum(x) for x in zip(*(sides[name].ask(q) for q in queries), strict=True)]
                for name in order
            }
            if number < 2:
                continue  # compiles
            for name, (cpu, wall) in sums.items():
                times[name]["cpu"].append(cpu)
                times[name]["wall"].append(wall)
        facts = {name: side.ask("end") for name, side in sides.items()}
        for side in sides.values():
            side.process.wait(60)
        pages = len(list(Path(folder).glob("*.html")))
    for kind, title in (("cpu", "processor time"), ("wall", "wall time")):
        off = times["off"][kind]
        for name in times.keys() - {"off"}:
            ratios = [on / without for on, without in zip(times[name][kind], off, strict=True)]
            print(
                f"{title:15} {name:8} {statistics.median(ratios):.3f} times that without profiles, "
                f"{statistics.quantiles(ratios, n=4)[0]:.3f} to "
                f"{statistics.quantiles(ratios, n=4)[2]:.3f} in the middle half of {len(ratios)} "
                f"rounds; {statistics.median(off):.2f} s without"
            )
    print(
        f"without: {facts['off']['classes']} classes and {facts['off']['threads']} threads of "
        f"profiles; with: {pages} pages; the threads that write them took "
        f"{facts['on']['share']:.2%} of the process's time"
    )


if __name__ == "__main__":
    main()
