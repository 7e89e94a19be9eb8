#!/bin/bash
# Copies the Java tools that java-tools.xml pins into a folder. Usage: java_tools.sh FOLDER
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
mkdir -p "$1"
exec mvn -B -ntp -f "$(dirname "$0")/java-tools.xml" dependency:copy-dependencies \
  "-DoutputDirectory=$(realpath "$1")"
