"""JSON read natively: the rows and errors of Spark's reader, whatever the lines are like.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import json
import os
import random

import pytest
from on_and_off import problem
from test_csv import COLUMNS, MODES, PLAIN, SCHEMA, is_refused, one_task

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240602"))
FILES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "12"))
NAMES = [field.split()[0] for field in SCHEMA.split(", ")]
ARE_STRINGS = {"day", "at", "ntz", "s", "r"}
# What is read as something else, or as nothing.
VALUES = """1.0 1e2 -0 -0.0 0.1 1E400 123456789012345678901234567890 2147483648 -129 12345.6789
"5" "NaN" "Infinity" NaN Infinity -Infinity "" "true" true null [] {} [1,{"a":null}] {"a":[1]}
"2024-02-30" "2024-1-1" "2024-01-01 12:30" "2024-03-31 02:30:00" "\\u0041\\n\\"\\\\\\/"
"\\ud83e\\udd89"
"\\ud800" 01 +1 .5 1. tru 'single' 16777217 0.1234567890123456789 5e-324 3.4028236e38
1.00000017881393432617187499"""
# Lines that are no simple object.
LINES = """{"i":1,"i":2}
[{"i":1},{"i":2}]
{"i":1} trailing
{"i":1,}
{"i":1
{i:1}
{'i':1}
{"i":1}{"i":2}
 { "i" : 1 , "s" : "x" }
"text"
5
null
{}
{"other":{"i":[1,2,{"x":null}]},"i":3}
{"other":01,"i":3}
{"other":tru,"i":3}
{"other":"\\q","i":3}
{"I":1,"i ":2,"\\u0069":7}
/* c */ {"i":1}
{"s":"tab\there"}""".splitlines()
BYTES = [b"", b"  \t", b"\x01", b'{"s":"\xff"}', b'{"s":"\xed\xa0\x80"}', b'\xef\xbb\xbf{"i":1}']
QUERIES = [
    "select * from files",
    "select s, at, i from files",
    "select count(*) from files",
    "select count(i), min(day), max(r), sum(i) from files where i > 0 and x is not null",
    "select b, count(*), max(l) from files group by b order by b",
    "select * from files limit 7",
    "select r from files where t = 5 or s = 'a'",
]


def document(source: random.Random, oddness: float) -> str:
    fields = []
    for name, plain in zip(NAMES, PLAIN, strict=True):
        if source.random() < 0.1:
            continue
        if source.random() < oddness:
            text = source.choice(VALUES.split())
        elif source.random() < 0.05:
            text = "null"
        elif name in ARE_STRINGS:
            text = json.dumps(plain(source), ensure_ascii=source.random() < 0.5)
        else:
            text = plain(source).lower().removeprefix("-").lstrip("0") or "0"
            text = f"0{text}" if text[0] in ".e" else text
        fields.append(f'"{name}":{text}')
    if source.random() < 0.1:
        source.shuffle(fields)
    if source.random() < 0.1:
        fields.insert(0, '"more":{"a":[1,2.5,"x",null,true],"b":{}}')
    return "{" + source.choice([",", ", "]).join(fields) + "}"


def json_bytes(source: random.Random, lines: int, oddness: float) -> bytes:
    out = []
    for _ in range(lines):
        if source.random() >= oddness:
            line = document(source, oddness / 10).encode()
        elif source.random() < 0.2:
            line = source.choice(BYTES)
        else:
            line = source.choice(LINES).encode()
        out += [line, source.choice([b"\n"] * 20 + [b"\r\n"] * 3 + [b"\n\n", b"\r"])]
    return b"".join(out)


def test_random_files_have_sparks_rows(native, tmp_path):
    source = random.Random(SEED)
    native.conf.set("spark.sql.adaptive.enabled", "false")
    problems = []
    for number in range(FILES):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        oddness = source.choice([0, 0.00005, 0.001, 0.1])
        size = source.choice([0, 1, 30, 3000, 8000])
        (folder / "f.json").write_bytes(json_bytes(source, size, oddness))
        native.conf.set("spark.sql.files.maxPartitionBytes", "97" if size < 100 else "300000")
        native.conf.set("spark.sql.session.timeZone", source.choice(["UTC", "Europe/Berlin"]))
        chosen = {"mode": source.choice(MODES)}
        one_task(native, chosen)
        for query in source.sample(QUERIES, 3):

            def frame(chosen=chosen, folder=folder):
                files = native.read.schema(SCHEMA).options(**chosen).json(str(folder))
                return files.selectExpr(*COLUMNS)

            found = problem(native, frame, query)
            plan = native.sql(query)._jdf.queryExecution().executedPlan().toString()
            assert "RepriseJsonScan" in plan or is_refused(chosen)
            if found:
                where = f"REPRISE_FUZZ_SEED={SEED}, file {number}"
                problems.append(f"{where}: {chosen}\n{query}\n{found[:3000]}")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems)


@pytest.mark.parametrize("line", LINES + [f'{{"i":7,"s":"a","x":{v}}}' for v in VALUES.split()])
def test_each_line_alone(native, tmp_path, line):
    (tmp_path / "f.json").write_text(f'{{"i":1}}\n{line}\n{{"i":2}}\n')

    def frame():
        return native.read.schema("i int, s string, x string").json(str(tmp_path))

    assert not problem(native, frame, "select * from files")
    assert not problem(native, frame, "select i from files")
