#!/bin/bash
# Configures the core with a preset, in build/PRESET. Usage: configure.sh PRESET [CMAKE-OPTION...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/java_home.sh"
preset=$1
folder=build/$1
shift
# CMake refuses a cache that was made while the repository lay elsewhere.
if [[ -f $folder/CMakeCache.txt ]] &&
  ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
  rm -rf "$folder"
fi
cmake --preset "$preset" "$@"
