"""The demo: TPC-H Q4 on Spark and with Reprise; two operators dumped and replayed without a JVM."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "demo"
PROGRAM = ROOT / "dist" / "bin" / "reprise"
WIDTH = 100


def progress(text: str) -> None:
    """Says on a terminal what is going on, on a line that the next output replaces."""
    if sys.stdout.isatty():
        print(f"\r\033[K  … {text}", end="", flush=True)


def say(text: str = "") -> None:
    clear = "\r\033[K" if sys.stdout.isatty() else ""
    print(clear + text[:WIDTH], flush=True)


def run_session(name: str, data: Path, dump: Path | None) -> dict:
    """Runs q4_session.py in a process of its own; its log goes to build/demo/."""
    report, log = OUT / f"{name}.json", OUT / f"{name}.log"
    command = [sys.executable, str(ROOT / "demo" / "q4_session.py"), "--data", str(data)]
    command += ["--work", str(OUT / "work" / name), "--report", str(report)]
    if dump:
        command += ["--dump", str(dump)]
    (OUT / "work" / name).mkdir(parents=True)
    with log.open("w") as output:
        status = subprocess.run(command, stdout=output, stderr=output, check=False).returncode
    if status != 0:
        tail = "\n".join(log.read_text().splitlines()[-25:])
        raise SystemExit(f"{tail}\nthe session '{name}' failed; its log is {log}")
    return json.loads(report.read_text())


def replay(folder: Path) -> dict:
    """Replays a dump; gives exit status, seconds, the most memory in MiB, and what was printed."""
    log = OUT / f"replay-{folder.name}.log"
    begin = time.perf_counter()
    with log.open("w") as output:
        process = subprocess.Popen([PROGRAM, "replay", folder], stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return {
        "status": process.returncode,
        "seconds": time.perf_counter() - begin,
        "memory_mib": usage.ru_maxrss // 1024,
        "text": log.read_text().strip(),
    }


def size_text(folder: Path) -> str:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return f"{size / 2**20:.1f} MiB"


NOT_SHOWN = ("AdaptiveSparkPlan", "QueryStage", "AQEShuffleRead", "ReusedExchange")


def compact(plan: str) -> list[str]:
    """An executed plan, one line an operator: LORE id, name by depth, and what fits of the rest."""
    lines, columns = [], []
    for line in plan.splitlines():
        match = re.match(r"([ :+|-]*)(?:\*\(\d+\) |\* )?(\w+) ?(.*)", line)
        if not match or match[2].endswith(NOT_SHOWN) or match[2].startswith(NOT_SHOWN):
            continue
        columns = [column for column in columns if column < len(match[1])]
        number = re.search(r"\[loreId=(\d+)\]", match[3])
        rest = re.sub(r"#\d+L?| \[loreId=\d+\]|, \[plan_id=\d+\]", "", match[3])
        rest = re.sub(r"file:\S*/([\w.-]+)", r"\1", rest)
        name = " " * len(columns) + match[2]
        columns.append(len(match[1]))
        lines.append(f"{number[1] if number else '':>3} {name:30} {rest}")
    return lines


def fallbacks(explain: str) -> list[str]:
    """One line for each reason why operators stayed Spark's own."""
    names: dict[str, list[str]] = {}
    for match in re.finditer(r"!Exec <(\w+)Exec>.*? because (.*)", explain):
        reason = re.sub(r"operator [\w.]*\.(\w+) has", "it has", match[2])
        names.setdefault(reason, []).append(match[1])
    return [
        f"{reason}: {', '.join(dict.fromkeys(operators))}" for reason, operators in names.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    arguments = parser.parse_args()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    dump = OUT / "dump"

    say(
        f"TPC-H Q4 on {arguments.data.name}, {os.cpu_count()} cores; each Spark in a JVM of its own"
    )
    progress("Spark alone")
    alone = run_session("spark-alone", arguments.data, None)
    progress("Spark with Reprise")
    native = run_session("reprise", arguments.data, dump)
    for name, report in (("Spark alone", alone), ("with Reprise", native)):
        say(
            f"  {name:14} session {report['start_s']:5.1f} s   Q4 {report['query_s']:5.2f} s"
            f"   memory {report['memory_mib']:5} MiB"
        )
    if alone["rows"] != native["rows"]:
        raise SystemExit(f"the answers differ:\n{alone['rows']}\n{native['rows']}")
    answer = ", ".join(f"{priority} {count}" for priority, count in native["rows"])
    say(f"  answers equal: {answer}")
    say()
    say("What ran, from the top, with LORE ids; Reprise… are native operators of the C++ core")
    for line in compact(native["plan"]):
        say(f"  {line}")
    left = fallbacks(native["explain"])
    whose = "What stayed Spark's, and why" if left else "Nothing stayed Spark's"
    say(f"{whose} (each operator's verdict: build/demo/explain.txt)")
    for line in left[:5]:
        say(f"  {line}")
    (OUT / "explain.txt").write_text(native["explain"])
    say()
    ids = native["ids"]
    taken = native["dump_s"]
    say(f"Dumped while Q4 ran again ({taken:.2f} s), then replayed without Spark or a JVM")
    failed, texts = False, []
    for number, what in zip(ids, ("filter on lineitem", "final aggregate"), strict=True):
        folder = dump / f"loreId-{number}"
        progress(f"replay of {folder.name}")
        result = replay(folder)
        failed |= result["status"] != 0
        texts.append(result["text"])
        verdict = "output as recorded" if result["status"] == 0 else "output DIFFERS"
        say(
            f"  LORE id {number:<3} {what:19} {size_text(folder):>9}   "
            f"replay {result['seconds']:.2f} s  {result['memory_mib']} MiB  {verdict}"
        )
    for line in texts[0].splitlines()[2:6]:
        say(f"      {line}")
    say()
    folder = (dump / f"loreId-{ids[0]}").relative_to(ROOT)
    say(f"Look at   {folder}/   build/demo/explain.txt   build/demo/reprise.log")
    say(f"Try next  dist/bin/reprise show {folder}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
