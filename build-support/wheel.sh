#!/bin/bash
# Builds the wheel of the Python package from the built core, the program and the jars.
# Usage: wheel.sh FOLDER ARCHITECTURE JAR...
set -euo pipefail
source "$(dirname "$0")/java_home.sh"
to=$1 architecture=$2
shift 2
made=build/wheel
rm -rf "$made"
.venv/bin/python build-support/wheel_jars.py "$made/jars" "$architecture" "$@"
of_other=()
if [[ $architecture != x86_64 ]]; then
  of_other=(-C "build-dir=../build/python-$architecture"
    -C "cmake.define.CMAKE_TOOLCHAIN_FILE=$PWD/cmake/$architecture.cmake"
    -C "cmake.define.REPRISE_CORE=$PWD/build/$architecture" -C "cmake.define.REPRISE_DIST=$PWD/dist/$architecture")
fi
.venv/bin/python -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation -w "$made" \
  -C "wheel.tags=cp39-abi3-manylinux_2_28_$architecture" "${of_other[@]}" -C "cmake.define.REPRISE_JARS=$PWD/$made/jars" ./python
.venv/bin/python -m zipfile -e "$made"/spark_reprise-*.whl "$made/files"
package=$made/files/reprise
build-support/check_libraries.sh "$package/lib" "$package"/_core*.so "$package"/bin/* "$package"/lib/*
rm -f "$to"/spark_reprise-*.whl
mv "$made"/spark_reprise-*.whl "$to"
