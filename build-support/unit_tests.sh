#!/bin/bash
# Runs the core's unit tests of a build folder. Usage: unit_tests.sh BUILD-FOLDER JOBS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export LSAN_OPTIONS="suppressions=$here/leaks-of-others.txt:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
exec ctest --test-dir "$1" --output-on-failure --no-tests=error -j "$2"
