#!/bin/bash
# Makes .venv with the packages that requirements.txt pins, and the release of Spark that the plug-in is built for by
# default. Usage: make_venv.sh PYTHON
set -euo pipefail
python=${1:-python3}
if [[ ! -x .venv/bin/python ]] || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  "$python" -m venv --clear .venv
fi
.venv/bin/python -m pip install -q --disable-pip-version-check -r requirements.txt \
  "pyspark==$(build-support/spark_version.sh "$(build-support/spark_version.sh)")"
touch .venv/.requirements-installed
