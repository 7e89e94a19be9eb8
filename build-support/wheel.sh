#!/bin/bash
# Builds the wheel of the Python package from the built core, the program and the jar, and installs it into .venv.
# Usage: wheel.sh FOLDER
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
to=$1
made=build/wheel
rm -rf "$made"
.venv/bin/python -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation -w "$made" ./python
rm -f "$to"/spark_reprise-*.whl
mv "$made"/spark_reprise-*.whl "$to"
.venv/bin/python -m pip install --disable-pip-version-check --no-deps --force-reinstall "$to"/spark_reprise-*.whl
