"""Nothing that a capture writes holds a masked value: secrets are planted and searched for."""

import json
import re
import subprocess
import sys

import pytest
from answers import FAILURES
from places import SUPPORT
from planted_secrets import SECRET, leaks
from spark_log import warnings_of
from test_dump import reprise
from whole_dumps import dump_all, dump_all_of, rows_of

MASKS = {"name": "hash", "flag": "null", "country": "hash", "m": "null"}
COLUMNS = {
    "t": ["name", "flag", "m"],
    "cached": ["name", "flag", "m"],
    "p": ["name", "country"],
    "s": ["country"],
    "parquet": ["name", "country"],
}

# t(id, name, flag, m, xs), and p(id, name, country) in folders by country.
QUERIES = {
    "project": "SELECT id, upper(name) u, substring(name, 1, 9) s FROM t",
    "renamed": "SELECT id, name AS n2, concat(name, '!') n3 FROM t WHERE length(name) > 2",
    "join": "SELECT a.id, a.name AS x, b.name AS y FROM t a JOIN t b ON a.id = b.id + 1",
    "exists": """SELECT id, name n FROM t WHERE id = 3 OR EXISTS (SELECT 1 FROM t b WHERE b.id
        = t.id)""",
    "full join": """SELECT a.name x, b.name y FROM t a FULL JOIN t b ON a.name = b.name AND a.id
        > b.id""",
    "group": """SELECT name AS g, count(*) c, max(name) x, min(struct(name, id)) s FROM t
        GROUP BY name""",
    "rollup": "SELECT name AS g, flag AS f, count(*) c FROM t GROUP BY ROLLUP (name, flag)",
    "collect": "SELECT id % 3 k, collect_list(name) l, first(name) f FROM t GROUP BY 1",
    "distinct": "SELECT count(DISTINCT name) c, max(upper(name)) x FROM t",
    "window": """SELECT id, lag(name) OVER (ORDER BY id) l, max(name) OVER (PARTITION BY flag)
        x FROM t""",
    "order": "SELECT name AS n2, id FROM t ORDER BY n2 DESC",
    "limit": "SELECT name AS n2, id FROM t ORDER BY n2 DESC LIMIT 7",
    "distribute": "SELECT upper(name) n2, id FROM t DISTRIBUTE BY n2 SORT BY n2",
    "union": "SELECT name AS v FROM t UNION ALL SELECT cast(id AS string) FROM t",
    "except": "SELECT name AS v FROM t EXCEPT SELECT cast(id AS string) FROM t",
    "generate": "SELECT id, w FROM t LATERAL VIEW explode(split(name, 'T')) AS w",
    "map": "SELECT id, k, v FROM t LATERAL VIEW explode(m) AS k, v",
    "python": "SELECT id, shout(name) s, is_flag(flag) f FROM t",
    "scalar": "SELECT id, (SELECT max(name) FROM t) AS top FROM t WHERE id > 3",
    "scalar struct": """SELECT id, s.a, s.b FROM
        (SELECT id, (SELECT struct(max(name) a, 1 b) FROM t) s FROM t)""",
    "scalar filter": "SELECT id FROM t WHERE upper(name) < (SELECT max(upper(name)) FROM t)",
    "in": "SELECT id FROM t WHERE name IN (SELECT name AS o FROM p) AND id < 90",
    "folders": "SELECT id, country, name FROM p WHERE country <> 'x'",
    "one folder": "SELECT id, upper(country) c FROM p WHERE upper(country) LIKE 'S%'",
    "pruning": "SELECT p.id, p.country c FROM p JOIN s ON p.country = s.land WHERE s.k < 2",
    "file names": "SELECT id, country c, _metadata.file_path f, _metadata.file_name g FROM {p}",
    "values": """SELECT x.name AS v, k, upper(x.name) u FROM VALUES ('SECRET900', 1),
        ('SECRET901', 2) AS x(name, k) JOIN t USING (name)""",
    "literals": """SELECT id FROM t WHERE name = 'SECRET005' OR name LIKE 'SECRET01%' OR
        upper(name) IN ('SECRET001', 'SECRET002')""",
    "inferred": "SELECT t.id FROM t JOIN cached c ON t.name = c.n2 WHERE t.name = 'SECRET007'",
    "constants": """SELECT id FROM t WHERE name = 'SECRET005' AND concat(name, 'x') <> cast(id AS
        string)""",
    "case": "SELECT CASE name WHEN 'SECRET003' THEN 1 ELSE 2 END c, if(flag, 1, 0) f FROM t",
    "cached": "SELECT c.n2, t.id FROM cached c JOIN t ON c.id = t.id WHERE c.n2 > 'A'",
    "cached twice": "SELECT a.n2 x, b.n2 y FROM cached a JOIN cached b ON a.id = b.id + 1",
    "checkpoint": """SELECT n2, count(*) FROM checkpointed JOIN t USING (id) WHERE name > '' GROUP
        BY n2""",
    "rdd": "SELECT concat(other, 'x') o, id FROM remade JOIN t USING (id) WHERE name > ''",
    "nested loops": """SELECT count(*), max(b.name) FROM t a LEFT JOIN t b ON a.id < b.id AND a.name
        < b.name""",
}


@pytest.fixture(scope="module")
def tables(spark, with_plugin, tmp_path_factory):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    work = tmp_path_factory.mktemp("secrets")
    rows = spark.range(0, 40, 1, 2).selectExpr(
        "id",
        "format_string('SECRET%03d', id) AS name",
        "id % 3 = 0 AS flag",
        "map('k', id % 2 = 0) AS m",
        "array(id, id + 1) AS xs",
    )
    rows.write.parquet(str(work / "t"))
    folders = rows.selectExpr("id", "name", "format_string('SECRETC%d', id % 3) AS country")
    folders.write.partitionBy("country").parquet(str(work / "p"))
    lands = spark.range(3).selectExpr("id AS k", "format_string('SECRETC%d', id) AS country")
    lands.write.parquet(str(work / "s"))
    for name in ("t", "p"):
        spark.read.parquet(str(work / name)).createOrReplaceTempView(name)
    renamed = spark.read.parquet(str(work / "s")).selectExpr("k", "country AS land")
    renamed.createOrReplaceTempView("s")
    # Rows of which no plan says where they come from.
    renamed = spark.sql("SELECT id, name AS n2 FROM t")
    renamed.localCheckpoint().createOrReplaceTempView("checkpointed")
    remade = spark.createDataFrame(renamed.rdd, "id long, other string")
    remade.createOrReplaceTempView("remade")
    spark.udf.register("shout", lambda text: text + "!", "string")
    spark.udf.register("is_flag", lambda flag: flag, "boolean")
    yield work


@pytest.fixture
def cached(native, tables):
    """A cached table; its settings end with those of the test."""
    native.sql("SELECT id, name AS n2 FROM t").cache().createOrReplaceTempView("cached")
    yield native


def mask_of(query: str) -> str:
    """The masks of the tables that the query reads."""
    tables = set(re.findall(r"(?:FROM|JOIN) (\w+)", query))
    masks = {mask for table in tables for mask in COLUMNS.get(table, ())}
    return ", ".join(f"{name}:{MASKS[name]}" for name in sorted(masks))


@pytest.mark.parametrize("name", list(QUERIES))
def test_no_secret_is_in_a_dump(cached, tables, tmp_path, name):
    """Of native operators, nor of Spark's."""
    native = cached
    query = QUERIES[name].replace("{p}", f"parquet.`{tables}/p`")
    expected = rows_of(native, query)
    for mode in ("execute", "explainOnly"):
        native.conf.set("spark.reprise.sql.mode", mode)
        mask = {"spark.reprise.lore.mask": mask_of(query)}
        rows, dumps = dump_all(native, query, tmp_path / mode, **mask)
        assert rows == expected
        assert dumps
    assert not leaks(tmp_path)


@pytest.mark.parametrize("mode", ["execute", "explainOnly"])
@pytest.mark.parametrize("failing", ["cast(name AS int)", "raise_error(name)", "refuse(name)"])
def test_no_error_of_masked_values_is_in_a_dump(native, tables, tmp_path, mode, failing):
    def refuse(text):
        raise ValueError(text)

    native.udf.register("refuse", refuse, "string")
    native.conf.set("spark.sql.ansi.enabled", "true")
    native.conf.set("spark.reprise.sql.mode", mode)
    settings = {"spark.reprise.lore.mask": "name:hash", "spark.reprise.lore.when": "failure"}
    with pytest.raises(FAILURES):
        dump_all(native, f"SELECT id, {failing} FROM t WHERE id >= 0", tmp_path, **settings)
    ends = [
        json.loads(file.read_text().splitlines()[-1]) for file in tmp_path.rglob("partition.meta")
    ]
    errors = [end["error"] for end in ends if "error" in end]
    assert errors
    assert not [error for error in errors if set(error) - {"condition", "here"}]
    assert not leaks(tmp_path)


def test_no_secret_is_in_traces_and_logs(cached, tmp_path):
    """Nor in a pack of the dumps."""
    native = cached
    native.conf.set("spark.reprise.trace.path", str(tmp_path / "trace"))
    native.conf.set("spark.reprise.sql.explain", "ALL")
    with warnings_of(native, "reprise.plugin.Planning") as said:
        for name in ("scalar", "order", "pruning", "cached"):
            query = QUERIES[name]
            mask = {"spark.reprise.lore.mask": mask_of(query)}
            dump_all(native, query, tmp_path / name, **mask)
    assert list((tmp_path / "trace").iterdir())
    assert not leaks(tmp_path / "trace")
    assert said
    assert not [line for line in said if "SECRET" in line]
    packed = tmp_path / "packed.tar"
    (folder, *_) = (tmp_path / "order").glob("loreId-*")
    assert reprise("pack", folder, "-o", packed).returncode == 0
    assert not SECRET.search(packed.read_bytes())


@pytest.mark.parametrize("mode", ["execute", "explainOnly"])
def test_no_password_of_a_reader_is_in_a_dump(native, tables, tmp_path, mode):
    """Spark's form of the scan has the options, without what they hide; a replay has its own."""
    native.conf.set("spark.reprise.sql.mode", mode)
    native.conf.set("spark.sql.my.token", "SECRETTOKEN")
    reader = native.read.option("password", "SECRETWORD").option("fs.s3a.secret.key", "SECRETKEY")
    frame = reader.option("mergeSchema", "false").parquet(str(tables / "t")).select("id")
    _, dumps = dump_all_of(native, frame.collect, tmp_path / "dump")
    plans = [json.dumps(dump.plan) for dump in dumps.values()]
    assert any("mergeschema" in plan.lower() for plan in plans), plans
    assert not leaks(tmp_path / "dump")


def test_no_secret_is_in_a_ledger(with_plugin, tmp_path):
    """Of rows, of what they are compared with, of errors and of settings; nor in what is told."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    ledger, work = tmp_path / "ledger", tmp_path / "work"
    command = [sys.executable, SUPPORT / "masked_ledger.py", ledger.as_uri(), work]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not leaks(ledger)
    (folder,) = ledger.iterdir()
    events = [json.loads(line) for line in (folder / "events").read_text().splitlines()]
    reasons = [event["Task End Reason"] for event in events if "Task End Reason" in event]
    failed = {reason["Description"] for reason in reasons if "Description" in reason}
    assert failed == {"(masked)"}
    sums = (folder / "sums.jsonl").read_text()
    assert '"columns":["column 0","column 1"]' in sums
    assert '"columns":["id","name"]' in sums
    told = [reprise("ledger", "check", folder), reprise("ledger", "diff", folder, folder)]
    told.append(reprise("stages", folder / "events"))
    assert all(said.stdout and not said.stderr for said in told), told
    assert not [said.stdout for said in told if "SECRET" in said.stdout]
