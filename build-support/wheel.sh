#!/bin/bash
# Builds the wheel of the Python package from the built core, the program and the jar, and installs it into .venv.
# Usage: wheel.sh FOLDER
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
to=$1
made=build/wheel
rm -rf "$made"
.venv/bin/python -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation -w "$made" ./python
# Of Arrow's libraries it takes those of pyarrow.
.venv/bin/python -m zipfile -e "$made"/spark_reprise-*.whl "$made/files"
build-support/check_libraries.sh "$to/lib" "$made"/files/reprise/_core*.so "$made"/files/reprise/bin/*
rm -f "$to"/spark_reprise-*.whl
mv "$made"/spark_reprise-*.whl "$to"
.venv/bin/python -m pip install --disable-pip-version-check --no-deps --force-reinstall "$to"/spark_reprise-*.whl
