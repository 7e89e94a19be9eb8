#!/bin/bash
# Reports which lines of C++, Scala and Python the tests ran: REPORT/index.html, with the core's lines below REPORT/core, the
# plug-in's, built for the Spark of $SPARK, below REPORT/plugin, and the Python package's below REPORT/python.
# Usage: coverage.sh CORE-BUILD REPORT JACOCO-EXEC COVERAGE-DATA
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
build=$1 report=$2 recorded=$3
export COVERAGE_FILE=$4
mkdir -p "$report/core" "$report/plugin"

.venv/bin/gcovr --root . --object-directory "$build" --filter 'core/' --exclude '.*_test\.cc' \
  --exclude '.*_testing\.h' --exclude-throw-branches --gcov-ignore-parse-errors=negative_hits.warn \
  --html-details "$report/core/index.html" --html-title "Reprise's core" \
  --json-summary "$report/core.json" --print-summary "$build/core"
"$JAVA_HOME/bin/java" -jar build/java-tools/org.jacoco.cli-*-nodeps.jar report "$recorded" \
  --classfiles "spark/target/spark-$SPARK"_2.*"/classes/reprise" \
  --classfiles "spark/target/spark-$SPARK"_2.*"/classes/org" --sourcefiles spark/src/main/scala \
  --sourcefiles spark/src/main/java --sourcefiles spark/src/main/spark-4 \
  --sourcefiles "spark/src/main/spark-$SPARK" --name "Reprise's plug-in" \
  --html "$report/plugin" --csv "$report/plugin.csv"
.venv/bin/python -m coverage combine -q
.venv/bin/python -m coverage json -q -o "$report/python.json"
.venv/bin/python -m coverage html -q -d "$report/python" --title "Reprise's Python package"
.venv/bin/python build-support/coverage_index.py "$report"
