"""CSV read natively: the rows and errors of Spark's reader, whatever the lines are like.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import gzip
import os
import random

import pytest
from on_and_off import plan_of, problem
from places import SPARK
from spark_replays import problem_on_spark
from test_dump import reprise
from whole_dumps import dump_all, rows_of

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240601"))
FILES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "12"))
SCHEMA = (
    "i int, l bigint, t tinyint, x double, f float, d decimal(12,3), big decimal(30,4), b boolean, "
    "day date, at timestamp, ntz timestamp_ntz, s string, r string"
)

# Python has no years before 1 and after 9999.
COLUMNS = [
    *("i", "l", "t", "x", "f", "d", "big", "b", "s", "r"),
    "unix_date(day) as day",
    "unix_micros(at) as at",
    "cast(ntz as string) as ntz",
]


def digits(source: random.Random, most: int) -> str:
    return str(source.randrange(10 ** source.randint(1, most)))


def number(source: random.Random) -> str:
    text = source.choice(["", "", "-"]) + digits(source, 9) + "." + digits(source, 6)
    return text + source.choice(["", "", "", "e3", "E-7", "e30"])


def day(source: random.Random) -> str:
    return f"{source.randint(1, 9999):04}-{source.randint(1, 12):02}-{source.randint(1, 28):02}"


def instant(source: random.Random) -> str:
    hour, minute, second = (source.randint(0, last) for last in (23, 59, 59))
    fraction = source.choice(["", "", ".5", ".123456", ".000001"])
    time = f"{hour:02}:{minute:02}:{second:02}{fraction}"
    return day(source) + source.choice([" ", "T"]) + time


def word(source: random.Random) -> str:
    return source.choice(["", "a", "plain words", "naïve", "🦉", " padded ", "null", "-", "\t"])


# The values of a line's columns, as nearly all files have them.
PLAIN = [
    lambda source: source.choice(["", "-"]) + digits(source, 9),
    lambda source: source.choice(["", "-"]) + digits(source, 18),
    lambda source: str(source.randint(-128, 127)),
    number,
    number,
    lambda source: source.choice(["", "-"]) + digits(source, 8) + "." + digits(source, 3),
    lambda source: digits(source, 25) + source.choice(["", ".5", ".1234"]),
    lambda source: source.choice(["true", "false", "TRUE", "False"]),
    day,
    lambda source: instant(source) + source.choice(["", "", "Z", "+02:00", "-11:30"]),
    instant,
    word,
    word,
]
# What is read as something else, or as nothing.
NUMBERS = """NaN Inf -Inf Infinity 1e400 -0 -0.0 +5 007 1,5 1_000 99999999999999999999
-9223372036854775808 2147483648 128 0x1F 1. .5 1d 12345.6789 12345678901234 truE yes \\N null ٣"""
TIMES = """2024-02-30|2024-1-1|0000-01-01|12024-01-01|today|2024-01-01 24:00:00|2024-01-01 12:30
2024-01-01 12:30:15.1234567|2024-03-31 02:30:00|1800-01-01 00:00:00
2024-01-01 00:00:00 Europe/Paris"""
ODD = [*NUMBERS.split(), *TIMES.replace("\n", "|").split("|"), " 7", "7 ", "\0"]
# Lines that are not simply divided.
LINES = rb"""
"open,1,2
1,"a"b,2
a "quoted" word,1
"a\"b",1
"a\\",1
1,2,3
,
""
"",""
#comment
" a",1
"a" ,1
\
"\",1""".splitlines()
LINES += [b"   ", b"\xff\xfe,1", b"\xed\xa0\x80", b"1" + b"," * 20, b"\xef\xbb\xbf1", b"a\rb"]


def value(source: random.Random, column: int, oddness: float, separator: str) -> str:
    if source.random() < 0.08:
        return ""
    text = source.choice(ODD) if source.random() < oddness else PLAIN[column](source)
    kind = source.random()
    if kind < 0.1 and '"' not in text and "\\" not in text:
        return f'"{text}{separator}"' if column >= len(PLAIN) - 2 and kind < 0.05 else f'"{text}"'
    if kind < 0.12:
        return f'"say ""{text}"""'
    return text.replace(separator, ".")


def csv_bytes(
    source: random.Random, lines: int, oddness: float, separator: str, end: str | None = None
) -> bytes:
    ends = [end.encode()] if end else [b"\n"] * 20 + [b"\r\n"] * 3 + [b"\n\n", b"\r"]
    out = []
    for _ in range(lines):
        if source.random() < oddness:
            line = source.choice(LINES).replace(b",", separator.encode())
        else:
            values = [value(source, i, oddness / 10, separator) for i in range(len(PLAIN))]
            line = separator.join(values).encode()
        out += [line, source.choice(ends)]
    return b"".join(out[: -1 if source.random() < 0.3 else None])


def options(source: random.Random) -> dict[str, str]:
    chosen = {"header": source.choice(["true", "false"]), "mode": source.choice(MODES)}
    for name, values in {
        "sep": [";", "|", "\t", "\\t"],
        "escape": ['"', "", "^"],
        "quote": ["'", ""],
        "nullValue": ["null", "-", "7"],
        "emptyValue": ["empty", "0"],
        "timeZone": ["America/New_York", "+03:30"],
        "lineSep": ["\n", "\r\n", "~", "\x1e"],
    }.items():
        if source.random() < 0.25:
            chosen[name] = source.choice(values)
    return chosen


MODES = ["PERMISSIVE", "PERMISSIVE", "PERMISSIVE", "DROPMALFORMED", "FAILFAST"]
QUERIES = [
    "select * from files",
    "select s, at, i from files",
    "select count(*), count(i) from files",
    "select sum(i), min(day), max(r) from files where i > 0 and x is not null",
    "select b, count(*), max(l) from files group by b order by b",
    "select * from files limit 7",
    "select r from files where t = 5 or s = 'a'",
]


def one_task(spark, options: dict[str, str]) -> None:
    """Of several tasks that fail any may be the first."""
    if options["mode"] == "FAILFAST":
        spark.conf.set("spark.sql.files.maxPartitionBytes", "64m")
        spark.conf.set("spark.sql.files.minPartitionNum", "1")


def is_refused(options: dict[str, str]) -> bool:
    return SPARK == "3.5" and options["mode"] == "FAILFAST"


def test_random_files_have_sparks_rows(native, tmp_path):
    source = random.Random(SEED)
    native.conf.set("spark.sql.adaptive.enabled", "false")
    problems = []
    kinds = set()
    for number_of_file in range(FILES):
        chosen = options(source)
        folder = tmp_path / f"{number_of_file}"
        folder.mkdir()
        separator = chosen.get("sep", ",").replace("\\t", "\t")
        oddness = source.choice([0, 0.00005, 0.001, 0.1])
        for part in range(source.randint(1, 2)):
            lines = source.choice([0, 1, 30, 3000, 12000])
            data = csv_bytes(source, lines, oddness, separator, chosen.get("lineSep"))
            (folder / f"{part}.csv").write_bytes(data)
        native.conf.set("spark.sql.files.maxPartitionBytes", source.choice(["97", "300000", "64m"]))
        if sum(file.stat().st_size for file in folder.iterdir()) > 100_000:
            native.conf.set("spark.sql.files.maxPartitionBytes", "300000")
        one_task(native, chosen)
        native.conf.set("spark.sql.session.timeZone", source.choice(["UTC", "Europe/Berlin"]))
        for query in source.sample(QUERIES, 3):

            def frame(chosen=chosen, folder=folder):
                files = native.read.schema(SCHEMA).options(**chosen).csv(str(folder))
                return files.selectExpr(*COLUMNS)

            found = problem(native, frame, query)
            kinds.add("RepriseCsvScan" in plan_of(native, query) or is_refused(chosen))
            if found:
                where = f"REPRISE_FUZZ_SEED={SEED}, file {number_of_file}"
                problems.append(f"{where}: {chosen}\n{query}\n{found[:3000]}")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems)
    assert kinds == {True}


def test_a_compressed_file_is_read_by_spark(native, tmp_path):
    data = csv_bytes(random.Random(SEED), 500, 0, ",")
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(data))
    (tmp_path / "b.csv").write_bytes(data)

    def frame():
        return native.read.schema(SCHEMA).csv(str(tmp_path)).selectExpr(*COLUMNS)

    assert not problem(native, frame, "select * from files")
    assert not problem(native, frame, "select count(*), sum(i) from files")


def test_partitions_and_files_that_are_gone(native, tmp_path):
    for folder in ("p=1/q=a", "p=2/q=b"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "f.csv").write_text("id,name\n1,one\n2,two\nx,three\n")

    def frame():
        return native.read.schema("id int, name string").csv(str(tmp_path), header=True)

    assert not problem(native, frame, "select q, id, p from files where p = 2")
    assert not problem(native, frame, "select p, count(*) from files group by p")
    gone = native.read.schema("id int, name string").csv(str(tmp_path), header=True)
    (tmp_path / "p=1/q=a/f.csv").unlink()
    assert not problem(native, lambda: gone, "select * from files where p = 1")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("multiLine", "true"),
        ("comment", "#"),
        ("lineSep", ","),
        ("ignoreLeadingWhiteSpace", "true"),
        ("encoding", "ISO-8859-1"),
        ("sep", "||"),
        ("timestampFormat", "dd/MM/yyyy"),
        ("columnNameOfCorruptRecord", "name"),
    ],
)
def test_other_options_are_sparks(native, tmp_path, option, value):
    (tmp_path / "f.csv").write_text("1,one,2024-01-01\n#2, two\n")
    schema = "id int, name string, at timestamp"
    frame = native.read.schema(schema).option(option, value).csv(str(tmp_path))
    plan = frame._jdf.queryExecution().executedPlan().toString()
    assert "RepriseCsvScan" not in plan
    assert not problem(native, lambda: frame, "select * from files")


def test_a_scan_is_dumped_and_replayed_where_no_line_is_in_doubt(native, tmp_path):
    lines = [f"{i},name {i % 7},{i}.5" for i in range(5000)]
    (tmp_path / "plain.csv").write_text("\n".join(["i,name,x", *lines]) + "\n")
    (tmp_path / "odd.csv").write_text("\n".join(["i,name,x", *lines, "1,2"]) + "\n")
    native.conf.set("spark.sql.adaptive.enabled", "false")
    for name in ("plain", "odd"):
        file = str(tmp_path / f"{name}.csv")
        frame = native.read.schema("i int, name string, x double").csv(file, header=True)
        frame.createOrReplaceTempView("files")
        query = "select name, sum(x), count(i) from files where i % 3 = 0 group by name"
        rows, dumps = dump_all(native, query, tmp_path / f"dump-{name}")
        assert rows == rows_of(native, query)
        for dump in dumps.values():
            replayed = reprise("replay", dump.folder)
            if (name, dump.name) == ("odd", "RepriseCsvScan"):
                assert replayed.returncode == 1
                assert "what only Spark reads: replay it with --engine spark" in replayed.stdout
            else:
                assert replayed.returncode == 0, replayed.stdout + replayed.stderr
            assert SPARK == "3.5" or not problem_on_spark(native, dump.folder)
