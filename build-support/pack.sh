#!/bin/bash
# Lays the built core into dist/ and, stripped of debug sections, where Maven takes the jar's native libraries from.
# Usage: pack.sh BUILD-FOLDER
set -euo pipefail
build=$1
cmake --install "$build" --prefix dist >/dev/null
"$(dirname "$0")/check_libraries.sh" dist

native=$build/native-jar/native/linux-x86_64
rm -rf "$native.new"
mkdir -p "$native.new"
for library in dist/lib/*.so*; do
  cp "$library" "$native.new/"
done
objcopy --strip-debug "$native.new/libreprise.so"
(cd "$native.new" && sha256sum *.so* >SHA256SUMS)
# Unchanged libraries keep their place, so that the jar is not built again.
if cmp -s "$native.new/SHA256SUMS" "$native/SHA256SUMS"; then
  rm -rf "$native.new"
else
  rm -rf "$native"
  mv "$native.new" "$native"
fi
