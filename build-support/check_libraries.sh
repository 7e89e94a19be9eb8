#!/bin/bash
# Fails where a program or library in dist/ needs a shared library that neither dist/lib nor every Linux has.
# Usage: check_libraries.sh DIST
set -euo pipefail
dist=$1
everywhere=" libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libgcc_s.so.1 libstdc++.so.6 ld-linux-x86-64.so.2 "
bad=0
for file in "$dist"/bin/* "$dist"/lib/*.so*; do
  while read -r needed; do
    if [[ $everywhere != *" $needed "* && ! -e $dist/lib/$needed ]]; then
      echo "$file needs $needed, which is neither in $dist/lib nor on every Linux: link it statically" >&2
      bad=1
    fi
  done < <(objdump -p "$file" | awk '$1 == "NEEDED" {print $2}')
done
exit $bad
