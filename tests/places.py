"""Where things lie in the repository."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
DIST = ROOT / "dist"
PROGRAM = DIST / "bin" / "reprise"
JAR = DIST / "reprise-spark-4.1_2.13.jar"
SQL_FILES = ROOT / "tests" / "sql"
GOLDEN = ROOT / "tests" / "golden"
