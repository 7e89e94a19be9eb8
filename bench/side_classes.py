"""The benches' own classes of Java: a slow file system, a user's function."""

import subprocess

import mix_functions
import slow_store
from places import BUILD, ROOT
from pyspark.find_spark_home import _find_spark_home

CLASSES = BUILD / "bench" / "classes"
SUITES = (mix_functions.SUITE, slow_store.SUITE)  # that need them


def compile_all() -> None:
    """Puts them into `CLASSES`."""
    CLASSES.mkdir(parents=True, exist_ok=True)
    sources = [str(file) for file in sorted((ROOT / "bench" / "java").glob("*.java"))]
    jars = f"{_find_spark_home()}/jars/*"
    subprocess.run(["javac", "-proc:none", "-cp", jars, "-d", str(CLASSES), *sources], check=True)
