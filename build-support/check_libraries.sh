#!/bin/bash
# Fails where a program or library needs a shared library that neither stands beside it nor every Linux has, or a symbol
# that the oldest Linux has not which the product runs on: glibc 2.28 and the libraries of GCC 8.
# Usage: check_libraries.sh LIBRARY-FOLDER FILE...
set -euo pipefail
libraries=$1
shift
everywhere=" libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libgcc_s.so.1 libstdc++.so.6 "
everywhere+="ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 "
bad=0

# newer_symbols FILE: what it takes of others in a version that is too new. Private symbols are of one build of glibc.
newer_symbols() {
  objdump -T "$1" | awk '
    BEGIN { newest["GLIBC"] = "2.28"; newest["GLIBCXX"] = "3.4.25"; newest["CXXABI"] = "1.3.11"; newest["GCC"] = "7.0.0" }
    function is_newer(version, limit,   a, b, i, n) {
      n = split(version, a, "."); split(limit, b, ".")
      for (i = 1; i <= n; i++) if (a[i] + 0 != b[i] + 0) return a[i] + 0 > b[i] + 0
      return 0
    }
    /\*UND\*/ {
      version = $(NF - 1); gsub(/[()]/, "", version); at = match(version, /_[^_]*$/)
      family = substr(version, 1, at - 1); number = substr(version, at + 1)
      if (number == "PRIVATE" || (family in newest && is_newer(number, newest[family]))) print $NF, version
    }'
}

for file in "$@"; do
  while read -r needed; do
    if [[ $everywhere != *" $needed "* && ! -e $libraries/$needed ]]; then
      echo "$file needs $needed, which is neither in $libraries nor on every Linux: link it statically" >&2
      bad=1
    fi
  done < <(objdump -p "$file" | awk '$1 == "NEEDED" {print $2}')
  while read -r symbol version; do
    echo "$file needs $symbol of $version, which is newer than glibc 2.28 and GCC 8:" \
      "link it with reprise_portable (core/portability)" >&2
    bad=1
  done < <(newer_symbols "$file")
done
exit $bad
