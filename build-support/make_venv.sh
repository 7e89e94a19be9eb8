#!/bin/bash
# Makes .venv with the packages that requirements.txt pins. Usage: make_venv.sh PYTHON
set -euo pipefail
python=${1:-python3}
if [[ ! -x .venv/bin/python ]] || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  "$python" -m venv --clear .venv
fi
.venv/bin/python -m pip install -q --disable-pip-version-check -r requirements.txt
touch .venv/.requirements-installed
