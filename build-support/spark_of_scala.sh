#!/bin/bash
# Makes a SPARK_HOME of another Scala than PySpark's jars are of: their like from Maven Central, with PySpark's programs.
# Usage: spark_of_scala.sh SPARK SCALA PYTHON FOLDER, where PYTHON has the PySpark of that Spark.
set -euo pipefail
mkdir -p "$4"
to=$(realpath "$4")
SPARK=$1 SCALA=$2 "$(dirname "$0")/maven.sh" dependency:copy-dependencies \
  -DincludeScope=provided -DexcludeArtifactIds=async-profiler "-DoutputDirectory=$to/jars"
ln -sfn "$("$3" -c 'import pyspark; print(*pyspark.__path__)')/bin" "$to/bin"
