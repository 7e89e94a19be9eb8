#!/bin/bash
# Generates the TPC-H tables as Parquet, one file a table. Usage: tpch_data.sh SCALE-FACTOR FOLDER
set -euo pipefail
scale=$1 folder=$2
rm -rf "$folder" "$folder.part"
mkdir -p "$folder.part"
.venv/bin/tpchgen-cli parquet --scale-factor "$scale" --output-dir "$folder.part"
mv "$folder.part" "$folder"
