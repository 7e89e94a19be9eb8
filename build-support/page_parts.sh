#!/bin/bash
# Puts the script of each library that page-parts.xml pins into a folder. Usage: page_parts.sh FOLDER
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
jars=$(mktemp -d)
trap 'rm -rf "$jars"' EXIT
mvn -B -ntp -f "$(dirname "$0")/page-parts.xml" dependency:unpack-dependencies "-DoutputDirectory=$jars" \
  "-DmarkersDirectory=$jars/markers" "-Dmdep.unpack.includes=META-INF/resources/webjars/*/*/dist/*.min.js"
mkdir -p "$1"
find "$jars" -name '*.min.js' -exec cp {} "$1" \;
