"""Applications of flame_jobs.py under spark.reprise.flameGraph, and where their pages are."""

import json
import subprocess
import zipfile
from pathlib import Path

from applications import run_python
from places import ROOT, SUPPORT
from pyspark.find_spark_home import _find_spark_home


def hot_stages_jar(folder: Path) -> Path:
    """The jar of jobs whose stages are known by their methods."""
    jars = f"{_find_spark_home()}/jars/*"
    source = ROOT / "tests" / "java" / "HotStages.java"
    subprocess.run(["javac", "-proc:none", "-cp", jars, "-d", str(folder), str(source)], check=True)
    jar = folder / "hot.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in folder.glob("*.class"):
            archive.write(file, file.name)
    return jar


def run_jobs(
    what: str, master: str, work: Path, hot: Path, locale: str = "C.UTF-8"
) -> tuple[dict, str]:
    """What flame_jobs.py reports, and its log, with what async-profiler prints."""
    arguments = (SUPPORT / "flame_jobs.py", what, master, work, hot)
    done = run_python(*arguments, timeout=600, LC_ALL=locale)
    return json.loads(done.stdout.splitlines()[-1]), done.stdout + done.stderr


def page_of(folder: Path, stage: int, executor: str = "*") -> Path:
    (page,) = folder.glob(f"app-*-exec-{executor}-stage-{stage}-attempt-0.html")
    return page
