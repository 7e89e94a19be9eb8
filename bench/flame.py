"""What profiles cost: the same queries with spark.reprise.flameGraph.pathPrefix and without.

Processes of the same settings run the queries in turn, so that what else the machine does meets
all: without profiles ("off"), with async-profiler alone at the same options ("sampler"), with
spark.reprise.flameGraph ("on"). Prints what of perf's samples of "on" profiles take, ratios of
processor time and of wall time to "off", and what is loaded where nothing is asked for.
Usage: flame.py --data build/data/tpch-sf1 [--queries 1,6,9] [--rounds 5] [--cores 2]
"""

import argparse
import json
import statistics
import tempfile
import zipfile
from pathlib import Path

from flame_shares import Samples, beyond
from paired import KINDS, Side, cpu_seconds, fastest, measure, queries_of, ratios, serve, start
from session import BUILD, JAR

THREADS = "reprise-flame"


def sample(spark, folder: Path) -> None:
    """Has async-profiler record what it records for Reprise, into a file that nobody reads."""
    name = "linux-x64/libasyncProfiler.so"
    with zipfile.ZipFile(JAR) as jar:
        library = jar.extract(name, folder)
    profiler = spark._jvm.one.profiler.AsyncProfiler.getInstance(library)
    options = "jfropts=31,event=cpu,wall=10ms,memlimit=256m,clock=monotonic"
    profiler.execute(f"start,{options},file={folder}/recording.jfr")


def worker(data: Path, cores: int, flames: str) -> None:
    """One side; says at its end what of profiles was loaded."""
    loaded = Path(tempfile.mkdtemp()) / "classes"
    takes = flames not in ("off", "sampler")
    conf = {"spark.reprise.flameGraph.pathPrefix": flames} if takes else {}
    spark, process = start(data, cores, conf, f" -Xlog:class+load:file={loaded}")
    if flames == "sampler":
        sample(spark, loaded.parent)
    serve(queries_of(spark), process)
    threads = {task: (task / "comm").read_text() for task in (process / "task").iterdir()}
    ours = [task for task, name in threads.items() if name.startswith(THREADS)]
    share = sum(map(cpu_seconds, ours)) / cpu_seconds(process)
    classes = loaded.read_text().count(" reprise.profile.") + loaded.read_text().count(" one.prof")
    print(json.dumps({"threads": len(ours), "classes": classes, "share": share}), flush=True)
    spark.stop()


def line_of(kind: str, name: str, times: dict[str, dict]) -> str:
    """What a side takes of a kind of time, as a line of the table."""
    of_rounds = ratios(times, name, kind)
    quartiles = statistics.quantiles(of_rounds, n=4)
    return (
        f"{KINDS[kind]:15} {name:8} {statistics.median(of_rounds):.3f} times that without "
        f"profiles, at its fastest {fastest(times, name, kind):.3f}; {quartiles[0]:.3f} to "
        f"{quartiles[2]:.3f} in the middle half of "
        f"{len(of_rounds)} rounds; {statistics.median(times['off'][kind]):.2f} s without"
    )


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
        sides = {}
        for name in ["off", *chosen.sides.split(",")]:
            flames = f"file://{folder}" if name == "on" else name
            sides[name] = Side(__file__, chosen.data, chosen.cores, f"--worker={flames}")
        samples = Samples({name: side.java() for name, side in sides.items()})
        times = measure(sides, chosen.queries.split(","), chosen.rounds, samples.start)
        shares = samples.end()
        facts = {name: json.loads(side.end()) for name, side in sides.items()}
        pages = len(list(Path(folder).glob("*.html")))
    for name in sides.keys() - {"off"}:
        print(beyond(name, shares) if shares else f"no shares of samples: {samples.problem}")
    for kind in KINDS:
        for name in times.keys() - {"off"}:
            print(line_of(kind, name, times))
    print(
        f"off: {facts['off']['classes']} classes and {facts['off']['threads']} threads of profiles"
    )
    if "on" in facts:
        print(f"on: {pages} pages, whose threads took {facts['on']['share']:.2%} of its time")
    results = {"shares": shares, "seconds": times, "facts": facts, "pages": pages}
    (BUILD / "bench").mkdir(exist_ok=True)
    (BUILD / "bench" / "flame.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
