#!/bin/bash
# Runs Maven on the plug-in for the Spark of $SPARK (4.1, 4.0), with the native libraries that the core's build left.
# Usage: maven.sh GOAL...
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
exec mvn -B -ntp -f spark/pom.xml "-Pspark-${SPARK:-$(build-support/spark_version.sh)}" \
  "-Dreprise.native=$PWD/build/release/native-jar" "-Dreprise.library.path=$PWD/dist/lib" "$@"
