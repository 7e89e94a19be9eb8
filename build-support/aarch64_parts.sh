#!/bin/bash
# Puts what the core is linked with on aarch64 into a folder, and changes nothing of the system: Debian's packages of that
# architecture, which aarch64-packages.txt lists, and pyarrow's wheel. Usage: aarch64_parts.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mapfile -t packages < <(sed -n 's/^\([^#].*\):arm64$/\1/p' "$here/aarch64-packages.txt")
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# An apt of another architecture, with nothing installed, beside the system's own.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,packages,wheels}
apt=(apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$work/state"
  -o Dir::State::status=/dev/null -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=)
"${apt[@]}" update
(cd "$work/packages" && "${apt[@]}" download "${packages[@]}")
for package in "$work"/packages/*.deb; do
  dpkg-deb -x "$package" "$folder"
  dpkg-deb --show --showformat '${Package} ${Version} ${Architecture}\n' "$package" >>"$folder/packages"
done

pinned=$(grep '^pyarrow==' "$here/../requirements.txt")
"$here/../.venv/bin/python" -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
  --platform manylinux_2_28_aarch64 -d "$work/wheels" "$pinned"
"$here/../.venv/bin/python" -m zipfile -e "$work"/wheels/pyarrow-*.whl "$folder"
