"""Where things lie in the repository."""

import os
from importlib.metadata import version
from pathlib import Path

import pyspark

SUPPORT = Path(__file__).resolve().parent  # what tests use, and what they run
ROOT = SUPPORT.parent.parent
BUILD = ROOT / "build"
DIST = ROOT / "dist"
PROGRAM = DIST / "bin" / "reprise"
# The plug-in's jar for the Spark of this Python; dist/ itself holds the default version's.
SPARK = ".".join(version("pyspark").split(".")[:2])
SCALA = os.environ.get("SCALA") or ("2.12" if SPARK == "3.5" else "2.13")
# Its jars and programs: PySpark's own, or, with SCALA, those that whoever runs the tests points to.
_OTHER = os.environ.get("SPARK_HOME") if os.environ.get("SCALA") else None
IS_OTHER_SCALA = bool(_OTHER)
SPARK_HOME = Path(_OTHER or Path(pyspark.__file__).parent)
_JAR = f"reprise-spark-{SPARK}_{SCALA}.jar"
JAR = next(DIST.glob(f"spark-*/{_JAR}"), DIST / _JAR)
# The Spark that dist/ itself has the jar of.
IS_DEFAULT_SPARK = JAR.parent == DIST
# The classes of that Spark as its JVMs have them in memory (class_data.py).
CLASS_DATA = BUILD / "class-data" / f"spark-{SPARK}_{SCALA}.jsa"
# Jars of Iceberg and Delta, for that one.
TABLE_FORMATS = BUILD / "table-formats"
SQL_FILES = ROOT / "tests" / "sql"
GOLDEN = ROOT / "tests" / "golden"
