"""ORC read natively: the rows and errors of Spark's reader, whatever wrote the files and how.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import itertools
import os
import random
import re
import shutil

import pytest
from answers import FAILURES
from on_and_off import plan_of, problem
from places import SPARK
from spark_replays import problem_on_spark
from test_dump import reprise
from whole_dumps import dump_all, rows_of

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


NULLS = ["false", "n % 7 = 0", "hash(n, '{name}') % 10 = 0", "n > 1000"]


def value_of(source: random.Random, name: str, number: str = "n", chance: str = "r") -> str:
    """A random expression for a column of VALUES over another number and random number."""
    value = source.choice(VALUES[name])
    value = re.sub(r"\b([nr])\b", lambda found: {"n": number, "r": chance}[found[1]], value)
    return f"cast({value} as {TYPES[name]})" if name in TYPES else value


def items(source: random.Random, item: str, depth: str) -> str:
    """An array of up to five items, null ones among them, where `item` is one of lambda `depth`."""
    length = source.choice([f"hash(n, '{depth}') & 3", "n % 6", "if(n % 50 = 0, 5, 0)"])
    item = source.choice([item, f"if(hash(n, {depth}) % 5 = 0, null, {item})"])
    return f"transform(slice(sequence(0, 5), 1, cast({length} as int)), {depth} -> {item})"


def nested_columns(source: random.Random) -> dict[str, str]:
    """Columns of structs, arrays and maps of random flat types."""

    def flat(depth: str = "") -> str:
        # Spark reads no structs of times without a zone, though it writes them.
        name = source.choice([name for name in VALUES if name != "ntz"])
        if not depth:
            return value_of(source, name)
        chance = f"(abs(xxhash64(r, {depth})) % 9000000000000000000)"
        value = value_of(source, name, f"(n * 10 + {depth})", chance)
        return source.choice([value, f"if(hash(r, {depth}) % 4 = 0, null, {value})"])

    inner = f"named_struct('u', {flat()}, 'w', 7)"
    pair = f"named_struct('k', {flat('i')}, 'v', {items(source, flat('j'), 'j')})"
    keys = "transform(sequence(1, cast(n % 4 as int) + 1), i -> concat('key ', i * n))"
    values = f"transform(sequence(1, cast(n % 4 as int) + 1), i -> {flat('i')})"
    return {
        "st": f"named_struct('p', {flat()}, 'Q', {flat()}, 'inner', {inner})",
        "arr": items(source, flat("i"), "i"),
        "aos": items(source, pair, "i"),
        "m": f"map_from_arrays({keys}, {values})",
        "mm": f"map(cast(n as int), named_struct('x', {flat()}, 'y', map('one', {flat()})))",
    }


def write(
    spark, source: random.Random, rows: int, folder: str, nested: dict[str, str] | None = None
) -> None:
    nulls = source.choice(NULLS)
    columns = []
    values = nested or {name: value_of(source, name) for name in VALUES}
    for name, value in values.items():
        is_null = nulls.replace("{name}", name)
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


def scan_of(plan):
    """The first scan below a node of a plan; None: there is none."""
    if "Scan" in plan.nodeName():
        return plan
    children = plan.children().iterator()
    while children.hasNext():
        found = scan_of(children.next())
        if found is not None:
            return found
    return None


def figures(spark, query: str) -> dict[str, int]:
    """What the query's scan counts in a run."""
    frame = spark.sql(query)
    frame.collect()
    entries = scan_of(frame._jdf.queryExecution().executedPlan()).metrics().iterator()
    found = {}
    while entries.hasNext():
        entry = entries.next()
        found[entry._1()] = entry._2().value()
    return found


def read_by_spark(spark, query: str) -> int | None:
    """How much of the files Spark's reader reads in a query; None: it fails."""
    try:
        return figures(spark, query)["sparkBytesRead"]
    except FAILURES:
        return None


NESTED_QUERIES = [
    "select n, cast(st.Q as string) from files",
    "select n, cast(st.inner.u as string) from files where n > 1300 and n < 1420",
    "select n, cast(aos.k as string), cast(m as string) from files where n % 3 = 0",
    "select count(*), sum(size(arr)), sum(size(aos.v)), max(n) from files where st.p is not null",
    "select n, k, cast(v as string) from files lateral view explode(m) as k, v where n < 700",
    "select n, cast(mm[cast(n as int)].y as string) from files where n between 2100 and 2200",
    "select cast(st as string), count(*) from files where arr is null group by st.inner.w, st",
]


@pytest.mark.parametrize("is_nested", [False, True])
def test_random_tables_have_sparks_rows(native, tmp_path, is_nested):
    source = random.Random(SEED)
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.conf.set("spark.sql.ansi.enabled", "false")
    problems = []
    all_of_it = ", ".join(f"cast({name} as string)" for name in nested_columns(source))
    first = f"select n, {all_of_it} from files" if is_nested else "select * from files"
    for number in range(TABLES // 2 if is_nested else TABLES):
        folder = str(tmp_path / f"{number}")
        native.conf.set("spark.reprise.sql.enabled", "false")
        nested = nested_columns(source) if is_nested else None
        write(native, source, source.choice([1, 100, 3000, 25000]), folder, nested)
        native.conf.set("spark.sql.files.maxPartitionBytes", source.choice(["30000", "64m"]))
        vectorized = source.choice(["true", "false"])
        native.conf.set("spark.sql.orc.enableNestedColumnVectorizedReader", vectorized)
        for query in [first, *source.sample(NESTED_QUERIES if is_nested else QUERIES, 4)]:

            def frame(folder=folder):
                files = native.read.orc(folder)
                return files if is_nested else files.selectExpr("n", *COLUMNS)

            found = problem(native, frame, query)
            counted = figures(native, f"select count(*), min(hash(*)) from ({query})")
            if counted["sparkBytesRead"]:
                found = f"{counted} {found}"
            if found:
                where = f"REPRISE_FUZZ_SEED={SEED}, table {number}"
                problems.append(f"{where}\n{query}\n{found[:3000]}")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems)


@pytest.fixture
def whole(native):
    """A session in which plans are seen as they run, and one task reads all of a small table."""
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.conf.set("spark.sql.files.minPartitionNum", "1")
    native.conf.set("spark.sql.files.openCostInBytes", "1")
    native.conf.set("spark.reprise.sql.enabled", "false")
    return native


@pytest.fixture
def jvm_zone(native):
    """Sets the JVM's time zone, for the rest of the test."""
    zones = native._jvm.java.util.TimeZone
    before = zones.getDefault()
    yield lambda name: zones.setDefault(zones.getTimeZone(name))
    zones.setDefault(before)


TIMES = [
    *("2024-03-31 01:59:59.999", "2024-03-31 03:00:00", "2024-10-27 02:30:00.5", "1970-01-01"),
    *("1969-12-31 23:59:59.999999", "1969-12-31 23:59:58.0005", "1900-01-01", "1899-12-31 12:00"),
    *("1582-10-15", "1582-10-04 23:59:59", "1500-02-28 07:08:09.123456", "0001-01-01"),
    "9999-12-31",
]


def test_timestamps_are_those_of_their_time_zone(whole, jvm_zone, tmp_path):
    values = ", ".join(f"(timestamp'{time}', date'{time.split()[0]}')" for time in TIMES)
    queries = ["select unix_micros(at), unix_date(day) from files", "select max(at) from files"]
    for number, zone in enumerate(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]):
        jvm_zone(zone)
        whole.conf.set("spark.reprise.sql.enabled", "false")
        folder = str(tmp_path / f"{number}")
        whole.sql(f"select * from values {values} as t(at, day)").coalesce(1).write.orc(folder)
        for read_in in (zone, "Australia/Lord_Howe"):
            jvm_zone(read_in)
            for query in queries:
                assert not problem(whole, lambda folder=folder: whole.read.orc(folder), query)
                counted = figures(whole, query)
                assert (counted["sparkBytesRead"] > 0) == (read_in != zone), (zone, read_in)


def test_bounds_of_decimals_and_timestamps_leave_out_groups(whole, jvm_zone, tmp_path):
    columns = [
        "id",
        "cast(id - 20000 as decimal(12,2)) / 100 as d",
        "cast(id * -3 as decimal(30,4)) as big",
        "timestamp_seconds((id - 10000) * 7200 + 1800) as at",
        "timestamp_ntz'2024-01-01' + make_dt_interval(0, id) as ntz",
    ]
    conditions = [
        "d > 199.985",
        "big between -4 and -1.5",
        "at = timestamp'1976-11-03 00:30:00'",
        "at between timestamp'1969-12-31' and timestamp'1970-01-01'",
        "at > '1976-11-01'",
        "ntz > timestamp_ntz'2028-07-01'",
    ]
    whole.conf.set("spark.sql.session.timeZone", "UTC")
    for zone in ("Pacific/Kiritimati", "America/New_York"):
        jvm_zone(zone)
        whole.conf.set("spark.reprise.sql.enabled", "false")
        folder = str(tmp_path / zone)
        made = whole.range(0, 40000, 1, 1).selectExpr(*columns)
        made.write.option("orc.row.index.stride", "1000").orc(folder)
        for condition in conditions:
            query = f"select id from files where {condition}"
            found = problem(whole, lambda folder=folder: whole.read.orc(folder), query)
            assert not found, (zone, condition, found)
            counted = figures(whole, query)
            assert counted["rowGroupsSkipped"] > 10 * counted["rowGroupsRead"], (zone, condition)


def test_an_executor_in_another_time_zone_has_its_own_timestamps(whole, jvm_zone, tmp_path):
    jvm_zone("Europe/Berlin")
    columns = [
        "id",
        "timestamp_seconds(id) at",
        "array(named_struct('at', timestamp_seconds(id))) l",
    ]
    whole.range(0, 100, 1, 1).selectExpr(*columns).write.orc(str(tmp_path / "t"))
    whole.conf.set("spark.reprise.sql.enabled", "true")
    whole.read.orc(str(tmp_path / "t")).createOrReplaceTempView("files")
    for query, has_instants in (
        ("select max(id) from files", False),
        ("select max(at) from files", True),
        ("select max(l) from files", True),
    ):
        for elsewhere in (False, True):
            jvm_zone("Europe/Berlin")
            execution = whole.sql(query)._jdf.queryExecution()
            rows = execution.toRdd()  # what tasks get is made here
            jvm_zone("Asia/Kolkata" if elsewhere else "Europe/Berlin")
            assert rows.count() == 1
            by_spark = scan_of(execution.executedPlan()).metrics().apply("sparkBytesRead").value()
            assert (by_spark > 0) == (has_instants and elsewhere), (query, elsewhere)


def test_columns_are_found_as_spark_finds_them(whole, tmp_path):
    made = whole.range(0, 3000, 1, 1).selectExpr(
        "id as a", "cast(id as int) as B", "concat('s', id % 9) as c", "id % 3 as p"
    )
    made.write.partitionBy("p").orc(str(tmp_path / "named"))
    made.toDF("_col0", "_col1", "_col2", "_col3").write.orc(str(tmp_path / "nameless"))
    made.toDF("_col0", "_colour", "_col2", "_col3").write.orc(str(tmp_path / "partly"))
    cases = [
        ("named", "c string, a bigint, p bigint"),
        ("named", "b int, new decimal(5,2), C string"),
        ("named", "a bigint, b bigint"),
        ("named", "a int, c binary"),
        ("named", "a string"),
        ("named", "p bigint, extra string"),
        ("nameless", "x bigint, y int, z string, q bigint"),
        ("nameless", "x bigint, y int, z string, q bigint, more date"),
        ("nameless", "x bigint, y int"),
        ("nameless", "_col2 string"),
        ("partly", "x bigint, y int, z string, q bigint"),
    ]
    for folder, schema in cases:

        def frame(folder=folder, schema=schema):
            return whole.read.schema(schema).orc(str(tmp_path / folder))

        names = [field.split()[0] for field in schema.split(", ")]
        query = f"select {names[-1]}, {names[0]} from files where {names[0]} > '2'"
        for sensitive in ("false", "true"):
            whole.conf.set("spark.sql.caseSensitive", sensitive)
            found = problem(whole, frame, query, ordered=False)
            assert not found, (folder, schema, query, sensitive, found)


def test_nested_columns_are_found_as_spark_finds_them(whole, tmp_path):
    made = whole.range(0, 3000, 1, 1).selectExpr(
        "named_struct('a', cast(id as int), 'B', concat('s', id % 9), 'c', "
        "named_struct('x', id, 'at', timestamp_seconds(id))) as s",
        "array(named_struct('x', id, 'y', cast(id % 7 as string)), null) as l",
        "map(id, named_struct('x', id), -1L, null) as m",
    )
    made.write.orc(str(tmp_path / "named"))
    made.toDF("_col0", "_col1", "_col2").write.orc(str(tmp_path / "nameless"))
    cases = [
        ("s struct<b:string,a:int>", True),
        ("s struct<A:int,new:date,fresh:array<int>>", True),
        ("s struct<c:struct<at:timestamp>>", True),
        ("l array<struct<Y:string,new:struct<x:int>>>, s struct<a:int>", True),
        ("m map<bigint,struct<x:bigint>>", True),
        ("s struct<new:int>", False),
        ("s struct<c:struct<new:int>>, m map<bigint,struct<x:bigint>>", False),
        ("s struct<a:bigint>", False),
        ("l array<struct<x:int>>", False),
        ("s struct<a:int,B:string,c:struct<x:bigint,at:timestamp_ntz>>", False),
        ("m map<string,struct<x:bigint>>", False),
        ("s array<int>", False),
        ("s int", False),
    ]
    for (schema, is_native), folder in itertools.product(cases, ["named", "nameless"]):

        def frame(folder=folder, schema=schema):
            return whole.read.schema(schema).orc(str(tmp_path / folder))

        name = schema.split()[0]
        query = f"select cast({name} as string) from files"
        for sensitive in ("true", "false") if folder == "named" else ("false",):
            whole.conf.set("spark.sql.caseSensitive", sensitive)
            assert not problem(whole, frame, query), (folder, schema, sensitive)
        if folder == "named":
            frame().createOrReplaceTempView("files")
            whole.conf.set("spark.reprise.sql.enabled", "true")
            by_spark = read_by_spark(whole, query)
            whole.conf.set("spark.reprise.sql.enabled", "false")
            assert (by_spark == 0) == is_native, (schema, by_spark)


def test_timestamps_with_and_without_a_zone_are_told_apart(whole, tmp_path):
    row = (
        "select timestamp'2024-01-01' as at, timestamp_ntz'2024-01-02' as ntz, 1L as n, "
        "array(timestamp_ntz'2024-01-03') as l, named_struct('t', timestamp_ntz'2024-01-04') as s"
    )
    whole.sql(row).write.orc(str(tmp_path / "f"))
    for schema in (
        "at timestamp, ntz timestamp_ntz",
        "at timestamp_ntz, ntz timestamp",
        "ntz timestamp_ntz, at timestamp",
        "at timestamp, ntz bigint, n timestamp_ntz",
        "n bigint, ntz timestamp_ntz",
        "l array<timestamp_ntz>",
        "l array<timestamp>",
        "s struct<t:timestamp_ntz>",
        "s struct<t:timestamp>",
        "at timestamp, ntz timestamp_ntz, n bigint, l array<timestamp_ntz>, s struct<t:timestamp>",
        "at timestamp, ntz timestamp_ntz, n bigint, l array<timestamp>, s struct<t:timestamp_ntz>",
    ):

        def frame(schema=schema):
            return whole.read.schema(schema).orc(str(tmp_path / "f"))

        assert not problem(whole, frame, "select * from files"), schema


def test_damage_fails_as_on_spark_alone(whole, tmp_path):
    columns = ["id n", "xxhash64(id) r", "if(id % 5 = 0, null, concat('text ', id)) text"]
    made = whole.range(0, 60000, 1, 1).selectExpr(*columns)
    made.write.option("compression", "zlib").orc(str(tmp_path / "sound"))
    (sound,) = (tmp_path / "sound").glob("*.orc")
    data = sound.read_bytes()
    damaged = tmp_path / "damaged"
    for place, length in [
        *((100, 2000), (len(data) // 2, 3000), (len(data) * 3 // 4, 9), (len(data) - 40, 30)),
        *((len(data) - 1, 1), (len(data) - 300, 5), (3, 4), (0, len(data))),
    ]:
        shutil.rmtree(damaged, ignore_errors=True)
        damaged.mkdir()
        changed = bytearray(data)
        changed[place : place + length] = b"\xff" * length
        (damaged / "a.orc").write_bytes(changed)

        def frame():
            return whole.read.schema("n LONG, r LONG, text STRING").orc(str(damaged))

        for query in ("select sum(n), max(text) from files", "select count(r) from files"):
            found = problem(whole, frame, query)
            assert not found, (place, length, query, found)


def test_partitions_and_files_that_are_gone(whole, tmp_path):
    table = whole.range(0, 100, 1, 1).selectExpr("id", "id % 2 as p", "concat('x', id % 3) as q")
    table.write.partitionBy("p", "q").orc(str(tmp_path / "t"))

    def frame():
        return whole.read.orc(str(tmp_path / "t"))

    for query in (
        "select q, id, p from files where p = 1",
        "select p, q, count(*) from files group by p, q",
        "select count(*) from files",
        "select max(id) from files where q = 'x1' and id < 50",
    ):
        assert not problem(whole, frame, query, ordered=False)
    gone = frame()
    shutil.rmtree(tmp_path / "t" / "p=1" / "q=x1")
    assert not problem(whole, lambda: gone, "select * from files where p = 1 and q = 'x1'")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("orc.force.positional.evolution", "true"),
        ("orc.proleptic.gregorian", "true"),
        ("spark.sql.timestampType", "TIMESTAMP_NTZ"),
        ("spark.sql.files.ignoreCorruptFiles", "true"),
        ("spark.sql.files.ignoreMissingFiles", "true"),
    ],
)
def test_other_settings_are_sparks(whole, tmp_path, setting, value):
    whole.range(10).selectExpr("id", "timestamp_seconds(id) at").write.orc(str(tmp_path / "t"))
    whole.conf.set("spark.reprise.sql.enabled", "true")
    before = whole.conf.get(setting, None)
    whole.conf.set(setting, value)
    try:
        whole.read.orc(str(tmp_path / "t")).createOrReplaceTempView("files")
        plan = plan_of(whole, "select id, count(at) from files group by id")
        assert "RepriseOrcScan" not in plan
        assert "RepriseHashAggregate" in plan
        frame = whole.read.orc(str(tmp_path / "t"))
        query = "select id, count(at) from files group by id"
        assert not problem(whole, lambda: frame, query, ordered=False)
    finally:
        whole.conf.set(setting, before) if before is not None else whole.conf.unset(setting)


@pytest.mark.parametrize("form", ["orc", "json", "csv"])
def test_metadata_of_files(whole, tmp_path, form):
    made = whole.range(0, 3000, 1, 3).selectExpr("id", "concat('t', id) text", "id % 2 p")
    made.write.partitionBy("p").format(form).save(str(tmp_path / "t"))
    # A file that Spark's reader reads has the same.
    odd = whole.range(0, 10, 1, 1).selectExpr("cast(id as string) id", "'x' text")
    if form == "orc":
        odd.write.format(form).save(str(tmp_path / "t" / "p=7"))
    else:
        odd.write.format(form).option("compression", "gzip").save(str(tmp_path / "t" / "p=7"))

    def frame():
        files = (
            whole.read.schema("id LONG, text STRING, p INT").format(form).load(str(tmp_path / "t"))
        )
        return files.select("id", "text", "p", "_metadata")

    shown = "_metadata.file_path, _metadata.file_size, _metadata.file_modification_time"
    for query, is_native in (
        (f"select id, text, p, {shown} from files where id % 100 = 7", True),
        ("select _metadata.file_name, count(*), max(id) from files group by 1", True),
        ("select count(*) from files where _metadata.file_name like '%c000%'", True),
        ("select max(_metadata.file_block_start + _metadata.file_block_length) from files", False),
        ("select max(_metadata) from files where p = 1", False),
    ):
        assert not problem(whole, frame, query, ordered=False), query
        frame().createOrReplaceTempView("files")
        named = f"Reprise{form.capitalize()}Scan"
        assert (named in plan_of(whole, query)) == is_native, query
    by_spark = figures(whole, "select max(id), max(_metadata.file_name) from files")
    assert by_spark["sparkBytesRead"] > 0


def test_intervals_stay_sparks(whole, tmp_path):
    interval = "interval '3' day"
    columns = ["id", "array(id, 7) l", f"named_struct('x', {interval}) s", f"{interval} i"]
    whole.range(100).selectExpr(*columns).write.orc(str(tmp_path / "t"))

    def frame():
        return whole.read.orc(str(tmp_path / "t"))

    for query, is_native in (
        ("select sum(id) from files", True),
        ("select count(*) from files", True),
        ("select id, l from files", True),
        ("select id, s from files", False),
        ("select max(i) from files", False),
    ):
        assert not problem(whole, frame, query, ordered=False), query
        assert ("RepriseOrcScan" in plan_of(whole, query)) == is_native, query


def test_a_scan_is_dumped_and_replayed(whole, tmp_path):
    columns = ["id n", "concat('name ', id % 7) name", "id * 0.5D x", "timestamp_seconds(id) at"]
    columns += ["array(named_struct('k', id), null) l", "map(id, 'one') m"]
    whole.range(0, 5000, 1, 1).selectExpr(*columns).write.orc(str(tmp_path / "t"))
    whole.conf.set("spark.reprise.sql.enabled", "true")
    whole.read.orc(str(tmp_path / "t")).createOrReplaceTempView("files")
    query = (
        "select name, sum(x), count(n), max(at), sum(l[0].k), max(size(m)) from files "
        "where n % 3 = 0 group by name"
    )
    rows, dumps = dump_all(whole, query, tmp_path / "dump")
    assert rows == rows_of(whole, query)
    assert "RepriseOrcScan" in {dump.name for dump in dumps.values()}
    for dump in dumps.values():
        replayed = reprise("replay", dump.folder)
        assert replayed.returncode == 0, replayed.stdout + replayed.stderr
        assert SPARK == "3.5" or not problem_on_spark(whole, dump.folder)
