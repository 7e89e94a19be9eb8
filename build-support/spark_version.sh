#!/bin/bash
# The versions of Spark that the plug-in is built for, which are the profiles of spark/pom.xml. Usage: spark_version.sh
# prints the default one (4.1), spark_version.sh 4.0 the release of Spark that it is compiled with (4.0.4).
set -euo pipefail
pom=$(dirname "$0")/../spark/pom.xml
found=$(awk -F '[<>]' -v wanted="${1:-}" '
  $2 == "id" && $3 ~ /^spark-[0-9]/ {version = substr($3, 7)}
  /<activeByDefault>true</ && !wanted {print version}
  $2 == "spark.version" && wanted && version == wanted {print $3}' "$pom")
if [[ -z $found ]]; then
  echo "SPARK=${1:-}: spark/pom.xml has $(grep -oE '<id>spark-[0-9.]+' "$pom" | sed 's/.*spark-//' | paste -sd' ')" >&2
  exit 1
fi
echo "$found"
