#!/bin/bash
# Runs Maven on the plug-in for the Spark of $SPARK (4.1, 4.0, 3.5) and the Scala of $SCALA, where it is not the one
# that this Spark is built for first (2.13 of 3.5), with the native libraries that the core's builds left for $ARCHES.
# Usage: maven.sh GOAL...
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
profile=$(build-support/spark_version.sh "${SPARK:-}" profile "${SCALA:-}")
# What Maven has taken in before, for whichever architectures.
rm -rf spark/target/spark-*/classes/native/linux-aarch64 spark/target/spark-*/classes/META-INF/sbom/aarch64
aarch64=()
if [[ " ${ARCHES:-} " == *" aarch64 "* ]]; then
  aarch64=("-Dreprise.native.aarch64=$PWD/build/aarch64/native-jar")
fi
exec mvn -B -ntp -f spark/pom.xml "-P$profile" "${aarch64[@]}" \
  "-Dreprise.native=$PWD/build/release/native-jar" "-Dreprise.library.path=$PWD/dist/lib" "$@"
