"""Copies the jars that spark-tests.xml pins, and lays out the data of Spark's own tests.

Usage: spark_tests.py FOLDER. Jars go to FOLDER/jars. The tests look for data where it is in Spark's
sources, here below FOLDER/home, and expect files, not jars.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

PARTS = Path(__file__).resolve().parent / "spark-tests.xml"
# The modules whose tests have data, and where each lies in Spark's sources.
MODULES = {"core": "core", "catalyst": "sql/catalyst", "sql": "sql/core"}


def is_data(name: str) -> bool:
    """Is it neither a class nor what describes the jar?"""
    return not name.endswith((".class", "/")) and not name.startswith("META-INF/")


def spark_version(*of: str) -> str:
    """What spark_version.sh prints."""
    command = [PARTS.with_name("spark_version.sh"), *of]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main(folder: Path) -> None:
    jars, home = folder / "jars", folder / "home"
    for leftover in (jars, home):
        shutil.rmtree(leftover, ignore_errors=True)
    copy = ["mvn", "-B", "-ntp", "-f", PARTS, "dependency:copy-dependencies"]
    release = spark_version(spark_version())
    options = [f"-Dspark.version={release}", f"-DoutputDirectory={jars.resolve()}"]
    subprocess.run([*copy, *options], check=True)
    for module, place in MODULES.items():
        (tests,) = jars.glob(f"spark-{module}_*-tests.jar")
        resources = home / place / "src/test/resources"
        resources.mkdir(parents=True)
        with ZipFile(tests) as jar:
            jar.extractall(resources, filter(is_data, jar.namelist()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
