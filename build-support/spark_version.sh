#!/bin/bash
# The versions of Spark that the plug-in is built for, which are the profiles of spark/pom.xml. Usage: spark_version.sh
# prints the default one (4.1), spark_version.sh 4.0 the release of Spark that it is compiled with (4.0.4),
# spark_version.sh 3.5 scala the Scala that it is built for first (2.12), spark_version.sh 3.5 profile 2.13 the profile.
set -euo pipefail
pom=$(dirname "$0")/../spark/pom.xml
wanted=${1:-}
what=${2:-release}
scala=${3:-}
found=$(awk -F '[<>]' -v wanted="$wanted" -v what="$what" -v scala="$scala" '
  function end() {
    if (profile == "" || done) return
    if (wanted == "" ? isDefault : spark == wanted) {
      if (what == "profile" && scala != "" && scala != binary) return
      done = 1
      if (wanted == "" && what == "release") print spark
      else print what == "scala" ? binary : what == "profile" ? profile : release
    }
  }
  $2 == "scala.binary.version" && profile == "" {always = $3}
  $2 == "profile" {profile = "none"; isDefault = 0; binary = always}
  $2 == "id" && profile == "none" {profile = $3}
  /<activeByDefault>true</ {isDefault = 1}
  $2 == "spark.binary.version" && profile != "" {spark = $3}
  $2 == "spark.version" && profile != "" {release = $3}
  $2 == "scala.binary.version" && profile != "" {binary = $3}
  $2 == "/profile" {end(); profile = ""}' "$pom")
if [[ -z $found ]]; then
  echo "SPARK=$wanted${scala:+ SCALA=$scala}: spark/pom.xml has" \
    "$(grep -oE '<id>spark-[0-9._]+' "$pom" | sed 's/.*spark-//' | paste -sd' ')" >&2
  exit 1
fi
echo "$found"
