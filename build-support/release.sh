#!/bin/bash
# Lays all that is handed out into a folder: an archive of the folder's name with program, jars and docs; the jars, the
# wheel and the bill of materials each by itself; and SHA256SUMS. Equal builds give equal archives.
# Usage: release.sh FOLDER ARCHITECTURE JAR...
set -euo pipefail
to=$1 architecture=$2
name=$(basename "$1")
shift 2
dist=dist
if [[ $architecture != x86_64 ]]; then dist=dist/$architecture; fi
rm -rf "$to"
inside=$to/$name
mkdir -p "$inside/jars"
cp -r "$dist"/{bin,lib,licenses,LICENSE,NOTICE,reprise.cdx.json} README.md CHANGELOG.md SECURITY.md docs "$inside"
find "$inside" -name .debug -prune -exec rm -rf {} +
cp "$@" "$inside/jars"
(cd "$inside" && find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS)
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=go=u-w --directory="$to" "$name" |
  gzip -n -6 >"$to/$name.tar.gz"
rm -rf "$inside"
cp "$@" "$dist/reprise.cdx.json" "$to"
"$(dirname "$0")/wheel.sh" "$to" "$architecture" "$@"
(cd "$to" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
