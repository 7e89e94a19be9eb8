"""Runs in its own process: what lies in spill files while a task runs. Prints JSON.

Argument: work folder. One application does not encrypt what Spark writes, the next one does.
"""

import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from sessions import session_options, start_session

ROWS = 100_000
# Each reads rows that an operator has spilled; all of a task's are open until its last row is read.
QUERIES = {
    "sort": "SELECT s, id FROM t ORDER BY s DESC",
    "aggregate": "SELECT s, count(*), max(s) FROM t GROUP BY s",
    "join": "SELECT /*+ SHUFFLE_HASH(b) */ a.s, b.s FROM t a JOIN t b ON a.s = b.s",
}


def files_of(jvm: int, local: str) -> list[bytes]:
    """What the files of the JVM hold that have no name any more, below a folder."""
    contents = []
    for entry in Path(f"/proc/{jvm}/fd").iterdir():
        try:
            if str(entry.readlink()).startswith(f"{local}/") and "reprise-spill" in str(
                entry.readlink()
            ):
                contents.append(entry.read_bytes())
        except OSError:
            continue  # closed meanwhile
    return contents


def look(spark: SparkSession, query: str, local: str) -> dict:
    """What the spill files hold at the first row, and the sum of the rows' checksums."""
    jvm = int(spark._jvm.java.lang.ProcessHandle.current().pid())

    def looked(rows: Iterator) -> Iterator:
        first = next(rows, None)
        found = files_of(jvm, local)
        telling = sum(b"SECRETVALUE" in content for content in found)
        rows = (row for row in chain([first], rows) if row is not None)
        yield len(found), telling, sum(crc32(repr(tuple(row)).encode()) for row in rows)

    seen = spark.sql(query).rdd.mapPartitions(looked).collect()
    return dict(zip(("files", "telling", "rows"), map(sum, zip(*seen, strict=True)), strict=True))


def application(work: Path, encrypts: str) -> dict:
    """What is seen of each query; under "named", how many files that have a name tell a value."""
    local = work / f"local-{encrypts}"
    options = session_options(work, with_plugin=True) | {
        "spark.local.dir": str(local),
        "spark.io.encryption.enabled": encrypts,
        "spark.io.encryption.keySizeBits": "256",
        "spark.reprise.sql.enabled": "true",
        "spark.memory.offHeap.enabled": "true",
        "spark.memory.offHeap.size": "2m",
        "spark.reprise.sql.batchRows": "1000",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
    }
    spark = start_session("local[1]", options)
    spark.read.parquet(str(work / "t")).createOrReplaceTempView("t")
    seen = {name: look(spark, query, str(local)) for name, query in QUERIES.items()}
    # Blocks of shuffles stay as long as their application does.
    named = [path.read_bytes() for path in local.rglob("*") if path.is_file()]
    seen["named"] = sum(b"SECRETVALUE" in content for content in named)
    spark.stop()
    return seen


def main(work: Path) -> None:
    # More than fits between the task and its Python worker.
    texts = [f"SECRETVALUE{number % (ROWS - 7)}" for number in range(ROWS)]
    (work / "t").mkdir()
    pq.write_table(pa.table({"id": list(range(ROWS)), "s": texts}), work / "t" / "a.parquet")
    print(json.dumps([application(work, "false"), application(work, "true")]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
