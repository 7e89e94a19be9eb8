#!/bin/bash
# Runs one step of the build: one line says what and how long; its output goes to a log, whose end is shown on failure.
# Usage: step.sh WHAT LOG COMMAND...
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/java_home.sh"
what=$1 log=$2
shift 2
mkdir -p "$(dirname "$log")"
SECONDS=0
printf '  %-44s ' "$what"
"$@" >"$log" 2>&1 </dev/null
status=$?
if [[ $status -eq 0 ]]; then
  printf '%4d s\n' "$SECONDS"
  printf '%d\t%s\n' "$SECONDS" "$what" >>"$(dirname "$log")/steps.tsv"  # for build_times.py
  exit 0
fi
printf 'failed after %d s\n' "$SECONDS"
{
  echo "--- the end of $log:"
  tail -n "${STEP_TAIL_LINES:-40}" "$log"
  echo "--- $what failed with exit status $status; the whole log is $log"
} >&2
exit "$status"
