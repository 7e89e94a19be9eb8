#!/bin/bash
# Copies the jars that a POM pins into a folder. Usage: copy_jars.sh POM FOLDER
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
mkdir -p "$2"
exec mvn -B -ntp -f "$1" dependency:copy-dependencies "-DoutputDirectory=$(realpath "$2")"
