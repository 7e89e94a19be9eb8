#!/bin/bash
# Runs Maven on the plug-in for the Spark of $SPARK (4.1, 4.0, 3.5) and the Scala of $SCALA, where it is not the one
# that this Spark is built for first (2.13 of 3.5), with the native libraries that the core's build left.
# Usage: maven.sh GOAL...
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
profile=$(build-support/spark_version.sh "${SPARK:-}" profile "${SCALA:-}")
exec mvn -B -ntp -f spark/pom.xml "-P$profile" \
  "-Dreprise.native=$PWD/build/release/native-jar" "-Dreprise.library.path=$PWD/dist/lib" "$@"
