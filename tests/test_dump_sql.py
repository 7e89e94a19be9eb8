"""`reprise show --sql`: an operator as a statement of Spark's over its recorded inputs."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import reprise as package
from answers import arrow_of
from places import PROGRAM
from test_dump import reprise

SPLIT = "(SELECT /*+ REPARTITION(2, g) */ g, n FROM small WHERE n < 90)"
# Queries, and the operators of each whose statements are run.
QUERIES = {
    "expressions": (
        """SELECT id, b AND id > 7 AS c1, coalesce(s, 'none') AS c2, i32 % 7 AS c3,
             abs(i16 % 99) AS c4,
             CASE WHEN i8 > 3 THEN 'it''s' WHEN i8 < -3 THEN '\\\\' ELSE s END AS c5,
             dt + 3 AS c6,
             date_trunc('MONTH', ts) AS c7, hour(ts) AS c8, ts + INTERVAL '1' HOUR AS c9,
             trim(s) AS c10, substring(s, 2, 3) AS c11, s IN ('a', 'b', NULL) AS c12,
             hash(i32, s) AS c13, xxhash64(s) AS c14, round(d5_2, 1) AS c15, year(dt) AS c16,
             next_day(dt, 'MO') AS c17, trunc(dt, 'YEAR') AS c18, d5_2 * 2.5 AS c19,
             id div 3 AS c20,
             locate('a', s, 2) AS c21, s IS NULL AS c22, i32 & 12 AS c23,
             shiftleft(i8, 2) AS c24,
             CAST(dt AS timestamp) AS c25, struct(id, s) AS c26, array(id, id + 1) AS c27,
             f64 = 'NaN' AS c28, tsn AS c29, bin AS c30,
             months_between(ts, TIMESTAMP '2020-01-01') AS c31,
             concat_ws('-', s, 'x') AS c32, lpad(s, 5, '*') AS c33, ceil(d18_4) AS c34,
             -(i16 % 99) AS c35
           FROM every_type WHERE (i32 > -1000 OR s LIKE 'a%' OR f32 IS NULL)
             AND dt < DATE '9000-01-01' AND id > 2 AND d5_2 IS NOT NULL""",
        {"RepriseFilter", "RepriseProject"},
    ),
    "aggregates": (
        """SELECT g, count(*), count(k) FILTER (WHERE n > 5), sum(i64), sum(d15_2), avg(i32),
             avg(d5_2), min(dt), max(k), sum(n + 1) * 2 AS twice FROM small GROUP BY g""",
        {"RepriseHashAggregate", "RepriseShuffleExchange"},
    ),
    "aggregates without keys": (
        "SELECT count(*), sum(d5_2), avg(i64), min(k) FROM small WHERE n < 0",
        {"RepriseHashAggregate"},
    ),
    "distinct and grouping sets": (
        "SELECT k, g, count(DISTINCT b), grouping_id() FROM small GROUP BY CUBE (k, g)",
        {"RepriseExpand", "RepriseHashAggregate"},
    ),
    "limits": (
        """SELECT k, n FROM (SELECT k, n FROM small ORDER BY k DESC, n LIMIT 12 OFFSET 3)
           WHERE n > 0""",
        {"RepriseTakeOrdered"},
    ),
    "sort": (
        "SELECT k, n, d5_2 FROM small SORT BY d5_2 DESC NULLS LAST, n",
        {"RepriseSort"},
    ),
    "windows": (
        """SELECT n, row_number() OVER w, rank() OVER w, ntile(3) OVER w, lag(n, 2, -1) OVER w,
             lead(k) IGNORE NULLS OVER w, nth_value(n, 2) OVER w, percent_rank() OVER w,
             sum(d15_2) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING),
             count(*) OVER (PARTITION BY g ORDER BY n RANGE BETWEEN 10 PRECEDING AND CURRENT ROW),
             min(k) OVER (PARTITION BY g ORDER BY n DESC RANGE BETWEEN 7 PRECEDING AND 4 FOLLOWING)
           FROM small WINDOW w AS (PARTITION BY g ORDER BY n)""",
        {"RepriseWindow", "RepriseSort"},
    ),
    "limit by rank": (
        """SELECT g, n FROM (SELECT g, n, rank() OVER (PARTITION BY g ORDER BY n) r FROM small)
           WHERE r < 4""",
        {"RepriseWindowGroupLimit", "RepriseWindow"},
    ),
    "generated": (
        """SELECT n, i, x, m.a, q.* FROM (SELECT n, array(n, NULL, g) AS xs,
             IF(n < 4, NULL, array(named_struct('a', k, 'b', n))) AS ss FROM small)
           LATERAL VIEW posexplode(xs) AS i, x LATERAL VIEW OUTER inline(ss) m AS a, b
           LATERAL VIEW OUTER explode(IF(n > 5, xs, NULL)) q AS y""",
        {"RepriseGenerate"},
    ),
    "union": (
        "SELECT k, n FROM small WHERE n < 9 UNION ALL SELECT s, i32 FROM every_type WHERE id < 9",
        {"RepriseUnion"},
    ),
}
JOINS = {
    "inner": f"""SELECT a.n, a.g, b.g AS h, b.n AS m FROM small a JOIN {SPLIT} b
                 ON a.g = b.g AND a.n < b.n""",
    "left": f"SELECT a.n, b.n AS m FROM small a LEFT JOIN {SPLIT} b ON a.g = b.g AND b.n < 9",
    "right": f"SELECT a.n, b.n AS m FROM {SPLIT} a RIGHT JOIN small b ON a.g = b.g AND a.n < 9",
    "full": f"SELECT a.n, b.n AS m FROM small a FULL JOIN {SPLIT} b ON a.g = b.g AND a.n = b.n",
    "semi": f"SELECT n FROM small a WHERE g IN (SELECT g FROM {SPLIT} b WHERE a.n > b.n)",
    "anti": f"""SELECT n FROM small a
                WHERE NOT EXISTS (SELECT 1 FROM {SPLIT} b WHERE a.g = b.g AND a.n > b.n)""",
    "existence": f"""SELECT n FROM small a WHERE n < 5
                     OR EXISTS (SELECT 1 FROM {SPLIT} b WHERE a.g = b.g AND b.n > 80)""",
    "not in": f"SELECT n FROM small WHERE g NOT IN (SELECT n FROM {SPLIT} WHERE n > 3)",
    "nested loop": f"SELECT a.n, b.n AS m FROM small a LEFT JOIN {SPLIT} b ON a.n > b.n * 20",
    "cartesian": "SELECT a.n, b.n AS m FROM small a JOIN small b ON a.n + b.n < 9",
}


def statements_of(folder: Path, *options: object) -> list[str]:
    result = reprise("show", folder, "--sql", *options)
    assert result.returncode == 0, result.stderr
    return [text for text in result.stdout.split(";\n") if text.strip()]


def rows_of(table: pa.Table) -> Counter:
    return Counter(repr(tuple(row.values())) for row in to_rows(table))


def to_rows(table: pa.Table) -> list[dict]:
    """Rows by place, since columns may be called alike; times as numbers: Python's end sooner."""
    plain = [
        column.cast(pa.int32())
        if pa.types.is_date(column.type)
        else column.cast(pa.int64())
        if pa.types.is_timestamp(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(plain, [str(i) for i in range(table.num_columns)]).to_pylist()


def keys_of(operator, table: pa.Table) -> list:
    """The values of the first key of a sort: rows with equal keys come in any order."""
    plan = json.loads((operator.folder / "plan.meta").read_text())
    key = plan["operator"]["arguments"]["ordering"][0]["expression"]
    return table.column(key["attributes"]["index"]).to_pylist()


def answer(spark, folder: Path, *options: object) -> pa.Table:
    *settings, statement = statements_of(folder, *options)
    for setting in settings:
        spark.sql(setting)
    return arrow_of(spark.sql(statement))


def check(spark, operator, tmp_path: Path) -> None:
    """Its statement, over files and over literals, gives in Spark what was recorded."""
    apart = "apart" in (operator.folder / "plan.meta").read_text()
    partition = None if apart else operator.partitions[0]
    recorded = operator.output(partition=partition)
    tables = tmp_path / f"tables-{operator.id}"
    found = answer(spark, operator.folder, "--values", "0", "--tables", tables)
    assert rows_of(found) == rows_of(recorded), operator
    if operator.kind == "sort":
        assert keys_of(operator, found) == keys_of(operator, recorded)
    rows = sum(operator.input(i, partition=partition).num_rows for i in range(operator.input_count))
    if rows <= 400:
        found = answer(spark, operator.folder, "--values", "400")
        assert rows_of(found) == rows_of(recorded), operator


def checked(spark, query: str, tmp_path: Path) -> set[str]:
    """Dumps all of a query, runs each operator's statement; the names of those that have one."""
    dumped = package.dump(spark.sql(query), "*", tmp_path / "dump")
    spark.conf.set("spark.reprise.sql.enabled", "false")
    names = set()
    for operator in dumped.values():
        if operator.kind in ("spark", "parquet_scan") or not operator.partitions:
            continue
        result = reprise("show", operator.folder, "--sql")
        if "cannot be said in SQL" in result.stderr:
            continue
        check(spark, operator, tmp_path)
        names.add(operator.name)
    return names


@pytest.mark.parametrize("name", QUERIES)
def test_an_operators_statement_gives_what_it_gave(native, tmp_path, name):
    query, operators = QUERIES[name]
    native.conf.set("spark.sql.shuffle.partitions", "2")
    assert checked(native, query, tmp_path) >= operators


@pytest.mark.parametrize("threshold", ["-1", "10MB"])
@pytest.mark.parametrize("name", JOINS)
def test_a_joins_statement_gives_what_it_gave(native, tmp_path, name, threshold):
    native.conf.set("spark.sql.shuffle.partitions", "2")
    native.conf.set("spark.sql.autoBroadcastJoinThreshold", threshold)
    names = checked(native, JOINS[name], tmp_path)
    assert any("Join" in name or "Cartesian" in name for name in names), names


def test_what_has_no_statement_says_so(native, tmp_path):
    """Spark's own code, buffers of functions that SQL does not show, and what draws rows."""
    queries = {
        "SELECT stddev_samp(f64) FROM small GROUP BY k": (
            "HashAggregate",
            "stddev_samp hands from",
        ),
        "SELECT n FROM small TABLESAMPLE (50 PERCENT) REPEATABLE (3)": ("Sample", "random numbers"),
        "SELECT n FROM small": ("FileSourceScan", "it reads no rows of another operator"),
    }
    for number, (query, (name, reason)) in enumerate(queries.items()):
        dumped = package.dump(native.sql(query), name, tmp_path / str(number))
        results = [reprise("show", operator.folder, "--sql") for operator in dumped.values()]
        assert {result.returncode for result in results} == {2}
        for result in results:
            assert reason in result.stderr
            assert "reprise replay" in result.stderr


def test_inputs_that_sql_cannot_read_are_an_error_that_says_how(native, tmp_path):
    query = "SELECT g, sum(n), sum(i64) FROM small GROUP BY g"
    native.conf.set("spark.sql.shuffle.partitions", "1")
    dumped = package.dump(native.sql(query), "HashAggregate", tmp_path / "dump")
    final = next(iter(dumped.values()))
    result = reprise("show", final.folder, "--sql", "--values", "0")
    assert result.returncode == 2
    assert "more than one column is called sum" in result.stderr
    assert "--tables" in result.stderr
    assert "--values" in result.stderr


def test_show_prints_lines_that_open_the_rows(native, tmp_path):
    query = "SELECT k, n FROM small WHERE n > 20"
    dumped = package.dump(native.sql(query), "Filter", tmp_path / "dump")
    operator = next(iter(dumped.values()))
    text = reprise("show", operator.folder).stdout
    lines = dict(re.findall(r"^  in (DuckDB|pandas) +(.+)$", text, re.MULTILINE))
    assert len(duckdb.sql(lines["DuckDB"]).fetchall()) == operator.input(0).num_rows
    opened = eval(lines["pandas"], {"reprise": package})
    assert len(opened) == operator.input(0).num_rows


def test_the_statement_runs_as_a_file_of_sparks(native, tmp_path):
    """What is printed holds settings and one statement, each ended by a semicolon."""
    dumped = package.dump(native.sql("SELECT n FROM small WHERE n > 20"), "Filter", tmp_path / "d")
    operator = next(iter(dumped.values()))
    script = subprocess.run(
        [PROGRAM, "show", operator.folder, "--sql"], capture_output=True, text=True, check=True
    ).stdout
    assert script.startswith("-- RepriseFilter, LORE id ")
    assert "SET spark.sql.ansi.enabled=true;" in script
    assert script.endswith(";\n")
