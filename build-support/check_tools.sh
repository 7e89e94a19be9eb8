#!/bin/bash
# Says in one line a tool which of the tools is missing or too old. Usage: check_tools.sh PYTHON
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/java_home.sh"
python=${1:-python3}
bad=0

# at_least NAME WANTED FOUND: complains unless FOUND is a version and not older than WANTED.
at_least() {
  if [[ -z $3 ]]; then
    echo "setup: no $1 found; version $2 or newer is needed" >&2
  elif [[ $(printf '%s\n' "$2" "$3" | sort -V | head -1) != "$2" ]]; then
    echo "setup: $1 is version $3; version $2 or newer is needed" >&2
  else
    return 0
  fi
  bad=1
}
# version COMMAND...: the first version number that the command prints.
version() { { "$@" 2>&1 || true; } | sed 's/\x1b\[[0-9;]*m//g' | grep -oE '[0-9]+(\.[0-9]+)*' | head -1 || true; }

at_least g++ 12 "$(version g++ -dumpfullversion)"
at_least cmake 3.25 "$(version cmake --version)"
at_least ninja 1.10 "$(version ninja --version)"
at_least clang-format 14 "$(version clang-format --version)"
at_least mvn 3.6 "$(version mvn --version)"
at_least "$python" 3.11 "$(version "$python" -c 'import platform; print(platform.python_version())')"
java=$(version "${JAVA_HOME:-/nowhere}/bin/javac" -version)
at_least "a JDK" 17 "$java"
if [[ -n $java && ${java%%.*} != 17 && ${java%%.*} != 21 ]]; then
  echo "setup: JAVA_HOME=$JAVA_HOME is Java $java; Spark 4 runs on Java 17 or 21" >&2
  bad=1
fi
if [[ $(uname -sm) != "Linux x86_64" ]]; then
  echo "setup: this is $(uname -sm); Reprise is built for Linux x86_64 only" >&2
  bad=1
fi
exit $bad
