"""Where things lie in the repository."""

from pathlib import Path

SUPPORT = Path(__file__).resolve().parent  # what tests use, and what they run
ROOT = SUPPORT.parent.parent
BUILD = ROOT / "build"
DIST = ROOT / "dist"
PROGRAM = DIST / "bin" / "reprise"
JAR = DIST / "reprise-spark-4.1_2.13.jar"
SQL_FILES = ROOT / "tests" / "sql"
GOLDEN = ROOT / "tests" / "golden"
