#!/bin/bash
# Lays the built core into a folder, with debug sections in files of their own and the licences of all that is in it, and
# where Maven takes the jar's native libraries from. Usage: pack.sh BUILD-FOLDER FOLDER ARCHITECTURE
set -euo pipefail
build=$1 dist=$2 architecture=$3
cmake --install "$build" --prefix "$dist" >/dev/null
objcopy=$(sed -n 's/^CMAKE_OBJCOPY:FILEPATH=//p' "$build/CMakeCache.txt")

# gdb finds the debug sections in the folder .debug. Symbols stay, since profiles name functions by them.
split_debug() {
  local file=$1 debug
  debug=$(dirname "$file")/.debug/$(basename "$file").debug
  # What CMake has found unchanged was split before.
  if [[ -e $debug && $(objdump -h "$file") == *.gnu_debuglink* ]]; then return; fi
  mkdir -p "$(dirname "$debug")"
  "$objcopy" --only-keep-debug --compress-debug-sections=zstd "$file" "$debug.new"
  mv "$debug.new" "$debug"
  "$objcopy" --strip-debug --remove-section=.gnu_debuglink --add-gnu-debuglink="$debug" "$file" "$file.new"
  # By its time CMake knows the file again. Who runs the old one goes on.
  touch -r "$file" "$file.new"
  mv "$file.new" "$file"
}
split_debug "$dist/bin/reprise"
split_debug "$dist/lib/libreprise.so"
"$(dirname "$0")/check_libraries.sh" "$dist/lib" "$dist/bin/reprise" "$dist"/lib/*.so*
# What goes with it wherever it goes, and into the jar.
.venv/bin/python build-support/bundled.py "$dist" "$architecture"
rm -rf "$build/native-jar/META-INF"
mkdir -p "$build/native-jar/META-INF/sbom"
cp -r "$dist"/{LICENSE,NOTICE,licenses} "$build/native-jar/META-INF/"
cp "$dist/reprise.cdx.json" "$build/native-jar/META-INF/sbom/"

native=$build/native-jar/native/linux-$architecture
rm -rf "$native.new"
mkdir -p "$native.new"
cp "$dist"/lib/*.so* "$native.new/"
(cd "$native.new" && sha256sum *.so* >SHA256SUMS)
# Unchanged libraries keep their place, so that the jar is not built again.
if cmp -s "$native.new/SHA256SUMS" "$native/SHA256SUMS"; then
  rm -rf "$native.new"
else
  rm -rf "$native"
  mv "$native.new" "$native"
fi
