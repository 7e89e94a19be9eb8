#!/bin/bash
# Installs the packages of system-packages.txt that are missing; does nothing, and needs no rights, where none is.
# Those of another architecture (libfmt-dev:arm64) are not for this system.
# Usage: install_system_packages.sh [LIST]
set -euo pipefail
list=${1:-$(dirname "$0")/system-packages.txt}
mapfile -t wanted < <(sed -e 's/#.*//' -e '/:/d' -e '/^[[:space:]]*$/d' "$list")

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: this system has no apt-get; install the equivalents of: ${wanted[*]}" >&2
  exit 0 # check_tools.sh says afterwards what is missing
fi

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: missing Debian packages, and neither root nor sudo here; as root run:" \
      "apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
