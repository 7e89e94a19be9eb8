#!/bin/bash
# Puts the script of each library that page-parts.xml pins into a folder, and its licence. Usage: page_parts.sh FOLDER
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
jars=$(mktemp -d)
webjars=META-INF/resources/webjars
trap 'rm -rf "$jars"' EXIT
mvn -B -ntp -f "$(dirname "$0")/page-parts.xml" dependency:unpack-dependencies "-DoutputDirectory=$jars" \
  "-DmarkersDirectory=$jars/markers" "-Dmdep.unpack.includes=$webjars/*/*/dist/*.min.js,$webjars/*/*/LICENSE"
mkdir -p "$1"
find "$jars" -name '*.min.js' -exec cp {} "$1" \;
for licence in "$jars/$webjars"/*/*/LICENSE; do
  cp "$licence" "$1/$(basename "$(dirname "$(dirname "$licence")")")-LICENSE"
done
