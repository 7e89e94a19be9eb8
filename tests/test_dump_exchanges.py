"""Exchanges are dumped with the partition that each row goes to, and replay on both engines."""

import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException
from spark_replays import EXCHANGES, on_spark, problem_on_spark
from test_dump import reprise
from whole_dumps import Dump, dump_all, natively, rows_of

# Nulls among the keys and equal rows; three partitions read, five written.
ROWS = "(SELECT if(id % 11 = 0, null, id * 7919 % 53) AS k, id % 3 AS v FROM range(0, 900, 1, 3))"
DIVIDED = {
    "hash": f"SELECT /*+ REPARTITION(5, k) */ k, v FROM {ROWS}",
    "hash of an expression": f"SELECT k % 7 AS m, collect_set(v) FROM {ROWS} GROUP BY k % 7",
    "range": f"SELECT /*+ REPARTITION_BY_RANGE(5, k) */ k, v FROM {ROWS}",
    "order": f"SELECT k, v FROM {ROWS} ORDER BY k DESC NULLS FIRST, v",
    "round robin": f"SELECT /*+ REPARTITION(5) */ k, v FROM {ROWS}",
    "single": f"SELECT count(k), sum(v) FROM {ROWS}",
}
ENGINES = {"natively": "execute", "by Spark": "explainOnly"}


def shuffles(dumps: dict[int, Dump]) -> list[Dump]:
    return [dump for dump in dumps.values() if dump.name.endswith("ShuffleExchange")]


def divided(dump: Dump) -> Counter:
    """How many rows with these values go to this partition, of all tasks."""
    rows = Counter()
    for path in sorted(Path(dump.folder, "output").glob("partition-*/*.parquet")):
        rows.update(zip(*pq.read_table(path).to_pydict().values(), strict=True))
    return rows


def given(dump: Dump) -> Counter:
    """The same of what it read, without the partition."""
    rows = Counter()
    for path in sorted(Path(dump.folder, "input-0").glob("partition-*/*.parquet")):
        rows.update(zip(*pq.read_table(path).to_pydict().values(), strict=True))
    return rows


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", DIVIDED)
def test_a_shuffle_replays_with_its_partitions(native, tmp_path, kind, engine, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    native.conf.set("spark.sql.shuffle.partitions", "5")
    native.conf.set("spark.reprise.sql.mode", ENGINES[engine])
    expected = rows_of(native, DIVIDED[kind])
    rows, dumps = dump_all(native, DIVIDED[kind], tmp_path / "dump")
    assert rows == expected
    found = shuffles(dumps)
    assert found
    assert all(dump.is_native for dump in found)
    # Some sets of values are Spark's: those of Scala 2.12 have an order of their own.
    ours = [dump for dump in dumps.values() if dump.is_native and not dump.needs_spark]
    wrong = natively(dump.folder for dump in ours)
    assert not wrong, wrong
    for dump in found:
        problem = problem_on_spark(native, dump.folder)
        assert problem == "", problem
        columns = [field["name"] for field in dump.plan["operator"]["output"]]
        assert columns[-1] == "spark_partition_id"
        without = Counter()
        for (*values, _), count in divided(dump).items():
            without[tuple(values)] += count
        assert without == given(dump)


def test_rows_go_where_spark_says(native, tmp_path):
    """The record of either engine beside what Spark itself says of the shuffled rows."""
    native.conf.set("spark.sql.adaptive.enabled", "false")
    query = f"SELECT k, v, spark_partition_id() FROM ({DIVIDED['hash']})"
    native.conf.set("spark.reprise.sql.enabled", "false")
    expected = Counter(tuple(row) for row in native.sql(query).collect())
    native.conf.set("spark.reprise.sql.enabled", "true")
    for engine, mode in ENGINES.items():
        native.conf.set("spark.reprise.sql.mode", mode)
        _, dumps = dump_all(native, DIVIDED["hash"], tmp_path / engine)
        (dump,) = shuffles(dumps)
        assert divided(dump) == expected, engine


def test_a_row_in_another_partition_is_found(native, tmp_path):
    """A shuffle that divides by another number of partitions, and what `show --sql` says of it."""
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    _, dumps = dump_all(native, DIVIDED["hash"], tmp_path / "dump")
    (dump,) = shuffles(dumps)
    shown = reprise("show", dump.folder, "--sql")
    assert "pmod(hash(" in shown.stdout, shown.stdout + shown.stderr
    _, dumps = dump_all(native, DIVIDED["hash"].replace("(5, k)", "(4, k)"), tmp_path / "other")
    (four,) = shuffles(dumps)
    result = reprise("replay", four.folder, "--compare", dump.folder)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "spark_partition_id" in result.stdout


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_broadcast_of_sparks_replays_on_spark(native, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    query = f"SELECT /*+ BROADCAST(b) */ a.k, b.v FROM {ROWS} a JOIN {ROWS} b ON a.k = b.k"
    expected = rows_of(native, query)
    rows, dumps = dump_all(native, query, tmp_path / "dump")
    assert rows == expected
    (dump,) = (dump for dump in dumps.values() if dump.name == "BroadcastExchange")
    assert dump.rows("output") > 0
    assert problem_on_spark(native, dump.folder) == ""
    join = next(dump for dump in dumps.values() if dump.name == "BroadcastHashJoin")
    assert dump.rows("output") in (join.rows("input-0"), join.rows("input-1"))


def test_the_core_replays_what_spark_scanned_and_took_the_first_of(native, tmp_path):
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    query = "SELECT o_orderkey, o_totalprice FROM orders ORDER BY o_totalprice, o_orderkey LIMIT 7"
    _, dumps = dump_all(native, query, tmp_path / "dump")
    by_name = {dump.name: dump for dump in dumps.values()}
    for name in ("FileSourceScan", "TakeOrderedAndProject"):
        dump = by_name[name]
        assert dump.is_native, name
        result = reprise("replay", dump.folder, "--json")
        assert result.returncode == 0, result.stdout + result.stderr
        report = json.loads(result.stdout)
        rows = sum(partition["output"]["rows"] for partition in report["partitions"])
        assert rows == dump.rows("output") > 0
        assert problem_on_spark(native, dump.folder) == ""
    # Which row groups a filter leaves out each engine decides for itself.
    query = "SELECT sum(o_totalprice) FROM orders WHERE o_orderkey > 1000"
    _, dumps = dump_all(native, query, tmp_path / "filtered")
    (scan,) = (dump for dump in dumps.values() if dump.name == "FileSourceScan")
    assert not scan.is_native
    assert problem_on_spark(native, scan.folder) == ""


def test_what_spark_would_divide_otherwise_is_refused(native, tmp_path):
    _, dumps = dump_all(native, DIVIDED["range"], tmp_path / "dump")
    (dump,) = shuffles(dumps)
    with pytest.raises((Py4JJavaError, CapturedException), match=EXCHANGES[0]):
        on_spark(native, dump.folder)
