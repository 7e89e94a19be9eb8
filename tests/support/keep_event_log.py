"""Cuts a log of lineage_app.py down to what is kept in tests/eventlogs, to be read for ever.

keep_event_log.py LOG TARGET: an uncompressed LOG; TARGET gets a zstd frame for every 50 lines.
What names the machine or the user that wrote it is taken out: the environment, properties, paths.
"""

import json
import re
import sys
from pathlib import Path

import pyarrow as pa

LEFT_OUT = ("SparkListenerEnvironmentUpdate", "SparkListenerBlockManagerAdded")
KEPT_PROPERTIES = ("spark.sql.execution.id", "spark.job.description", "spark.rdd.scope")
LINES_A_FRAME = 50


def shortened(value):
    """The same event without stack traces, plan texts and other applications' properties."""
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if not isinstance(value, dict):
        return re.sub(r"/[\w./-]*/(\w+\.py)", r"\1", value) if isinstance(value, str) else value
    short = {key: shortened(item) for key, item in value.items()}
    for key in ("Details", "details", "physicalPlanDescription", "Full Stack Trace"):
        if key in short:
            short[key] = ""
    if "Stack Trace" in short:
        short["Stack Trace"] = []
    if "Properties" in short:
        kept = {
            key: short["Properties"][key] for key in KEPT_PROPERTIES if key in short["Properties"]
        }
        short["Properties"] = kept
    if "User" in short:
        short["User"] = "user"
    return short


def main(log: Path, target: Path) -> None:
    lines = []
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if event["Event"] not in LEFT_OUT:
            lines.append(json.dumps(shortened(event), separators=(",", ":")) + "\n")
    codec = pa.Codec("zstd", compression_level=19)
    with target.open("wb") as file:
        for begin in range(0, len(lines), LINES_A_FRAME):
            text = "".join(lines[begin : begin + LINES_A_FRAME]).encode()
            file.write(codec.compress(text, asbytes=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
