"""Guests that the core tries before Spark: for every pattern and text as Spark alone."""

import os
import random

import pytest
from operators import rows_of_guests
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

ENABLED = "spark.reprise.sql.enabled"
SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20261128"))
ROUNDS = int(os.environ.get("REPRISE_FUZZ_QUERIES", "40"))
PATTERNS_AT_ONCE = 10

WORDS = ["fin", "finally", "quickly", "a", "b", "ab", "abc", "1", "22", "x1y22", "_", "Foo", "BAR"]
OTHERS = ["ä", "ß", "İ", "\u017f", "\u212a", "é", "日本", "😀", "\u0301", "\u0085", "\u2028"]
BETWEEN = [" ", "  ", "-", ",", ".", "\t", "\n", "\r\n", "\x0b", "|", "[", "]", "$", "\\", ""]

# Java and PCRE2 read these alike.
SURE = [
    *("abc", "a", ",", "fin.*ly", "fin.*?ly", "^a", "b$", "^$", "^[a-z]+$", "([a-z]+)", "[^a-z]+"),
    *("(a|b)+c", "a{2}", "[0-9]{1,3}", "\\d+", "\\D", "\\w+", "\\W", "\\s+", "\\S+", "\\bfoo\\b"),
    *("(?i)foo", "(?i)[a-f]+", "x(\\d)y(\\d+)", "(a)?b", "(?:a|(b))c?", "a|b|", "\\."),
    *("\\|", "\\["),
    *("[.]", "[-a]", "[a-]", "[\\w-]+", "[^\\s]+", "ä", "[ä-ö]", ".", "..", "a.b", "\\t", "日.?"),
    *("a.*1.*b", ".*b", "a.*", ".*", "b.*?\\n", "([a-c])", "([a-c])+", "(?:([^a])+)", "a()", "ä+"),
    *("[^a]+", "(.+)", "[aä]+", "fin.*ä.*b", "(\\s+)", "[^ä]", "(\\D)"),
    *("(\\w+) (\\w+)", "()", "x*", "[a-z]*", "^.*$", "\\B", "\\$", "a b", "-+", "[\\]\\[]"),
]
# Of these the core is not sure, or Spark refuses them for some texts.
LEFT = [
    *("(?=a)", "a++", "(a)\\1", "[a-z&&[^b]]", "\\p{L}+", "(a*)*", "\\Z", "(?s).", "\\Qa.b\\E"),
    *("a{0}", "(?<n>a)", "\\x41"),
]
QUANTIFIERS = ["", "", "*", "+", "?", "*?", "+?", "{2}", "{0,2}"]


def random_texts(random_one: random.Random, count: int) -> list[str | None]:
    texts: list[str | None] = [None, "", "a\n", "b\r\n", "fin ly", "ab\u2028", "FOO foo", "x1y22"]
    while len(texts) < count:
        parts = WORDS + OTHERS * (random_one.random() < 0.3)
        pieces = random_one.choices(parts, k=random_one.randrange(1, 6))
        texts.append("".join(p + random_one.choice(BETWEEN) for p in pieces))
    return texts


def random_pattern(random_one: random.Random, depth: int = 0) -> str:
    pieces = []
    for _ in range(random_one.randrange(1, 4)):
        piece = random_one.choice(
            ["a", "b", "1", " ", ".", "\\d", "\\w", "\\s", "[a-c]", "[^ab]", "^", "$", "ä", "\\b"]
        )
        if depth < 2 and random_one.random() < 0.3:
            kind = random_one.choice(["(", "(?:"])
            other = random_pattern(random_one, depth + 1)
            # Quantifiers of what has some take Java longer than anybody waits.
            piece = f"{kind}{random_pattern(random_one, depth + 1)}|{other})"
            pieces.append(piece + random_one.choice(["", "", "?", "{2}"]))
            continue
        pieces.append(piece + random_one.choice(QUANTIFIERS))
    return "".join(pieces)


@pytest.fixture(scope="module")
def texts_path(spark, tmp_path_factory) -> str:
    """Numbered texts; of some few the bytes are no UTF-8. `few`: words of a dictionary."""
    path = str(tmp_path_factory.mktemp("tried") / "texts")
    made = random_texts(random.Random(SEED), 1200)
    numbered = spark.createDataFrame(list(enumerate(made)), "id long, s string")
    broken = f.concat("s", f.lit(b"\xc3\x28").cast("string"))
    number = (f.col("id") % len(WORDS) + 1).cast("int")
    few = f.element_at(f.array(*[f.lit(word) for word in WORDS]), number)
    texts = numbered.withColumn("s", f.when(f.col("id") % 97 == 96, broken).otherwise(f.col("s")))
    texts.withColumn("few", few).repartition(2).write.parquet(path)
    return path


@pytest.fixture
def texts(native, texts_path) -> DataFrame:
    return native.read.parquet(texts_path)


def differing(texts: DataFrame, columns: dict[str, Column]) -> list[str]:
    """Which columns have other values with the plug-in than without it, and for which text."""
    names = list(columns)
    hashes = [f.xxhash64(column).alias(f"c{i}") for i, column in enumerate(columns.values())]
    # Guests are not worth while just below the result.
    frame = texts.select("id", *hashes).orderBy("id")
    answers = []
    for enabled in ("false", "true"):
        texts.sparkSession.conf.set(ENABLED, enabled)
        # Planned anew, for the setting.
        answers.append(frame.select("*").collect())
    wrong = []
    for spark, reprise in zip(*answers, strict=True):
        for place, name in enumerate(names, start=1):
            if spark[place] != reprise[place]:
                wrong.append(f"{name} of text {spark[0]}")
    return wrong


def by_pattern(subject: str, pattern: str, can_split: bool = True) -> dict[str, Column]:
    columns = {
        "rlike": f.col(subject).rlike(pattern),
        "extract": f.regexp_extract(subject, pattern, 0),
        "replace": f.regexp_replace(subject, pattern, "<$0>"),
        "remove": f.regexp_replace(subject, pattern, ""),
        "split": f.split(subject, pattern),
        "split in two": f.split(subject, pattern, 2),
    }
    return {f"{name} by {pattern!r}": column for name, column in columns.items()}


def all_differing(texts: DataFrame, patterns: list[str], subject: str = "s") -> list[str]:
    wrong = []
    for start in range(0, len(patterns), PATTERNS_AT_ONCE):
        columns: dict[str, Column] = {}
        for pattern in patterns[start : start + PATTERNS_AT_ONCE]:
            columns |= by_pattern(subject, pattern)
        wrong += differing(texts, columns)
    return wrong


def test_patterns(texts):
    assert all_differing(texts, SURE + LEFT) == []


def test_patterns_over_a_dictionary(texts):
    assert all_differing(texts, SURE[:20], "few") == []


def test_random_patterns(texts):
    random_one = random.Random(SEED)
    patterns = [random_pattern(random_one) for _ in range(ROUNDS)]
    assert all_differing(texts, patterns) == []


def test_groups_and_replacements(texts):
    pattern = "(\\w+)(?: (\\w+))?"
    columns = {f"group {n}": f.regexp_extract("s", pattern, n) for n in range(3)}
    for text in ("$1", "$2-$1", "[$0$0]", "a\\$b", "\\\\", "100%"):
        columns[f"replacement {text}"] = f.regexp_replace("s", pattern, text)
    assert differing(texts, columns) == []


def test_texts_of_ascii(texts):
    columns = {
        "upper": f.upper("s"),
        "lower": f.lower("s"),
        "initcap": f.initcap("s"),
        "translate": f.translate("s", "abäf1a", "xä\0"),
        "translate away": f.translate("s", "ab ", ""),
        "soundex": f.soundex("s"),
        "levenshtein": f.levenshtein("s", f.reverse("few")),
        "levenshtein below": f.levenshtein("s", "few", 3),
        "conv": f.conv("s", 16, 2),
        "to_json": f.to_json(f.struct("few", "id", f.expr("array(id, NULL) AS n"), f.struct("s"))),
        "to_json with options": f.to_json(f.struct("few", "s"), {"ignoreNullFields": "false"}),
        "to_json of others": f.to_json(f.expr("struct(id / 3 AS d, map(few, id) AS m)")),
        "conv signed": f.conv(f.concat(f.lit(" -"), "few"), 36, -10),
        "nested": f.upper(f.regexp_replace(f.lower("few"), "[aeiou]", "")),
        "above a native one": f.length(f.upper(f.concat("few", "s"))),
        "in a branch": f.when(f.col("id") % 2 == 0, f.upper("few")).otherwise(f.lower("s")),
    }
    assert differing(texts, columns) == []


NUMBERS = ["1", "-2.5", "1e3", "1.5E-7", "0x1", " 3", "NaN", "inf", "1d", "+4", ".5", "6.", "1e999"]
BOOLEANS = ["true", "T", "f", "0", "1", "yes", "no", " true", "tru"]
TIMES = [
    *("2024-02-29", "2023-02-29", "2024-03-31 02:30:00", "2024-10-27 02:30:00.25", "1582-10-10"),
    *("2024-02-29T23:59:59.999999", "2024-2-9 1:2:3", "2024-02-29 12:00:00Z", "12:00:00"),
    *("9999-12-31 24:00:00", "0001-01-01 00:00:00", "0000-01-01", "2024-02-29 12:00:00.1234567"),
    *("2024-02-29 ", "2024-02-29 12:00:00.", "2024-02-29 12:00"),
]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_casts_of_texts(native, tmp_path, zone):
    native.conf.set("spark.sql.ansi.enabled", "false")
    native.conf.set("spark.sql.session.timeZone", zone)
    native.conf.set(ENABLED, "false")
    texts = [*NUMBERS, *BOOLEANS, *TIMES, None, "", "ä"] * 3
    path = str(tmp_path / "texts")
    native.createDataFrame(list(enumerate(texts)), "id long, s string").write.parquet(path)
    types = ("double", "float", "boolean", "timestamp", "timestamp_ntz")
    columns = {f"to {name}": f.col("s").cast(name) for name in types}
    columns |= {f"try {name}": f.expr(f"try_cast(s AS {name})") for name in types}
    assert differing(native.read.parquet(path), columns) == []


PATTERNS_OF_TIMES = [
    *("yyyy-MM-dd", "yyyyMMdd", "dd/MM/yyyy HH:mm", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss"),
    *("HH:mm:ss dd.MM.yyyy", "yyyy-MM-dd HH", "d/M/yyyy", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy"),
    *("HH:mm", "dd MMM yyyy", "yyyy-MM-dd hh:mm a", "yyyy'a''b'MM", "yy-MM-dd", "yyyy-MM-dd mm"),
    "H:m:s",
]
WRITTEN = [
    *("2024-02-29", "2023-02-29", "20240229", "29/02/2024 02:30", "2024-03-31T02:30:00"),
    *("2024-13-01", "2024-10-27 02:30:00", "23:59:59 31.12.1999", "2024-02-29 24", "0000-01-01"),
    *("0001-01-01", "9999-12-31 23:59:59", "1/2/2024", "2024-2-9", "2024-02-29 12:00:00.123"),
    *("12345-01-01", "\uff12024-02-29", " 2024-02-29", "2024-02-29 ", "1969-12-31 23:59:59"),
    *("2024", "", "ä"),
]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_patterns_of_times(native, tmp_path, zone):
    native.conf.set("spark.sql.ansi.enabled", "false")
    native.conf.set("spark.sql.legacy.timeParserPolicy", "CORRECTED")
    native.conf.set("spark.sql.session.timeZone", zone)
    native.conf.set(ENABLED, "false")
    random_one = random.Random(SEED)
    moments = [random_one.randrange(-70_000_000_000, 260_000_000_000) for _ in range(200)]
    moments += [0, -1, 1711846800, 1729987200, -62135596801, 253402300800]
    rows = [(i, WRITTEN[i % len(WRITTEN)], at) for i, at in enumerate(moments)]
    times = native.createDataFrame(rows, "id long, s string, at long")
    path = str(tmp_path / "times")
    instants = times.selectExpr("id", "s", "timestamp_micros(at * 1000000 + id * 4999) AS t")
    instants.write.parquet(path)
    columns = {}
    for pattern in PATTERNS_OF_TIMES:
        columns |= {
            f"date_format {pattern}": f.date_format("t", pattern),
            f"to_timestamp {pattern}": f.to_timestamp("s", pattern),
            f"to_date {pattern}": f.to_date("s", pattern),
            f"unix_timestamp {pattern}": f.unix_timestamp("s", pattern),
            f"to_unix_timestamp {pattern}": f.to_unix_timestamp("s", f.lit(pattern)),
            f"to_timestamp_ntz {pattern}": f.to_timestamp_ntz("s", f.lit(pattern)),
        }
    assert differing(native.read.parquet(path), columns) == []


DOCUMENTS = [
    *('{"a":1}', '{"a":"x","b":[1,"y",null,{"c":true}]}', ' {"a" : { "b" : 2 } } ', '{"a":1,}'),
    *('{"a":null,"a":3}', '{"a":{},"a":{"b":"z"}}', '{"a":-0}', '{"a":1.50}', '{"a":1e3}', '"a"'),
    *('{"a":"x\\n\\u00e9"}', "{'a':1}", '{"a":"é😀"}', '{"a":[]}', '{"a":[{"b":1},{"b":2}]}', ""),
    *('[1,{"a":2}]', '{"a":1}x', '{"a":1', "null", '{"a":01}', '{"a":tru}', "{}", "{,}"),
    *('{"a":123456789012345678901}', '{"a":{"b":[1,2],"c":"d"}}', '{"a\\u0062":1}', '{"b":"\t"}'),
    *('{"a":"\\/"}', '{"a":{"b":{"a":5}}}', '{"a":[[1,2],[3]]}', '{"a":"tab\\there \\"q\\""}'),
    *('{"a":false,"b":{"a" :1}}', '{"a b":7,"a.b":8}', '{"a":nullx}', '{"a":"\\x"}'),
]
PATHS = [
    *("$.a", "$.b", "$.a.b", "$.b[1]", "$.b[2]", "$.b[3].c", "$['a']", "$[1].a", "$.a[0]"),
    *("$.a[*].b", "$", "$.*", "$.a[1][0]", "$['a b']", "$['a.b']", "$.a b", "a", "$..a", "$.b[-1]"),
    *("$.a[9]", "$. a", "$.a ", "$ .a", "$.a[ 0]"),
]


def test_paths_into_json(native, tmp_path):
    native.conf.set(ENABLED, "false")
    path = str(tmp_path / "documents")
    documents = [*DOCUMENTS, None] * 2
    native.createDataFrame(list(enumerate(documents)), "id long, s string").write.parquet(path)
    columns = {by: f.get_json_object("s", by) for by in PATHS}
    lists = {"as it is": f.col("s"), "begun": f.concat(f.lit("[1,"), "s")}
    columns |= {name: f.json_array_length(text) for name, text in lists.items()}
    assert differing(native.read.parquet(path), columns) == []


TYPED = [
    *('{"a":127}', '{"a":-129}', '{"a":128}', '{"a":2147483648}', '{"a":9223372036854775807}'),
    *('{"c":false,"a":true}', '{"a":0.1}', '{"a":1e400}', '{"a":-0.0}', '{"a":17,"A":18,"d":[1]}'),
    *('{"b":[],"a":null}', '{"b":[null,1],"a":[{"b":null},null,{}]}', '{"a":["x",null,"yy"]}'),
    *('{"a":{"b":"nine bytes","c":[]},"b":[1,2,3]}', '{"a":"1","b":[1.5]}', '{"b":[1,2],"a":"ä"}'),
    *('{"a":"2024-02-29"}', '[{"a":1}]', '{"a":"NaN"}', '{"a":" "}', '{"a":""}'),
]
SCHEMAS = [
    *("a STRING", "a INT, b ARRAY<INT>", "a BIGINT, c BOOLEAN", "b STRING, a DOUBLE", "a TINYINT"),
    *("a STRUCT<b: STRING, c: ARRAY<INT>>", "b ARRAY<INT>, a ARRAY<STRUCT<b: INT>>", "a BOOLEAN"),
    *("`a b` INT, `a.b` SMALLINT", "a ARRAY<STRING>, b ARRAY<DOUBLE>", "a INT, A INT", "a DATE"),
    *("_corrupt_record STRING, a INT", "a STRUCT<b: STRUCT<a: INT>>", "a DECIMAL(10,2)", "e INT"),
]


def test_structs_from_json(native, tmp_path):
    native.conf.set(ENABLED, "false")
    native.conf.set("spark.sql.caseSensitive", "true")
    path = str(tmp_path / "documents")
    documents = [*DOCUMENTS, *TYPED, None] * 2
    native.createDataFrame(list(enumerate(documents)), "id long, s string").write.parquet(path)
    columns = {schema: f.from_json("s", schema) for schema in SCHEMAS}
    columns["a single quote"] = f.from_json("s", "a INT", {"allowSingleQuotes": "false"})
    columns["a field"] = f.get(f.from_json("s", "a STRING, b ARRAY<INT>")["b"], 1)
    assert differing(native.read.parquet(path), columns) == []


URLS = [
    *(
        "http://a.b/c?x=1&y=2#f",
        "https://h",
        "ftp://h:21",
        "http://h:/p",
        "http://1.2.3.4/",
        "//h/p",
    ),
    *(
        "http://a_b.c/d",
        "http://u:p@h/p",
        "http://h/%20a?b=%2",
        "mailto:a@b",
        "http://h/a b",
        "http:",
    ),
    *(
        "http://[::1]:80/",
        "http://h.1/p",
        "http://1/p",
        "http://a.b./p",
        "http://-a/p",
        "http://a-b/p",
    ),
    *("http://h?a=1?b=2", "http://h/#", "http://h/?", "http://h/a[1]", "http://h/ä", "http://ä/p"),
    *("s3a://bucket-1/k=v/part.parquet", "jdbc:x://h/p", "h.x+y://h", "1http://h", "http:///p", ""),
    *(
        "http://h:123456789012/",
        "http://h/?key=&xkey=2&key=3",
        "http://h/?xkey=1&key",
        "http://h:8a/",
    ),
]
PARTS = [*("HOST", "PATH", "QUERY", "REF", "PROTOCOL", "FILE", "AUTHORITY", "USERINFO", "host", "")]


def test_parts_of_urls(native, tmp_path):
    native.conf.set(ENABLED, "false")
    native.conf.set("spark.sql.ansi.enabled", "false")
    random_one = random.Random(SEED)
    pieces = [
        *("http", "://", ":", "/", "//", "?", "#", "&", "=", "key", "a", "b-c", ".", "1", "80")
    ]
    pieces += ["@", "%41", "%", "_", "~", "!", "(", "[", "]", " ", "+", ";", ",", "$", "'", "*"]
    made = [
        "http://" * (i % 4 > 0) + "".join(random_one.choices(pieces, k=random_one.randrange(1, 9)))
        for i in range(600)
    ]
    path = str(tmp_path / "urls")
    rows = list(enumerate([*URLS, *made, None]))
    native.createDataFrame(rows, "id long, s string").write.parquet(path)
    columns = {part: f.parse_url("s", f.lit(part)) for part in PARTS}
    for key in ("key", "x", "", "k.y", "_1"):
        columns[f"value of {key}"] = f.parse_url("s", f.lit("QUERY"), f.lit(key))
    columns["no query"] = f.parse_url("s", f.lit("HOST"), f.lit("key"))
    columns["part of a column"] = f.parse_url("s", f.element_at(f.array(*map(f.lit, PARTS)), -1))
    assert differing(native.read.parquet(path), columns) == []


def test_filters_and_keys(texts, native):
    """Where few rows are in doubt, where all are, and beside guests that are not tried."""
    texts.createOrReplaceTempView("texts")
    for query in (
        "SELECT upper(s) AS u, count(*) FROM texts WHERE s RLIKE 'a.*b' AND id > 5 GROUP BY u",
        "SELECT upper(s) AS u, overlay(s, '.', 1, 0) AS m, lower(few) AS l FROM texts"
        " WHERE few RLIKE '^[a-f]'",
        "SELECT count(*) FROM texts WHERE upper(concat(s, 'ß')) <> lower(s)",
        "SELECT few, element_at(split(s, ' '), -1) AS e FROM texts WHERE size(split(s, ' ')) > 1",
        "SELECT v, count(*) FROM (SELECT"
        " from_json(concat('{\"b\":\"', few, '\",\"a\":', id % 3, '}'),"
        " 'a INT, b STRING, c ARRAY<STRING>') AS v FROM texts"
        " UNION ALL SELECT named_struct('a', CAST(id % 3 AS INT), 'b', few,"
        " 'c', CAST(NULL AS ARRAY<STRING>)) FROM texts) GROUP BY v",
        "SELECT explode(split(s, '[ ,]')) AS word FROM texts WHERE id % 3 = 0",
        "SELECT a.id, b.id FROM texts a JOIN texts b ON upper(a.few) = upper(b.s) AND a.id < 50",
    ):
        answers = []
        for enabled in ("false", "true"):
            native.conf.set(ENABLED, enabled)
            rows = native.sql(query).select(f.hash("*"), f.xxhash64("*")).collect()
            answers.append(sorted(map(tuple, rows)))
        assert answers[0] == answers[1], query


def test_explain_says_what_is_tried(texts, native):
    native.conf.set(ENABLED, "true")
    texts.createOrReplaceTempView("texts")
    query = (
        "SELECT s RLIKE 'a+' AS a, overlay(s, '.', 1, 0) FROM texts"
        " WHERE s RLIKE '(?=a)' ORDER BY a"
    )
    told = native._jvm.reprise.Explain.explain(native.sql(query)._jdf, "ALL")
    said = [line for line in told.splitlines() if "+Expression" in line]
    in_doubt = "which Spark evaluates where the core is in doubt"
    assert [(in_doubt in line, "<RLike>" in line) for line in said] == [
        *((True, True), (False, False), (False, True)),
    ], told


def test_tried_guests_run_natively_below_the_result(texts, native):
    native.conf.set(ENABLED, "true")
    url = f.concat(f.lit("http://h.example/?k="), "id")
    frame = texts.select(
        f.upper("few"),
        f.col("few").rlike("a+"),
        f.parse_url(url, f.lit("QUERY"), f.lit("k")),
        f.to_json(f.struct("few", "id")),
    )
    frame.collect()
    assert rows_of_guests(frame) == [0]


def test_spark_evaluates_the_rows_in_doubt_alone(texts, native):
    native.conf.set(ENABLED, "true")
    # An exchange below a sort would read them twice.
    guest = f.overlay("few", f.lit("."), 1, 0)
    frame = texts.select(f.upper("s"), guest, "id").repartition(2, "id")
    frame.collect()
    beyond_ascii = texts.where("octet_length(s) <> length(s)").count()
    assert sorted(rows_of_guests(frame)) == [beyond_ascii, texts.count()]
