#!/bin/bash
# Writes the generated reference pages into a folder. Usage: reference_pages.sh FOLDER
set -euo pipefail
folder=$1
mkdir -p "$folder"
dist/bin/reprise config --markdown >"$folder/configuration.md"
dist/bin/reprise ops --markdown >"$folder/operators.md"
dist/bin/reprise report --kinds >"$folder/findings.md"
