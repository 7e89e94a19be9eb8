"""Nested columns of JSON read natively: Spark's values, whatever the documents are like.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import json
import os
import random

import pytest
from on_and_off import plan_of, problem
from test_csv import MODES, is_refused, one_task

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240606"))
FILES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "12"))
# Of each column a type as its name, or its parts.
COLUMNS = {
    "i": "int",
    "s": {"a": "bigint", "b": "string", "c": {"x": "double", "d": "date", "bo": "boolean"}},
    "n": ["int"],
    "ls": [{"k": "string", "v": "decimal(25,3)", "short": "decimal(9,2)"}],
    "m": ("string", ["smallint"]),
    "ms": ("string", {"t": "tinyint", "f": "float"}),
    "ll": [["string"]],
    "big": ["decimal(38,4)"],
    "at": {"first": "timestamp", "all": ["timestamp_ntz"], "e": "date"},
    "b": ["boolean"],
}
NUMBERS = ["int", "bigint", "smallint", "tinyint"]
WORDS = ["", "a", "plain words", "naïve", "🦉", 'say "so"', "tab\t", "a\\b", "x" * 40]
# What is read as something else, or as nothing.
ODD = """1.5 -0 1e2 -0.0 123456789012345678901234567890 99999.99999 2147483648 "5" "" true null {}
[[]] [null] {"a":null} {"k":1,"k":2} {"a":{"a":[]}} "2024-02-30" "\\ud800" "\\u00e9\\ud83e\\udd89"
NaN 01 tru 'x' [1,] {"a"} {"a":1,} [1 {"k":"x","v":12.3456} {"\\u006b":"y"} 1. /**/1 []
{"x":"y","x":null}"""
QUERIES = [
    "select * from files",
    "select count(*), count(s), count(m) from files",
    "select s.c.x, ls[0].v, m['k0'], at.first from files where s.a > 0 or size(n) > 1",
    "select s, n, ls, count(*) from files group by s, n, ls order by count(*), hash(s, n, ls)",
    "select i, e.k, e.v from files lateral view explode(ls) t as e",
    "select distinct at, ll, big, b from files order by hash(at, ll, big, b)",
    "select s from files limit 5",
    "select map_keys(ms), ms['k1'].f from files where i > 10",
]


def ddl(kind) -> str:
    if isinstance(kind, str):
        return kind
    if isinstance(kind, list):
        return f"array<{ddl(kind[0])}>"
    if isinstance(kind, tuple):
        return f"map<{kind[0]},{ddl(kind[1])}>"
    return "struct<" + ",".join(f"{name}:{ddl(part)}" for name, part in kind.items()) + ">"


SCHEMA = ", ".join(f"{name} {ddl(kind)}" for name, kind in COLUMNS.items())


def scalar(source: random.Random, kind: str) -> str:
    day = f"{source.randint(1970, 2100)}-{source.randint(1, 12):02}-{source.randint(1, 28):02}"
    if kind in NUMBERS:
        return str(source.randint(-128, 127))
    if kind in ("double", "float"):
        return source.choice(["1.5", "-2.25e3", "0.1", "7", "1E-5"])
    if kind.startswith("decimal"):
        return source.choice(["0", "-1.25", "123456.5", "7.0", "0.01"])
    if kind == "boolean":
        return source.choice(["true", "false"])
    if kind == "string":
        return json.dumps(source.choice(WORDS), ensure_ascii=source.random() < 0.3)
    if kind == "date":
        return f'"{day}"'
    return f'"{day}{source.choice([" ", "T"])}12:30:{source.randint(10, 59)}.5"'


def value(source: random.Random, kind, oddness: float) -> str:
    if source.random() < oddness:
        return source.choice(ODD.split())
    if source.random() < 0.06:
        return "null"
    if isinstance(kind, str):
        return scalar(source, kind)
    space = source.choice(["", "", "", " "])
    count = source.choice([0, 1, 1, 2, 3, 9])
    if isinstance(kind, list):
        return "[" + f",{space}".join(value(source, kind[0], oddness) for _ in range(count)) + "]"
    if isinstance(kind, tuple):
        names = [(f"k{i}", kind[1]) for i in range(count)]
    else:
        names = [field for field in kind.items() if source.random() < 0.85]
        if source.random() < 0.1:
            source.shuffle(names)
        if source.random() < 0.1:
            names.insert(0, ("more", [("string", ["bigint"])]))
    fields = (f'"{name}":{space}{value(source, part, oddness)}' for name, part in names)
    return "{" + f",{space}".join(fields) + space + "}"


def json_bytes(source: random.Random, lines: int, oddness: float, end: str = "\n") -> bytes:
    return "".join(value(source, COLUMNS, oddness / 10) + end for _ in range(lines)).encode()


def settings(spark, source: random.Random) -> None:
    for name, values in {
        "spark.sql.json.enablePartialResults": ["true", "true", "false"],
        "spark.sql.session.timeZone": ["UTC", "Europe/Berlin"],
        "spark.sql.json.filterPushdown.enabled": ["true", "false"],
        "spark.sql.adaptive.enabled": ["false"],
    }.items():
        spark.conf.set(name, source.choice(values))


def test_random_files_have_sparks_values(native, tmp_path):
    source = random.Random(SEED)
    problems = []
    for number in range(FILES):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        oddness = source.choice([0, 0.0001, 0.002, 0.1])
        size = source.choice([0, 1, 30, 1500])
        chosen = {"mode": source.choice(MODES)}
        end = source.choice(["\n", "\n", "\r\n", ";;", "|"])
        if end in (";;", "|"):
            chosen["lineSep"] = end
        (folder / "f.json").write_bytes(json_bytes(source, size, oddness, end))
        native.conf.set("spark.sql.files.maxPartitionBytes", "397" if size < 100 else "300000")
        settings(native, source)
        one_task(native, chosen)
        for query in source.sample(QUERIES, 3):

            def frame(chosen=chosen, folder=folder):
                return native.read.schema(SCHEMA).options(**chosen).json(str(folder))

            found = problem(native, frame, query)
            assert "RepriseJsonScan" in plan_of(native, query) or is_refused(chosen)
            if found:
                where = f"REPRISE_FUZZ_SEED={SEED}, file {number}"
                problems.append(f"{where}: {chosen}\n{query}\n{found[:3000]}")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems)


@pytest.mark.parametrize("odd", ODD.split())
def test_each_value_alone(native, tmp_path, odd):
    """In the place of a struct, of a field, of an element, of a map and of its value."""
    places = [f'"s":{odd}', f'"s":{{"a":{odd}}}', f'"n":[1,{odd}]', f'"m":{odd}']
    places.append(f'"m":{{"k":{odd}}}')
    lines = [f'{{"i":{i},"s":{{"b":"x"}},{place}}}' for i, place in enumerate(places)]
    lines += [f'{{"i":7,{place}}}' for place in places]
    (tmp_path / "f.json").write_text('{"i":1}\n' + "\n".join(lines) + '\n{"i":2}\n')
    schema = "i int, s struct<a:int,b:string>, n array<int>, m map<string,int>"

    def frame():
        return native.read.schema(schema).json(str(tmp_path))

    for partial in ("true", "false"):
        native.conf.set("spark.sql.json.enablePartialResults", partial)
        assert not problem(native, frame, "select * from files"), partial
    assert not problem(native, frame, "select s from files")


def test_a_map_keeps_what_it_has_twice(native, tmp_path):
    (tmp_path / "f.json").write_text('{"m":{"k":1,"k":2},"s":{"A":1,"a":2,"a ":3}}\n' * 3)
    schema = "m map<string,int>, s struct<a:int,A:int>"

    def frame():
        return native.read.schema(schema).json(str(tmp_path))

    native.conf.set("spark.sql.caseSensitive", "true")
    assert not problem(native, frame, "select m['k'], size(m), map_values(m), s from files")
    assert "RepriseJsonScan" in plan_of(native, "select m['k'], size(m), s from files")


def test_an_inferred_schema_is_read(native, tmp_path):
    lines = [
        {"id": i, "user": {"name": f"n{i}", "tags": ["a", "é"]}, "spent": [{"sum": 1.5, "n": i}]}
        for i in range(500)
    ]
    (tmp_path / "f.json").write_text("\n".join(json.dumps(line) for line in lines))
    native.conf.set("spark.sql.adaptive.enabled", "false")
    for options in ({}, {"primitivesAsString": True}, {"dropFieldIfAllNull": True}):

        def frame(options=options):
            return native.read.options(**options).json(str(tmp_path))

        query = "select user.name, sum(size(user.tags)), max(spent[0].n) from files group by 1"
        assert not problem(native, frame, query, ordered=False)
        assert "RepriseJsonScan" in plan_of(native, query)


@pytest.mark.parametrize(
    "schema",
    [
        "a array<binary>",
        "s struct<v:interval day>",
        "s struct<a:int>, _corrupt_record string",
    ],
)
def test_other_types_are_sparks(native, tmp_path, schema):
    (tmp_path / "f.json").write_text('{"a":["AAA="]}\n{"s":{"v":"1"}}\n')

    def frame():
        return native.read.schema(schema).json(str(tmp_path))

    assert not problem(native, frame, "select * from files")
    assert "RepriseJsonScan" not in plan_of(native, "select * from files")


def test_fields_with_default_values_are_sparks(native, tmp_path):
    native.sql("drop table if exists nested_defaults")
    (tmp_path / "f.json").write_text('{"i":1}\n')
    native.sql(
        "create table nested_defaults (i int, s struct<a:int> default named_struct('a', 5)) "
        f"using json location '{tmp_path}'"
    )
    try:
        assert not problem(native, lambda: native.table("nested_defaults"), "select * from files")
    finally:
        native.sql("drop table nested_defaults")
