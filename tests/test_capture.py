"""Every operator of a query can be dumped, whoever runs it."""

import json
import re
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from places import SPARK
from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException
from spark_log import warnings_of
from test_dump import reprise
from whole_dumps import dump_all, dump_all_of, rows_of

QUERIES = {
    "windows": """SELECT o_custkey, sum(o_totalprice) OVER (PARTITION BY o_custkey) s,
                  row_number() OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey) r
                  FROM orders""",
    "generate": """SELECT o_orderkey, w FROM orders LATERAL VIEW explode(split(o_comment, ' ')) AS w
                   WHERE o_orderkey < 1000""",
    "stack": """SELECT o_orderkey, w FROM orders
                LATERAL VIEW stack(2, o_orderstatus, o_orderpriority) AS w
                WHERE o_orderkey < 1000""",
    "python": "SELECT plus_one(c_nationkey) n, count(*) FROM customer GROUP BY 1",
    "arrays": "SELECT c_nationkey, sort_array(collect_list(c_custkey)) FROM customer GROUP BY 1",
    "intervals": """SELECT CAST(i AS STRING), s FROM
                    (SELECT make_interval(0, 0, 0, c_nationkey) i, sum(c_custkey) s
                     FROM customer WHERE c_custkey < 100 GROUP BY 1)""",
    "csv": "SELECT n_name, r_name FROM nation_csv JOIN region ON n_regionkey = r_regionkey",
    "cached": "SELECT c_nationkey, count(*), max(c_name) FROM some_customers GROUP BY c_nationkey",
    "nested loops": """SELECT count(*), count(b.n_name) FROM nation_csv a LEFT JOIN nation_csv b
                       ON a.n_nationkey < b.n_nationkey AND upper(a.n_name) < b.n_name""",
    "subqueries": """SELECT o_orderkey, row_number() OVER (ORDER BY o_orderkey) FROM orders
                     WHERE o_totalprice > (SELECT avg(o_totalprice) FROM orders)""",
    "limits": "SELECT n_name, upper(n_name) FROM nation_csv ORDER BY upper(n_name) LIMIT 7",
    "values": "SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(k, v)",
    "ranges": "SELECT id % 7 AS m, count(*) FROM range(0, 1000, 3, 4) GROUP BY 1",
}
if SPARK == "3.5":  # which groups by no interval
    del QUERIES["intervals"]


@pytest.fixture(scope="module")
def tables(spark, with_plugin, tmp_path_factory):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    path = str(tmp_path_factory.mktemp("csv") / "nation")
    spark.table("nation").write.csv(path, header=True)
    spark.read.csv(path, header=True, inferSchema=True).createOrReplaceTempView("nation_csv")
    spark.udf.register("plus_one", lambda n: n + 1, "int")
    cached = "SELECT c_custkey, c_name, c_nationkey FROM customer LIMIT 500"
    spark.sql(f"CACHE TABLE some_customers AS {cached}")
    yield
    spark.sql("UNCACHE TABLE some_customers")


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("name", list(QUERIES))
def test_everything_is_dumped_and_changes_nothing(native, tables, tmp_path, name, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    query = QUERIES[name]
    native.conf.set("spark.reprise.sql.enabled", "false")
    expected = rows_of(native, query)
    native.conf.set("spark.reprise.sql.enabled", "true")
    rows, dumps = dump_all(native, query, tmp_path / "dump")
    assert rows == expected
    assert dumps
    for dump in dumps.values():
        shown = reprise("show", dump.folder)
        assert shown.returncode == 0, f"{dump.name}: {shown.stderr}"
        assert "spark" in dump.plan
        if dump.plan["operator"]["kind"] == "spark":
            continue
        replayed = reprise("replay", dump.folder, "--recorded")
        assert replayed.returncode == 0, f"{dump.name}: {replayed.stdout}{replayed.stderr}"


def test_an_operator_of_sparks_has_its_input_and_its_output(native, tables, tmp_path):
    without = {"spark.reprise.sql.guests.enabled": "false"}
    _, dumps = dump_all(native, QUERIES["stack"], tmp_path / "dump", **without)
    generate = next(dump for dump in dumps.values() if dump.name == "Generate")
    assert generate.plan["operator"]["kind"] == "spark"
    assert (
        generate.rows("input-0")
        == native.sql("SELECT * FROM orders WHERE o_orderkey < 1000").count()
    )
    assert generate.rows("output") == native.sql(QUERIES["stack"]).count()


def test_a_broadcast_is_recorded_once(native, tables, tmp_path):
    native.conf.set("spark.sql.files.maxPartitionBytes", "1000")
    query = "SELECT c_name, n_name FROM customer JOIN nation ON c_nationkey = n_nationkey"
    _, dumps = dump_all(native, query, tmp_path / "dump")
    join = next(dump for dump in dumps.values() if dump.name == "RepriseBroadcastHashJoin")
    assert join.plan["partitions"] > 1
    rdd = json.loads((join.folder / "input-1" / "rdd.meta").read_text())
    assert (rdd["replicated"], rdd["partitions"]) == (True, 1)
    assert join.rows("input-1") == 25
    assert reprise("replay", join.folder).returncode == 0


def test_a_scan_is_dumped_as_its_splits_or_with_its_rows(native, tables, tmp_path):
    query = "SELECT n_name FROM nation WHERE n_nationkey < 5"
    for with_data in ("false", "true"):
        path = tmp_path / with_data
        _, dumps = dump_all(native, query, path, **{"spark.reprise.lore.withData": with_data})
        scan = next(dump for dump in dumps.values() if dump.name == "RepriseParquetScan")
        (meta,) = scan.meta("output")
        (file,) = meta[0]["leaf"]["files"]
        assert file["size"] > 0
        assert file["path"].endswith(".parquet")
        assert meta[-1]["digest"]["rows"] == 25
        assert bool(list(scan.folder.rglob("batch-*"))) == (with_data == "true")
        replayed = reprise("replay", scan.folder)
        assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_a_limit_cuts_a_record_and_not_the_query(native, tables, tmp_path):
    query = "SELECT o_orderkey FROM orders WHERE o_orderkey > 10"
    limit = {"spark.reprise.lore.maxRows": "100"}
    rows, dumps = dump_all(native, query, tmp_path / "dump", **limit)
    assert len(rows) > 1000
    kept = next(dump for dump in dumps.values() if dump.name == "RepriseFilter")
    (meta,) = kept.meta("input-0")
    assert (meta[-1]["end"], meta[-1]["limit"]) == ("truncated", "maxRows")
    assert meta[-1]["digest"]["rows"] == 100
    refused = reprise("replay", kept.folder)
    assert refused.returncode == 2
    assert "truncated" in refused.stderr
    replayed = reprise("replay", kept.folder, "--truncated")
    assert replayed.returncode == 3, "of some of the rows another output comes"
    assert "a limit of the capture left out rows of an input" in replayed.stdout


@pytest.mark.parametrize("mode", ["execute", "explainOnly"])
def test_a_dump_asks_for_no_row_that_the_query_does_not_want(native, tables, tmp_path, mode):
    """Not even for one that would fail, as row 5000 does."""
    native.conf.set("spark.sql.ansi.enabled", "true")
    native.conf.set("spark.reprise.sql.mode", mode)
    query = "SELECT upper(cast(10 / (id - 5000) AS string)) v FROM range(0, 10000, 1, 1) LIMIT 3"
    expected = rows_of(native, query)
    assert len(expected) == 3
    rows, dumps = dump_all(native, query, tmp_path / "dump")
    assert rows == expected
    assert any(dump.name.endswith("Project") for dump in dumps.values())
    with pytest.raises((Py4JJavaError, CapturedException), match="DIVIDE_BY_ZERO"):
        dump_all(native, query.replace("LIMIT 3", "LIMIT 5001"), tmp_path / "failing")


def test_only_tasks_that_fail_are_dumped(native, tables, tmp_path):
    native.conf.set("spark.sql.ansi.enabled", "true")
    when = {"spark.reprise.lore.when": "failure"}
    good = "SELECT 10 / n_nationkey FROM nation WHERE n_nationkey > 0"
    dump_all(native, good, tmp_path / "good", **when)
    native.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    assert not (tmp_path / "good").exists()
    with pytest.raises((Py4JJavaError, CapturedException), match="DIVIDE_BY_ZERO"):
        dump_all(native, "SELECT 10 / n_nationkey FROM nation", tmp_path / "bad", **when)
    (failed,) = {
        path.parents[1] for path in (tmp_path / "bad").rglob("input-0/partition-0.attempt-*")
    }
    attempt = next((failed / "input-0").glob("partition-0.attempt-*")).name.rpartition("-")[2]
    replayed = reprise("replay", failed, "--partition", 0, "--attempt", attempt)
    assert replayed.returncode == 1
    assert "DIVIDE_BY_ZERO" in replayed.stdout
    found = reprise("replay", failed.parent, "--failed")
    assert found.returncode == 1
    line = rf"Project#0, partition 0, attempt {attempt} .* failed again, in the same way: .*ZERO"
    assert re.search(line, found.stdout), found.stdout


def test_limits_leave_the_batch_that_failed(native, tables, tmp_path):
    native.conf.set("spark.sql.ansi.enabled", "true")
    native.conf.set("spark.reprise.sql.batchRows", "100")
    limits = {"spark.reprise.lore.when": "failure", "spark.reprise.lore.maxRows": "10"}
    query = "SELECT 1000 / (id - 650) FROM range(0, 1000, 1, 1) WHERE id >= 0"
    with pytest.raises((Py4JJavaError, CapturedException), match="DIVIDE_BY_ZERO"):
        dump_all(native, query, tmp_path, **limits)
    (batches,) = (tmp_path / "loreId-1" / "input-0").glob("partition-0.attempt-*")
    rows = [pq.read_table(file).column(0).to_pylist() for file in batches.glob("*.parquet")]
    assert rows == [list(range(600, 700))]
    chosen = ("--partition", 0, "--attempt", batches.name.rpartition("-")[2])
    replayed = reprise("replay", tmp_path / "loreId-1", *chosen)
    assert replayed.returncode == 1, replayed.stderr
    assert "failed again, in the same way: RepriseProject (LORE id 1): DIV" in replayed.stdout
    place = "partition 0 fails at input-0, batch 0, row 50: "
    assert place + "(1000.0 / CAST((id - 650) AS double))\n" in replayed.stdout
    last = "Failed again, in the same way as the attempt that was recorded."
    assert replayed.stdout.splitlines()[-1] == last
    (leaf,) = tmp_path.glob("loreId-3/output/partition-0.attempt-*/partition.meta")
    end = json.loads(leaf.read_text().splitlines()[-1])
    assert (end["end"], end["digest"]["rows"]) == ("failed", 700), "no limit holds for a digest"


def test_only_slow_tasks_are_dumped(native, tables, tmp_path):
    """Seven tasks of 0.4 s and one of four seconds: only that one is three times the median."""

    def wait_at_the_end(n):
        if n % 1000 >= 997:
            time.sleep(4 if n >= 7000 else 0.4)
        return n

    native.udf.register("wait_at_the_end", wait_at_the_end, "long")
    query = "SELECT wait_at_the_end(id) AS n FROM range(0, 8000, 1, 8) WHERE id % 3 = 0"
    when = {"spark.reprise.lore.when": "slow:3x"}
    # The Python worker of the first tasks is started before.
    native.sql("SELECT wait_at_the_end(id) FROM range(0, 8, 1, 8)").collect()
    _, dumps = dump_all(native, query, tmp_path / "dump", **when)
    python = next(dump for dump in dumps.values() if "EvalPython" in dump.name)
    kept = {path.name for path in (python.folder / "input-0").glob("partition-*")}
    assert kept == {"partition-7"}
    assert python.rows("input-0") == sum(n % 3 == 0 for n in range(7000, 8000))
    filtered = next(dump for dump in dumps.values() if dump.name == "RepriseFilter")
    replayed = reprise("replay", filtered.folder, "--recorded")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_masked_values_are_not_in_the_dump(native, tables, tmp_path):
    query = """SELECT c_name, c_phone, count(*) FROM customer JOIN orders ON c_custkey = o_custkey
               GROUP BY c_name, c_phone"""
    mask = {"spark.reprise.lore.mask": "c_name:hash, c_phone:null, c_custkey:hash, o_custkey:hash"}
    rows, dumps = dump_all(native, query, tmp_path / "dump", **mask)
    assert rows == rows_of(native, query)
    names = {row.c_name for row in native.sql("SELECT c_name FROM customer").collect()}
    for file in (tmp_path / "dump").rglob("batch-*.parquet"):
        table = pq.read_table(file)
        if "c_name" in table.column_names:
            assert not names & set(table["c_name"].cast(pa.string()).to_pylist())
        if "c_phone" in table.column_names:
            assert table["c_phone"].null_count == len(table)
    join = next(dump for dump in dumps.values() if "Join" in dump.name)
    replayed = reprise("replay", join.folder, "--json")
    assert replayed.returncode == 3, replayed.stderr
    report = json.loads(replayed.stdout)
    assert (report["verdict"], report["holds"]) == ("not compared", False)
    joined = sum(partition["output"]["rows"] for partition in report["partitions"])
    assert joined == native.table("orders").count()


def test_operators_without_masked_columns_are_compared(native, tables, tmp_path):
    query = """SELECT count(c_name) AS n FROM customer
               UNION ALL SELECT count(*) FROM orders WHERE o_orderkey > 10"""
    mask = {"spark.reprise.lore.mask": "c_name:hash"}
    _, dumps = dump_all(native, query, tmp_path / "dump", **mask)
    kept = next(dump for dump in dumps.values() if dump.name == "RepriseFilter")
    replayed = reprise("replay", kept.folder)
    assert (replayed.returncode, replayed.stdout[-13:]) == (0, "As recorded.\n"), replayed.stderr


def test_what_was_not_recorded_is_not_compared(native, tables, tmp_path):
    output = {"spark.reprise.lore.output.enabled": "false"}
    query = "SELECT o_orderkey FROM orders WHERE o_orderkey > 10"
    _, dumps = dump_all(native, query, tmp_path / "dump", **output)
    kept = next(dump for dump in dumps.values() if dump.name == "RepriseFilter")
    replayed = reprise("replay", kept.folder)
    assert replayed.returncode == 3, replayed.stderr
    last = replayed.stdout.splitlines()[-1]
    assert last == "Not compared: 1 of 1 partition, the output was not recorded."
    assert reprise("replay", kept.folder, "--assert", "o_orderkey > 10").returncode == 0
    assert reprise("replay", kept.folder, "--assert", "o_orderkey > 100").returncode == 1


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_masked_values_are_in_no_column_under_another_name(native, tables, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    native.udf.register("shout", lambda text: text + "!", "string")
    query = """
        SELECT label, max(n) AS top, count(n) AS names, min(loud) AS least
        FROM (SELECT c_name AS n, concat('of ', c_name) AS label, shout(c_name) AS loud
              FROM customer
              UNION ALL SELECT c_address, c_name, c_mktsegment FROM customer)
        WHERE length(n) > 3 GROUP BY label ORDER BY least"""
    mask = {"spark.reprise.lore.mask": "c_name:hash"}
    rows, _ = dump_all(native, query, tmp_path / "dump", **mask)
    assert rows == rows_of(native, query)
    assert any("of Customer#" in row for row in rows)
    columns = set()
    for file in (tmp_path / "dump").rglob("batch-*.parquet"):
        table = pq.read_table(file)
        for name, values in zip(table.column_names, table.columns, strict=True):
            if pa.types.is_dictionary(values.type) or pa.types.is_string(values.type):
                columns.add(name)
                texts = values.cast(pa.string()).to_pylist()
                assert not [text for text in texts if text and "Customer#" in text], (file, name)
            if name in ("count", "names"):
                assert set(values.to_pylist()) <= {1, 2}, "counts are no values"
    assert {"c_address", "label", "n", "top", "max", "min"} <= columns


def test_a_query_whose_mask_is_set_too_late_runs_without_its_dump(native, tables, tmp_path):
    frame = native.sql("SELECT c_custkey, c_name AS n FROM customer ORDER BY n")
    frame._jdf.queryExecution().executedPlan()
    mask = {"spark.reprise.lore.mask": "c_name:hash"}
    with warnings_of(native, "reprise.plugin.QueryEnds") as said:
        rows, dumps = dump_all_of(native, frame.collect, tmp_path / "dump", **mask)
    assert rows
    assert not dumps
    assert any("was set after the query had been planned" in line for line in said)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_mask_need_not_fit_the_subqueries(native, tables, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    query = """SELECT c_name, c_phone FROM customer
               WHERE c_acctbal > (SELECT avg(s_acctbal) FROM supplier)"""
    _, dumps = dump_all(
        native, query, tmp_path / "dump", **{"spark.reprise.lore.mask": "c_name:null"}
    )
    assert {"RepriseHashAggregate", "RepriseFilter"} <= {dump.name for dump in dumps.values()}
    names = [
        name
        for file in (tmp_path / "dump").rglob("batch-*.parquet")
        if "c_name" in (table := pq.read_table(file)).column_names
        for name in table["c_name"].to_pylist()
    ]
    assert names and set(names) == {None}


def test_a_query_without_the_masked_column_runs_without_its_dump(native, tables, tmp_path):
    mask = {"spark.reprise.lore.mask": "nam:hash"}
    query = "SELECT n_name FROM nation"
    with warnings_of(native, "reprise.plugin.QueryEnds") as said:
        rows, dumps = dump_all(native, query, tmp_path / "dump", **mask)
    assert len(rows) == 25
    assert not dumps
    (line,) = said
    assert "nothing of the query is dumped, because none of its operators has a column nam" in line


def test_a_choice_without_operator_is_warned_of_at_the_end(native, tables, tmp_path):
    chosen = {"spark.reprise.lore.idsToDump": "filter#0[*], 98[*]"}
    query = "SELECT c_name FROM customer WHERE c_custkey < 10"
    with warnings_of(native, "reprise.plugin.QueryEnds") as said:
        rows, _ = dump_all(native, query, tmp_path / "dump", **chosen)
    assert len(rows) == 9
    assert len(said) == 2
    assert "no operator of the query is filter#0; near: " in said[1]
    assert "(Filter#0)" in said[1] or "(Filter#0," in said[1]
    assert "no operator of the query has the LORE id 98; near: " in said[0]
