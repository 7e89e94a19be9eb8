"""What `reprise qualify` foretells of each query of a suite, beside what came of it.

Runs the suite on Spark alone and with Reprise, by turns, with event logs; gives Spark's log to
`reprise qualify`, and reads from the other how long the same queries took. Writes
qualify-NAME.json of the suite into build/bench.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import session  # noqa: F401 (puts the tests' support on the path)
from places import PROGRAM
from side import OUTPUT, SIDES, Side
from suites import SUITES, suite_of


def run_named(spark, text: str, name: str) -> None:
    """Runs a query whose executions in the log are called by `name`."""
    spark.sparkContext.setJobDescription(name)
    spark.sql(text)._jdf.collectToPython()


def run_suite(suite, logs: Path, rounds: int, cores: int, memory: int) -> dict[str, Path]:
    """The event log of each side."""
    shutil.rmtree(logs, ignore_errors=True)
    sides = {}
    for name in SIDES:
        conf = logs / f"conf-{name}"
        (logs / name).mkdir(parents=True)
        conf.mkdir()
        (conf / "spark-defaults.conf").write_text(
            f"spark.eventLog.enabled true\nspark.eventLog.dir {(logs / name).as_uri()}\n"
            "spark.eventLog.rolling.enabled false\n"
        )
        os.environ["SPARK_CONF_DIR"] = str(conf)
        sides[name] = Side(name, suite, cores, memory, limit_s=900)
    for number, text in suite.texts.items():
        for turn in range(rounds + 1):
            for name in SIDES if turn % 2 else reversed(SIDES):
                title = f"q{number}" if turn else "warm-up"
                failure = sides[name].ask(run_named, text, title)
                if failure:
                    print(f"q{number} on {name}: {failure.error}")
        print(f"q{number}", end=" ", flush=True)
    print()
    for side in sides.values():
        side.stop()
    return {name: next((logs / name).iterdir()) for name in SIDES}


def told(command: str, log: Path) -> dict:
    out = subprocess.run([PROGRAM, command, log, "--json"], capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(out.stderr)
    return json.loads(out.stdout)


def medians(queries: list[dict], key: str) -> dict[str, float]:
    """Of what each name's executions took, in ms."""
    by_name = {}
    for query in queries:
        by_name.setdefault(query["description"], []).append(query[key])
    return {name: statistics.median(of) for name, of in by_name.items() if name != "warm-up"}


def compare(logs: dict[str, Path]) -> list[dict]:
    """By query: foretold and measured."""
    foretold = told("qualify", logs["spark"])["applications"][0]["queries"]
    came = told("report", logs["reprise"])["queries"]
    for query in foretold:
        query["expectedMs"] = query["nativeWallMs"]["expected"]
    was, becomes = medians(foretold, "wallMs"), medians(foretold, "expectedMs")
    measured = medians(came, "wallMs")
    share, native_share = medians(foretold, "nativeShare"), {}
    for query in came:
        total = query["nativeMs"] + query["sparkMs"]
        native_share[query["description"]] = query["nativeMs"] / total if total else 0
    return [
        {
            "query": name,
            "spark_ms": was[name],
            "foretold": was[name] / max(becomes[name], 1),
            "measured": was[name] / max(measured[name], 1),
            "foretold_share": share[name],
            "measured_share": native_share.get(name, 0),
        }
        for name in was
        if name in measured
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="tpch", choices=SUITES)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=4096, help="MiB that each side may take")
    parser.add_argument("--again", action="store_true", help="read the logs of the last run")
    chosen = parser.parse_args()
    suite = suite_of(chosen.suite, chosen.data)
    logs = OUTPUT / f"qualify-{suite.name}"
    if chosen.again:
        of_sides = {name: next((logs / name).iterdir()) for name in SIDES}
    else:
        of_sides = run_suite(suite, logs, chosen.rounds, chosen.cores, chosen.memory)
    results = compare(of_sides)
    print(f"{'':8}{'Spark':>9}{'foretold':>10}{'measured':>10}{'native share':>20}")
    for each in results:
        print(
            f"{each['query']:8}{each['spark_ms'] / 1000:8.2f}s{each['foretold']:9.2f}x"
            f"{each['measured']:9.2f}x{each['foretold_share']:12.0%}{each['measured_share']:8.0%}"
        )
    total = sum(each["spark_ms"] for each in results)
    for key in ("foretold", "measured"):
        print(f"all {key}: {total / sum(e['spark_ms'] / e[key] for e in results):.2f}x")
    (OUTPUT / f"qualify-{suite.name}.json").write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
