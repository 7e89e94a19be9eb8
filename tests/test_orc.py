"""ORC read natively: the rows and errors of Spark's reader, whatever wrote the files and how.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import os
import random
import shutil

import pytest
from on_and_off import plan_of, problem
from places import SPARK

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240603"))
TABLES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "10"))
# Each by a number n, the row's, and a random number r of 64 bits that is its own.
VALUES = {
    "b": ["r % 2 = 0", "n % 1000 < 900", "true"],
    "t": ["cast(r % 128 as tinyint)", "cast(n div 100 % 100 as tinyint)"],
    "h": ["cast(r % 32768 as smallint)", "cast(n % 300 as smallint)"],
    "i": [
        "cast(r % 2147483648 as int)",
        "cast(n as int)",
        "7",
        "cast(1000000 - n * 3 as int)",
        "cast(if(n % 97 = 0, r % 2000000000, r % 50) as int)",
        "cast(n + r % 5 as int)",
    ],
    "l": [
        "r",
        "n",
        "r % 1000",
        "if(r % 50 = 0, r, r % 100)",
        "-9223372036854775808 + n",
        "if(n % 2 = 0, 9223372036854775807, -9223372036854775808)",
        "if(r % 100 = 0, 1099511627776 + r % 1000, n % 10 - 5)",
    ],
    "f": ["cast(r % 1000 / 7 as float)", "cast(if(n % 9 = 0, 'NaN', '-0.0') as float)"],
    "x": ["r / 3", "if(n % 1000 = 0, double('NaN'), n * 0.5D)", "n * 0.25D", "double('-Infinity')"],
    "d": ["cast(r % 100000000 / 1000 as decimal(12,3))", "cast(n % 10 as decimal(12,3))"],
    "big": [
        "cast(cast(r as string) || '12345678' as decimal(30,0)) / 10000",
        "cast(n % 100 as decimal(30,4))",
    ],
    "day": [
        "date_from_unix_date(cast(r % 30000 as int))",
        "date_from_unix_date(cast(n div 10 as int))",
        "date_from_unix_date(cast(r % 700000 as int) - 719162)",
    ],
    "at": [
        "timestamp_micros(r % 4000000000000000)",
        "timestamp_seconds(n * 60)",
        "timestamp_micros(r % 100000000 * -2000000000)",
        "timestamp_millis(r % 1000000 - 500000)",
        "timestamp_micros(-1 - r % 3000000)",
    ],
    "ntz": ["cast(timestamp_micros(r % 4000000000000000) as timestamp_ntz)"],
    "s": [
        "concat('name ', r % 20)",
        "hex(r)",
        "repeat('naïve 🦉', cast(n % 5 as int))",
        "''",
        "concat(repeat('long ', 300), n)",
    ],
    "y": ["cast(hex(r) as binary)", "cast(concat('v', n % 3) as binary)"],
}
TYPES = {"big": "decimal(30,4)"}
# Python has no years before 1 and after 9999.
SHOWN = {
    "day": "unix_date(day) as day",
    "at": "unix_micros(at) as at",
    "ntz": "cast(ntz as string) as ntz",
}
COLUMNS = [SHOWN.get(name, name) for name in VALUES]
QUERIES = [
    "select * from files",
    "select s, at, i from files",
    "select count(*) from files",
    "select count(*), count(s), sum(i), min(day), max(at) from files where i > 0",
    "select b, count(*), max(l), min(s) from files group by b order by b",
    "select * from files where l between 500 and 700",
    "select s, day from files where day < -200000 or x > 1e4 or s is null",
    "select count(*) from files where s = 'name 7' and t < 5",
    "select count(*) from files where f > 5 or x = double('NaN')",
    "select n from files where n >= 1300 and n < 1420",
]


def write(spark, source: random.Random, rows: int, folder: str) -> None:
    nulls = source.choice(["false", "n % 7 = 0", "hash(n, '{name}') % 10 = 0", "n > 1000"])
    columns = []
    for name, choices in VALUES.items():
        is_null = nulls.replace("{name}", name)
        value = source.choice(choices)
        if name in TYPES:
            value = f"cast({value} as {TYPES[name]})"
        columns.append(f"if({is_null}, null, {value}) as {name}")
    frame = spark.range(0, rows, 1, source.choice([1, 2])).selectExpr(
        "id as n", f"abs(xxhash64(id, {source.randrange(1000)})) % 9000000000000000000 as r"
    )
    options = {
        "compression": source.choice(["none", "zlib", "snappy", "zstd", "lz4"]),
        "orc.row.index.stride": source.choice(["1000", "10000"]),
        "orc.stripe.size": source.choice(["20000", "67108864"]),
        "orc.dictionary.key.threshold": source.choice(["0", "0.8", "1"]),
        "orc.compress.size": source.choice(["1024", "262144"]),
        # Of before Hive 0.12: runs are written in another way.
        "orc.write.format": source.choice(["0.12", "0.12", "0.11"]),
    }
    frame.selectExpr("n", *columns).write.options(**options).mode("overwrite").orc(folder)


def test_random_tables_have_sparks_rows(native, tmp_path):
    source = random.Random(SEED)
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.conf.set("spark.sql.ansi.enabled", "false")
    problems = []
    for number in range(TABLES):
        folder = str(tmp_path / f"{number}")
        native.conf.set("spark.reprise.sql.enabled", "false")
        write(native, source, source.choice([1, 100, 3000, 25000]), folder)
        native.conf.set("spark.sql.files.maxPartitionBytes", source.choice(["30000", "64m"]))
        for query in ["select * from files", *source.sample(QUERIES, 4)]:

            def frame(folder=folder):
                return native.read.orc(folder).selectExpr("n", *COLUMNS)

            found = problem(native, frame, query)
            assert "RepriseOrcScan" in plan_of(native, query)
            if found:
                where = f"REPRISE_FUZZ_SEED={SEED}, table {number}"
                problems.append(f"{where}\n{query}\n{found[:3000]}")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems)


def figures(spark, query: str) -> dict[str, int]:
    """What the query's scan counts, after a run."""
    frame = spark.sql(query)
    frame.collect()
    scan = frame._jdf.queryExecution().executedPlan().collectLeaves().head()
    while "Scan" not in scan.nodeName():
        scan = scan.child()
    entries = scan.metrics().iterator()
    found = {}
    while entries.hasNext():
        entry = entries.next()
        found[entry._1()] = entry._2().value()
    return found
