"""The Python package as a user has it: installed from its wheel, over a running query's dump."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import reprise
from answers import arrow_of
from operators import native_operators
from places import ROOT
from whole_dumps import dump_all

QUERY = """SELECT k % 7 AS g, sum(CAST(v AS DECIMAL(12, 2))) AS total, count(*) AS n, max(s) AS s
           FROM many_keys WHERE v > 100 GROUP BY k % 7"""
LOG = ROOT / "tests" / "eventlogs" / "spark-4.1.3.zstd"


@pytest.fixture(scope="module")
def dump(spark, with_plugin, tmp_path_factory):
    """The dump of every native operator of QUERY that has an input, and the query's answer."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    path = tmp_path_factory.mktemp("python") / "dump"
    spark.conf.set("spark.reprise.sql.enabled", "true")
    frame = spark.sql(QUERY)
    frame.collect()
    found = {operator.lore_id: operator.name for operator in native_operators(frame)}
    names = ("RepriseFilter", "RepriseHashAggregate", "RepriseProject", "RepriseParquetScan")
    ids = [lore_id for lore_id, name in sorted(found.items()) if name in names]
    spark.conf.set("spark.reprise.lore.idsToDump", ", ".join(f"{number}[*]" for number in ids))
    spark.conf.set("spark.reprise.lore.dumpPath", str(path))
    try:
        answer = arrow_of(spark.sql(QUERY))
    finally:
        spark.conf.unset("spark.reprise.lore.idsToDump")
        spark.conf.unset("spark.reprise.lore.dumpPath")
        spark.conf.set("spark.reprise.sql.enabled", "false")
    opened = reprise.open(path)
    assert list(opened) == ids
    return opened, answer


def the(dump: reprise.Dump, name: str, occurrence: int = 0) -> reprise.Operator:
    return [operator for operator in dump.values() if operator.name == name][occurrence]


def rows(table: pa.Table) -> list[tuple]:
    """The rows as a multiset, whatever the columns are called."""
    return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True), key=repr)


def test_what_is_replayed_is_what_spark_computed(dump):
    opened, answer = dump
    aggregates = [o for o in opened.values() if o.name == "RepriseHashAggregate"]
    final = next(o for o in aggregates if rows(o.output()) == rows(answer))
    assert rows(final.replay()) == rows(answer)
    assert final.check(ordered=True)


def test_every_operator_replays_as_recorded(dump):
    opened, _ = dump
    for operator in opened.values():
        report = operator.check()
        assert report.holds, f"{operator}\n{report}"
        assert [part["partition"] for part in report.partitions] == operator.partitions
        assert operator.replay().equals(operator.replay()), "two replays are equal to the bit"


def test_inputs_are_arrow_for_whoever_reads_that(dump):
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    read = operator.input(0)
    assert isinstance(read, pa.Table)
    kept = duckdb.sql("SELECT count(*) FROM read WHERE v > 100").fetchall()[0][0]
    assert operator.replay().num_rows == operator.output().num_rows == kept < read.num_rows
    first = operator.partitions[0]
    assert (
        operator.input(partition=first).num_rows == operator.check(first).partitions[0]["inputRows"]
    )
    assert sum(operator.output(partition=p).num_rows for p in operator.partitions) == kept


NESTED = """SELECT k % 5 AS g, array_sort(collect_set(v % 7)) AS a,
  map_from_entries(array_sort(collect_set(struct(CAST(v % 3 AS STRING) AS m, v % 2 AS n))))
    AS m, named_struct('s', max(s), 'd', CAST(sum(v) AS DECIMAL(30, 2)), 'none',
    CAST(NULL AS INT), 'days', array(DATE '2020-01-01', NULL), 'on', max(v) > 5) AS st
  FROM many_keys GROUP BY k % 5"""


def test_nested_values_are_nested(spark, dump, tmp_path):
    """What a row-based operator of Spark's put out is what Spark itself gives as Arrow."""
    spark.conf.set("spark.reprise.sql.enabled", "true")
    spark.conf.set("spark.sql.mapKeyDedupPolicy", "LAST_WIN")
    spark.conf.set("spark.reprise.lore.idsToDump", "ObjectHashAggregate#0[*]")
    spark.conf.set("spark.reprise.lore.dumpPath", str(tmp_path / "dump"))
    try:
        answer = arrow_of(spark.sql(NESTED))
    finally:
        for key in ("spark.reprise.lore.idsToDump", "spark.reprise.lore.dumpPath"):
            spark.conf.unset(key)
        spark.conf.unset("spark.sql.mapKeyDedupPolicy")
        spark.conf.set("spark.reprise.sql.enabled", "false")
    (operator,) = reprise.open(tmp_path / "dump").values()
    assert rows(operator.output()) == rows(answer)
    assert pa.types.is_map(operator.output().schema.field("m").type)


def test_options_of_a_replay(dump, tmp_path):
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    report = operator.check(
        repeat=2, assertion="v > 500", out=tmp_path / "rows.parquet", profile=tmp_path / "p.html"
    )
    assert not report.holds
    failing = sum(part["assertion"]["failing"] for part in report.partitions)
    assert failing == sum(not (v > 500) for v in operator.output()["v"].to_pylist())
    assert all(len(part["runs"]) == 2 for part in report.partitions)
    assert pq.read_table(tmp_path / "rows.parquet").num_rows == operator.output().num_rows
    assert "<html" in (tmp_path / "p.html").read_text()
    assert operator.check(compare=operator)
    assert "NOT as recorded." in str(report)


def test_errors_name_what_is_wrong(dump, tmp_path):
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    with pytest.raises(reprise.Error, match=r"has 1 input, counted from 0; there is no input-3"):
        operator.input(3)
    with pytest.raises(reprise.Error, match=r"an attempt is read of one partition"):
        operator.input(attempt=1)
    with pytest.raises(reprise.Error, match="nowhere is not a folder"):
        reprise.open(tmp_path / "nowhere")
    with pytest.raises(reprise.Error, match=r"no column .*nothing|nothing"):
        operator.check(assertion="nothing > 1")
    with pytest.raises(ValueError, match="repeat must be at least 1"):
        operator.check(repeat=0)
    with pytest.raises(KeyError, match="has no operator 999"):
        opened[999]
    with pytest.raises(reprise.Error, match="choose one, as in"):
        opened.replay()
    with pytest.raises(reprise.Error, match="unpack"):
        reprise.open(operator.folder / "plan.meta")


def test_a_damaged_dump_is_never_taken_for_whole(dump, tmp_path):
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    copy = tmp_path / operator.folder.name
    subprocess.run(["cp", "-r", operator.folder, copy], check=True)
    victim = next((copy / "input-0").glob("partition-*/batch-0.*"))
    victim.write_bytes(victim.read_bytes()[:-7])
    damaged = reprise.open(copy)
    with pytest.raises(reprise.Error, match=victim.name) as raised:
        damaged.input(0)
    assert type(raised.value) is reprise.Error
    with pytest.raises(reprise.Error, match=victim.name):
        damaged.replay()


def test_a_record_that_is_missing_is_no_end_of_the_rows(native, tmp_path):
    """Of a union in explainOnly, whose inputs have partitions of their own."""
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    query = """SELECT id FROM range(0, 7, 1, 2) UNION ALL SELECT id + 7 FROM range(0, 7, 1, 2)"""
    _, dumps = dump_all(native, query, tmp_path / "dump")
    folder = next(kept.folder for kept in dumps.values() if kept.name == "Union")
    union = reprise.open(folder)
    assert [len(union.input(number)) for number in (0, 1)] == [7, 7]
    aside = folder / "input-1" / "partition-1.attempt-999"
    (folder / "input-1" / "partition-1").rename(aside)
    with pytest.raises(reprise.Error, match="partition 1 of input-1 has no whole record"):
        reprise.open(folder).input(1)
    shutil.rmtree(aside)
    with pytest.raises(reprise.Error, match="partition 1 of input-1 has no whole record"):
        reprise.open(folder).input(1)
    assert len(reprise.open(folder).input(1, partition=0)) == 3


def test_paths_need_not_be_utf8(dump, tmp_path):
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    folder = odd / "dump" / operator.folder.name
    shutil.copytree(operator.folder, folder)
    copy = reprise.open(folder)
    assert copy.check(out=odd / "out.parquet").holds
    assert pq.read_table(pa.OSFile(os.fsencode(odd / "out.parquet"))).num_rows == len(
        operator.output()
    )
    assert list(reprise.open(folder.parent)) == [operator.id]
    with pytest.raises(reprise.Error, match="nowhere is not a folder") as raised:
        reprise.open(odd / "nowhere")
    assert os.fsencode(odd) in os.fsencode(str(raised.value))


class Enough(Exception):
    """What a signal handler of the user's raises."""


def stop(_signal: int, _frame: object) -> None:
    raise Enough


@pytest.mark.parametrize(
    ("handler", "raised"), [(stop, Enough), (signal.default_int_handler, KeyboardInterrupt)]
)
def test_a_signal_ends_any_of_many_runs(dump, handler, raised):
    """What its handler raises leaves the replay as it is."""
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    before = signal.signal(signal.SIGALRM, handler)
    try:
        for options in ({"repeat": 1_000_000}, {"warmup": 1_000_000}):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(raised):
                operator.check(**options)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_during_a_replay(dump):
    opened, _ = dump
    operator = the(opened, "RepriseFilter")
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(operator.check(repeat=3).holds))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [True] * 4


# Beside the Python that the package is installed for: .venv/bin/reprise.
OWN_PROGRAM = Path(reprise.__file__).parents[4] / "bin" / "reprise"


def test_the_wheel_stands_alone(dump, tmp_path):
    """What needs no Spark imports none; the program and the jar come with the package."""
    opened, _ = dump
    folder = the(opened, "RepriseFilter").folder
    code = f"""
import sys, reprise
assert reprise.open({str(folder)!r}).replay().num_rows > 0
assert "pyspark" not in sys.modules
assert "site-packages" in reprise.__file__, reprise.__file__
print(*reprise.jars())
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    plugin, native = map(Path, ended.stdout.split())
    assert plugin.stat().st_size > 1_000_000
    assert native.name == "reprise-native-linux-x86_64.jar"
    shown = subprocess.run(
        [OWN_PROGRAM, "show", folder, "--json"], capture_output=True, text=True, check=True, env={}
    )
    assert json.loads(shown.stdout)["operators"][0]["folder"] == str(folder)


def test_the_program_finds_the_jars_of_the_package(dump):
    opened, _ = dump
    folder = the(opened, "RepriseFilter").folder
    command = [OWN_PROGRAM, "replay", "--engine", "spark", "--json", folder]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["verdict"] == "equal"


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None  # an import fails
import reprise
dump = reprise.open({folder!r})
rows = dump.output(), dump.replay()
assert [type(some) for some in rows] == [reprise.Rows, reprise.Rows]
del sys.modules["pyarrow"]
import pyarrow as pa
import pyarrow.parquet as pq
for at, some in enumerate(rows):
    pq.write_table(pa.RecordBatchReader.from_stream(some).read_all(), f"{to}/{{at}}.parquet")
loaded = {{line.split("/")[-1].strip() for line in open("/proc/self/maps")}}
print(*(name for name in loaded if name.startswith(("libarrow.so", "reparrow.so"))))
"""


def test_pyarrow_is_not_needed(dump, tmp_path):
    """Without it rows are a stream; beside it are two Arrows in the process."""
    opened, _ = dump
    operator = [o for o in opened.values() if o.name == "RepriseHashAggregate"][-1]
    code = WITHOUT_PYARROW.format(folder=str(operator.folder), to=str(tmp_path))
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    names = ended.stdout.split()
    assert len(names) == 2 and any(name.startswith("reparrow") for name in names), ended.stderr
    for at in range(2):
        assert rows(pq.read_table(tmp_path / f"{at}.parquet")) == rows(operator.output())


def test_decimals_within_others_are_wide_too(spark, dump, tmp_path):
    """What pyarrow before 19 is given of nested values; their offsets and nulls hold."""
    spark.conf.set("spark.reprise.sql.enabled", "true")
    spark.conf.set("spark.reprise.lore.idsToDump", "ObjectHashAggregate#0[*]")
    spark.conf.set("spark.reprise.lore.dumpPath", str(tmp_path / "dump"))
    frame = spark.sql(
        """SELECT k % 3 AS g, array_sort(collect_set(CAST(v % 5 - 2 AS DECIMAL(9, 2)))) AS a,
             named_struct('d', CAST(-sum(v) AS DECIMAL(18, 1)), 'none', CAST(NULL AS DECIMAL(5, 2)))
               AS s,
             map(CAST(1 AS DECIMAL(4, 1)), array(CAST(max(v) AS DECIMAL(12, 2)), NULL)) AS m
           FROM many_keys GROUP BY k % 3"""
    )
    try:
        answer = arrow_of(frame)
    finally:
        for key in ("spark.reprise.lore.idsToDump", "spark.reprise.lore.dumpPath"):
            spark.conf.unset(key)
        spark.conf.set("spark.reprise.sql.enabled", "false")
    (operator,) = reprise.open(tmp_path / "dump").values()
    code = WITHOUT_PYARROW.format(folder=str(operator.folder), to=str(tmp_path)).replace(
        "dump.output(), dump.replay()", "dump.output(), dump.output()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    read = pq.read_table(tmp_path / "0.parquet")
    assert rows(read) == rows(answer)
    assert "decimal64" in str(operator.output().schema) and "decimal64" not in str(read.schema)


def test_event_logs(tmp_path):
    log = reprise.event_log(LOG)
    picture = log.lineage()
    assert "<svg" in picture._repr_svg_()
    picture.save(tmp_path / "lineage.svg")
    assert (tmp_path / "lineage.svg").read_text() == picture.svg
    assert len(log.lineage(stage=0).svg) < len(picture.svg)
    assert log.rdds() and log.stages() and log.tasks()
    with pytest.raises(reprise.Error, match="nowhere"):
        reprise.event_log(tmp_path / "nowhere").stages()
    with pytest.raises(ValueError, match=r"ending in \.svg"):
        picture.save(tmp_path / "lineage.png")


def test_a_session_has_the_plug_in(tmp_path):
    """In a process of its own: a plug-in starts with its application."""
    code = f"""
import reprise
spark = reprise.session(master="local[2]", **{{"spark.ui.enabled": False,
    "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
    "spark.reprise.lore.idsToDump": "Project#0[*]", "spark.reprise.lore.perQuery": "false",
    "spark.reprise.lore.dumpPath": {str(tmp_path / "dump")!r}}})
print(sum(row.twice for row in spark.range(100).selectExpr("id * 2 AS twice").collect()))
print(reprise.open({str(tmp_path / "dump")!r}).replay()["twice"].to_numpy().sum())
"""
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.stdout.split() == ["9900", "9900"], ended.stderr
