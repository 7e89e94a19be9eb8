"""Parquet files that the core writes: as Spark's own, read by Spark, DuckDB and pyarrow."""

import math
import re
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from answers import FAILURES, failure_of
from pyspark import InheritableThread
from pyspark.sql import DataFrame, SparkSession
from test_dump import reprise

ENABLED = "spark.reprise.sql.enabled"

EVERY_TYPE = {
    "a_boolean": "id % 2 = 0",
    "a_byte": "cast(id % 100 as tinyint)",
    "a_short": "cast(id as smallint)",
    "an_int": "cast(id * 7919 as int)",
    "a_long": "id * id * 1000003",
    "a_float": "cast(id / 7 as float)",
    "a_double": "cast(id / 3 as double)",
    "a_string": "cast(id as string)",
    "odd_string": "cast(unhex('FFFE') as string)",
    "a_binary": "cast(id as binary)",
    "an_int_decimal": "cast(id - 500 as decimal(9, 2))",
    "a_long_decimal": "cast(500 - id as decimal(18, 3))",
    "a_wide_decimal": "cast(cast(id - 500 as decimal(20, 4)) * 1000000007 as decimal(38, 10))",
    "a_date": "date_add(date'1582-10-01', cast(id * 100 as int))",
    "a_timestamp": "timestamp_micros((id - 500) * 86400000123)",
    "a_timestamp_ntz": "cast(timestamp_micros((id - 500) * 86400000123) as timestamp_ntz)",
    "months": "make_ym_interval(cast(id as int), 3)",
    "days": "make_dt_interval(cast(id as int), 1)",
}


@pytest.fixture
def writes(native) -> SparkSession:
    native.conf.set("spark.sql.ansi.enabled", "false")
    native.conf.set("spark.sql.leafNodeDefaultParallelism", "2")
    return native


def rows(spark: SparkSession, nulls: bool = True) -> DataFrame:
    """Every type that is written; where `nulls` says so, a third of the values are."""

    def column(i: int, name: str) -> str:
        value = EVERY_TYPE[name]
        return f"if((id + {i}) % 3 = 0, null, {value}) as {name}" if nulls else f"{value} as {name}"

    columns = [column(i, name) for i, name in enumerate(EVERY_TYPE)]
    return spark.range(0, 1000, 1, 2).selectExpr("id", *columns)


def explained(spark: SparkSession) -> str:
    """The plan of the last write."""
    execution = spark._jsparkSession.sharedState().statusStore().executionsList()
    return execution.last().physicalPlanDescription()


def write(spark: SparkSession, frame: DataFrame, folder: Path, *, natively=True, **options) -> None:
    """Writes, and checks who has written. Options other than these are the writer's."""
    partitions = options.pop("partition_by", [])
    mode = options.pop("mode", "errorifexists")
    writer = frame.write.mode(mode)
    for key, value in options.items():
        writer = writer.option(key.replace("__", "."), value)
    if partitions:
        writer = writer.partitionBy(*partitions)
    writer.parquet(str(folder))
    if spark.conf.get(ENABLED) == "true":
        assert ("RepriseWriteFiles" in explained(spark)) == natively, explained(spark)
        if mode == "errorifexists":
            assert {by_reprise(path) for path in data_files(folder)} == {natively}


def both(spark: SparkSession, frame_of, folder: Path, **options) -> tuple[Path, Path]:
    """The same written natively and by Spark."""
    write(spark, frame_of(), folder / "native", **options)
    spark.conf.set(ENABLED, "false")
    write(spark, frame_of(), folder / "spark", **options)
    return folder / "native", folder / "spark"


def data_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def shapes(folder: Path) -> list[str]:
    """The files' names without what is different in every write."""
    job = r"-[0-9a-f]{8}-[0-9a-f-]{27}"
    names = (str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return sorted(re.sub(job, "", name) for name in names)


def assert_same_rows(spark: SparkSession, left: Path, right: Path) -> None:
    """Read by Spark alone."""
    assert spark.conf.get(ENABLED) == "false"
    ours, theirs = spark.read.parquet(str(left)), spark.read.parquet(str(right))
    assert ours.schema == theirs.schema
    assert ours.count() == theirs.count()
    assert ours.exceptAll(theirs).count() == 0


def footer_of(path: Path):
    return pq.read_metadata(path)


def by_reprise(path: Path) -> bool:
    return footer_of(path).created_by.startswith("reprise version ")


@pytest.mark.parametrize("nulls", [True, False])
@pytest.mark.parametrize("timestamps", ["INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"])
def test_every_type(writes, tmp_path, timestamps, nulls):
    writes.conf.set("spark.sql.parquet.outputTimestampType", timestamps)
    ours, theirs = both(writes, lambda: rows(writes, nulls=nulls), tmp_path)
    assert shapes(ours) == shapes(theirs)
    assert_same_rows(writes, ours, theirs)
    for left, right in zip(data_files(ours), data_files(theirs), strict=True):
        assert pq.ParquetFile(left).schema.equals(pq.ParquetFile(right).schema)
        assert footer_of(left).metadata == footer_of(right).metadata
        assert pq.read_table(left).equals(pq.read_table(right))
    # DuckDB refuses texts that are none, and needs a module for instants with a zone.
    query = (
        "select * exclude odd_string replace (epoch_us(a_timestamp) as a_timestamp) "
        "from '{}/*.parquet' order by id"
    )
    assert duckdb.sql(query.format(ours)).fetchall() == duckdb.sql(query.format(theirs)).fetchall()


READ_BY_ALL = [name for name in EVERY_TYPE if name != "odd_string"]
NESTED = {
    "numbers": "if(id % 5 = 0, array(), transform(sequence(1, id % 7), i -> nullif(i * id, 3)))",
    "whole": "array(id, id + 1)",
    "texts": "array('a', null, cast(id as string), '')",
    "lists": "array(array(id), array(), null, array(null, id))",
    "a_map": "map_from_arrays(array('k', cast(id as string)), array(id / 7, null))",
    "keys": "map(struct(id as a, date_add(date'1970-01-01', cast(id as int)) as d), array(id))",
    "a_struct": "struct(id as a, if(id % 4 = 1, null, cast(id as string)) as `b.c`, 1S as s)",
    "deep": "array(struct(id as x, map('m', array(struct(id % 3 = 0 as y, id as z))) as m), null)",
    "every": f"struct({', '.join(f'{EVERY_TYPE[name]} as {name}' for name in READ_BY_ALL)})",
    "nans": "array(if(id = 7, double('nan'), cast(id as double)), -0.0d)",
}


def nested_rows(spark: SparkSession) -> DataFrame:
    """Each kind of nesting twice: with rows that are null, and without."""
    columns = [f"{value} as {name}" for name, value in NESTED.items()]
    columns += [f"if(id % 3 = 0, null, {value}) as null_{name}" for name, value in NESTED.items()]
    return spark.range(0, 1000, 1, 2).selectExpr("id", *columns)


@pytest.mark.parametrize("small", [True, False])
def test_nested_columns(writes, tmp_path, small):
    few = {"parquet__page__size": 500, "parquet__page__row__count__limit": 7} if small else {}
    few |= {"parquet__block__size": 40_000} if small else {}
    ours, theirs = both(writes, lambda: nested_rows(writes), tmp_path, **few)
    assert shapes(ours) == shapes(theirs)
    read = [writes.read.parquet(str(folder)) for folder in (ours, theirs)]
    assert read[0].schema == read[1].schema
    texts = [f"cast({name} as string)" for name in read[0].columns]
    answers = [sorted(map(str, frame.selectExpr(*texts).collect())) for frame in read]
    assert answers[0] == answers[1]
    for left, right in zip(data_files(ours), data_files(theirs), strict=True):
        assert pq.ParquetFile(left).schema.equals(pq.ParquetFile(right).schema)
        assert footer_of(left).metadata == footer_of(right).metadata
        tables = [str(pq.read_table(path).to_pylist()) for path in (left, right)]
        assert tables[0] == tables[1]
    query = "select * exclude (every, null_every) from '{}/*.parquet' order by id"
    found = [str(duckdb.sql(query.format(folder)).fetchall()) for folder in (ours, theirs)]
    assert found[0] == found[1]


def test_nested_columns_of_partitions_and_buckets(writes, table):
    columns = ["id % 3 as part", "id % 10 as b", "lists", "a_map", "deep"]
    frame = nested_rows(writes).selectExpr(*columns)
    writer = frame.write.partitionBy("part").bucketBy(4, "b")
    # Of what is within, filters are made too.
    leaf = "lists.list.element.list.element"
    writer.option(f"parquet.bloom.filter.enabled#{leaf}", "true").saveAsTable(table)
    assert "RepriseWriteFiles" in explained(writes)
    (file, *_) = writes.table(table).inputFiles()
    group = footer_of(Path(file.removeprefix("file:"))).row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    with_filters = [one.path_in_schema for one in columns if one.bloom_filter_offset]
    assert with_filters == [leaf]
    writes.conf.set(ENABLED, "false")
    found = sorted(map(str, writes.table(table).select(frame.columns).collect()))
    assert found == sorted(map(str, frame.collect()))


def test_who_has_written_stands_in_the_footer(writes, tmp_path):
    """And so Spark takes timestamps for such as parquet-mr has not written: see differences.md."""
    frame = writes.range(0, 1, 1, 1).selectExpr("timestamp'2024-07-01 12:00:00' as x")
    write(writes, frame, tmp_path / "out")
    (path,) = data_files(tmp_path / "out")
    assert by_reprise(path)
    writes.conf.set(ENABLED, "false")
    writes.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    texts = []
    for converted in ("false", "true"):
        writes.conf.set("spark.sql.parquet.int96TimestampConversion", converted)
        row = writes.read.parquet(str(path)).selectExpr("cast(x as string) as x").first()
        texts.append(row.x)
    assert texts == ["2024-07-01 14:00:00", "2024-07-01 12:00:00"]


def test_decimals_in_the_old_format(writes, tmp_path):
    writes.conf.set("spark.sql.parquet.writeLegacyFormat", "true")
    ours, theirs = both(writes, lambda: rows(writes), tmp_path)
    assert_same_rows(writes, ours, theirs)
    left, right = data_files(ours)[0], data_files(theirs)[0]
    assert pq.ParquetFile(left).schema.equals(pq.ParquetFile(right).schema)
    assert pq.read_table(left).equals(pq.read_table(right))


CODECS = {
    "none": ("UNCOMPRESSED", ".parquet"),
    "snappy": ("SNAPPY", ".snappy.parquet"),
    "gzip": ("GZIP", ".gz.parquet"),
    "zstd": ("ZSTD", ".zstd.parquet"),
    "lz4_raw": ("LZ4", ".lz4raw.parquet"),
}


@pytest.mark.parametrize("codec", CODECS)
def test_codecs(writes, tmp_path, codec):
    name, extension = CODECS[codec]
    ours, theirs = both(writes, lambda: rows(writes), tmp_path, compression=codec)
    assert_same_rows(writes, ours, theirs)
    assert shapes(ours) == shapes(theirs)
    for path in data_files(ours):
        assert path.name.endswith(f"-c000{extension}")
        assert footer_of(path).row_group(0).column(1).compression == name


def test_row_groups_and_pages(writes, tmp_path):
    options = {"parquet__block__size": 200_000, "parquet__page__size": 4096, "compression": "none"}
    frame = writes.range(0, 200_000, 1, 1).selectExpr("id", "uuid() as word")
    frame.write.parquet(str(tmp_path / "source"))
    write(writes, writes.read.parquet(str(tmp_path / "source")), tmp_path / "out", **options)
    (path,) = data_files(tmp_path / "out")
    footer = footer_of(path)
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    assert len(groups) > 10
    assert all(group.total_byte_size < 1_500_000 for group in groups)
    assert sum(group.num_rows for group in groups) == 200_000
    assert all(groups[0].column(i).has_offset_index for i in range(2))
    assert all(groups[0].column(i).has_column_index for i in range(2))


def test_without_dictionaries(writes, tmp_path):
    options = {"parquet__enable__dictionary": "false"}
    write(writes, rows(writes), tmp_path / "out", **options)
    column = footer_of(data_files(tmp_path / "out")[0]).row_group(0).column(1)
    assert not column.has_dictionary_page


def test_statistics_of_numbers_that_are_none(writes, tmp_path):
    """Spark orders NaN last, so that no greatest value may be told beside one."""
    doubles = "case id when 7 then double('NaN') when 8 then -0.0D else cast(id as double) end as x"
    frame = writes.range(0, 100, 1, 1).selectExpr("id", doubles, "cast(id as double) as y")
    write(writes, frame, tmp_path / "out")
    (path,) = data_files(tmp_path / "out")
    group = footer_of(path).row_group(0)
    assert not group.column(1).statistics.has_min_max
    assert group.column(1).statistics.null_count == 0
    assert (group.column(2).statistics.min, group.column(2).statistics.max) == (0.0, 99.0)
    writes.conf.set(ENABLED, "false")
    read = writes.read.parquet(str(path))
    assert [math.isnan(row.x) for row in read.where("x > 1000").collect()] == [True]
    assert read.where("x = 0").count() == 2


def test_zeros_of_either_sign_are_found(writes, tmp_path):
    frame = writes.range(0, 2, 1, 1).selectExpr("if(id = 0, 0.0D, -0.0D) as x")
    write(writes, frame, tmp_path / "out")
    writes.conf.set(ENABLED, "false")
    read = writes.read.parquet(str(tmp_path / "out"))
    assert read.where("x = 0").count() == 2
    assert read.where("x < 0").count() == 0


def test_an_empty_result_has_a_file_with_the_schema(writes, tmp_path):
    ours, theirs = both(writes, lambda: rows(writes).where("id < 0"), tmp_path)
    assert shapes(ours) == shapes(theirs)
    assert_same_rows(writes, ours, theirs)
    assert footer_of(data_files(ours)[0]).num_rows == 0


def test_a_plan_without_partitions(writes, tmp_path):
    empty = writes.createDataFrame([], "a int, b string")
    ours, theirs = both(writes, lambda: empty.where("a > 1"), tmp_path)
    assert shapes(ours) == shapes(theirs)
    assert_same_rows(writes, ours, theirs)


def parts(spark: SparkSession) -> DataFrame:
    """Partition values with a null, an empty text, and what is escaped in paths."""
    words = "element_at(array('x', '', 'a=b/c', null, '%'), cast(id % 5 as int) + 1) as word"
    days = "date_add(date'2024-02-28', cast(id % 3 as int)) as day"
    return spark.range(0, 3000, 1, 2).selectExpr("id", words, "id * 2 as twice", days)


def test_texts_of_partitions_need_no_guest(writes, tmp_path):
    frame = writes.range(0, 100, 1, 2).selectExpr("id", "if(id % 2 = 0, 'x', '') as word")
    write(writes, frame, tmp_path / "written", partition_by=["word"])
    plan = explained(writes)
    assert "RepriseProject" in plan
    assert "Guest" not in plan, plan


def test_partitions(writes, tmp_path):
    options = {"partition_by": ["word", "day"]}
    ours, theirs = both(writes, lambda: parts(writes), tmp_path, **options)
    assert shapes(ours) == shapes(theirs)
    assert_same_rows(writes, ours, theirs)
    for left in data_files(ours):
        assert pq.ParquetFile(left).schema.names == ["id", "twice"]


def test_rows_stay_in_their_order(writes, tmp_path):
    frame = parts(writes).repartition(1).sortWithinPartitions("day", "twice")
    ours, theirs = both(writes, lambda: frame, tmp_path, partition_by=["day"])
    for left, right in zip(data_files(ours), data_files(theirs), strict=True):
        assert pq.ParquetFile(left).read().equals(pq.ParquetFile(right).read())


@pytest.mark.parametrize("partition_by", [[], ["day"]])
def test_a_limit_of_rows_a_file(writes, tmp_path, partition_by):
    options = {"partition_by": partition_by, "maxRecordsPerFile": 300}
    ours, theirs = both(writes, lambda: parts(writes), tmp_path, **options)
    assert shapes(ours) == shapes(theirs)
    assert len(data_files(ours)) == (10 if not partition_by else 12)
    assert_same_rows(writes, ours, theirs)
    assert max(footer_of(path).num_rows for path in data_files(ours)) == 300


@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_overwriting(writes, tmp_path, mode):
    writes.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
    new = parts(writes).where("day > date'2024-02-28'").selectExpr("-id as id", "twice", "day")
    for side, enabled in (("native", "true"), ("spark", "false")):
        writes.conf.set(ENABLED, "false")
        parts(writes).drop("word").write.partitionBy("day").parquet(str(tmp_path / side))
        writes.conf.set(ENABLED, enabled)
        write(writes, new, tmp_path / side, mode="overwrite", partition_by=["day"])
    assert shapes(tmp_path / "native") == shapes(tmp_path / "spark")
    assert_same_rows(writes, tmp_path / "native", tmp_path / "spark")
    days = {path.parent.name for path in data_files(tmp_path / "native")}
    assert len(days) == (3 if mode == "dynamic" else 2)


@pytest.fixture
def table(writes):
    yield "written"
    writes.sql("drop table if exists written")
    writes.sql("drop table if exists written_by_spark")


def test_create_table_as_select_and_insert(writes, table):
    def make(name: str) -> None:
        select = "select id, cast(id as string) as word, id % 3 as part from range(0, 100, 1, 2)"
        writes.sql(f"create table {name} using parquet partitioned by (part) as {select}")
        writes.sql(f"insert into {name} partition (part) select id + 100, 'x', 7 from range(5)")
        writes.sql(f"insert into {name} partition (part = 8) select id + 200, 'y' from range(5)")
        writes.sql(f"insert into {name} values (1000, null, 9)")

    make(table)
    assert "RepriseWriteFiles" in explained(writes)
    writes.conf.set(ENABLED, "false")
    make("written_by_spark")
    ours, theirs = writes.table(table), writes.table("written_by_spark")
    assert ours.count() == theirs.count() == 111
    assert ours.exceptAll(theirs).count() == 0
    names = (table, "written_by_spark")
    listed = [writes.sql(f"show partitions {name}").collect() for name in names]
    assert listed[0] == listed[1]


def test_insert_into_a_partition_elsewhere(writes, table, tmp_path):
    writes.sql(f"create table {table} (id bigint, part int) using parquet partitioned by (part)")
    place = tmp_path / "elsewhere"
    writes.sql(f"alter table {table} add partition (part = 1) location '{place}'")
    writes.sql(f"insert into {table} partition (part) select id, 1 from range(10)")
    assert all(by_reprise(path) for path in data_files(place))
    assert sum(footer_of(path).num_rows for path in data_files(place)) == 10
    assert writes.table(table).count() == 10


def metrics_of_last_write(spark: SparkSession) -> dict[str, str]:
    """The figures of the command and of the node below it, by their labels."""
    store = spark._jsparkSession.sharedState().statusStore()
    execution = store.executionsList().last()
    values = store.executionMetrics(execution.executionId())
    found = {}
    metrics = execution.metrics()
    for i in range(metrics.size()):
        metric = metrics.apply(i)
        value = values.get(metric.accumulatorId())
        if value.isDefined():
            found.setdefault(metric.name(), value.get())
    return found


def test_figures(writes, tmp_path):
    frame = parts(writes)
    write(writes, frame, tmp_path / "out", partition_by=["day"])
    figures = metrics_of_last_write(writes)
    files = data_files(tmp_path / "out")
    assert figures["number of written files"] == str(len(files)) == "6"
    assert figures["number of output rows"] == "3,000"
    assert figures["number of dynamic part"] == "3"
    assert figures["files written"] == "6"


def failing(spark: SparkSession) -> DataFrame:
    """An error in the last of its rows, of the second partition."""
    spark.conf.set("spark.sql.ansi.enabled", "true")
    return spark.range(0, 200_000, 1, 2).selectExpr("id", "1 div (199999 - id) as y")


@pytest.mark.parametrize("partition_by", [[], ["part"]])
def test_a_failing_task_leaves_nothing(writes, tmp_path, partition_by):
    frame = failing(writes).selectExpr("*", "id % 2 as part")
    out = tmp_path / "out"
    with pytest.raises(FAILURES, match="DIVIDE_BY_ZERO"):
        write(writes, frame, out, partition_by=partition_by, maxRecordsPerFile=1000)
    assert not out.exists() or not [path for path in out.rglob("*") if path.is_file()]


def test_what_was_there_stays_after_a_failed_append(writes, tmp_path):
    out = tmp_path / "out"
    writes.range(0, 10, 1, 1).selectExpr("id", "id as y").write.parquet(str(out))
    before = shapes(out)
    with pytest.raises(FAILURES, match="DIVIDE_BY_ZERO"):
        write(writes, failing(writes), out, mode="append")
    assert [name for name in shapes(out) if "_SUCCESS" not in name] == [
        name for name in before if "_SUCCESS" not in name
    ]


@pytest.mark.parametrize("what", ["query", "file system"])
def test_an_error_is_sparks(writes, tmp_path, what):
    """An error of the query as it is, one of the file system with the file's name around it."""
    frame = failing(writes)
    if what == "file system":
        # No file system of this machine takes such a name.
        frame = writes.range(10).selectExpr("id", "repeat('x', 300) as part")
    failures = []
    for enabled in ("true", "false"):
        writes.conf.set(ENABLED, enabled)
        with pytest.raises(FAILURES) as raised:
            writer = frame.write if what == "query" else frame.write.partitionBy("part")
            writer.parquet(str(tmp_path / enabled))
        failures.append(failure_of(raised.value))
    ours, theirs = failures
    assert (ours.error, ours.state) == (theirs.error, theirs.state)
    assert ours.error == ("DIVIDE_BY_ZERO" if what == "query" else "TASK_WRITE_FAILED")


def test_a_killed_write_leaves_nothing(writes, tmp_path):
    out = tmp_path / "out"
    frame = writes.range(0, 10**10, 1, 2).selectExpr("id", "id % 1000 as x")
    failures = []

    def run() -> None:
        writes.sparkContext.setJobGroup("to be killed", "a write", interruptOnCancel=True)
        try:
            frame.write.option("maxRecordsPerFile", 1_000_000).parquet(str(out))
        except FAILURES as error:
            failures.append(error)

    thread = InheritableThread(run)
    thread.start()
    until(lambda: len(list(out.rglob("part-*.parquet"))) > 4)
    writes.sparkContext.cancelJobGroup("to be killed")
    thread.join(60)
    assert len(failures) == 1
    until(lambda: not [path for path in out.rglob("*") if path.is_file()])


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.05)


def test_short_of_memory(writes, tmp_path):
    """Row groups end before they are full, and nothing is lost."""
    writes.conf.set("spark.reprise.memory.denyEvery", "1")
    writes.conf.set("spark.reprise.memory.debug", "true")
    frame = writes.range(0, 400_000, 1, 1).selectExpr("id", "cast(id * 7919 as string) as word")
    write(writes, frame, tmp_path / "out", compression="none")
    writes.conf.set(ENABLED, "false")
    read = writes.read.parquet(str(tmp_path / "out"))
    assert read.exceptAll(frame).count() == 0
    assert read.count() == 400_000


def test_what_was_written_can_be_dumped(writes, tmp_path):
    writes.conf.set("spark.reprise.lore.idsToDump", "2[*]")
    writes.conf.set("spark.reprise.lore.dumpPath", str(tmp_path / "dump"))
    write(writes, parts(writes), tmp_path / "out", partition_by=["day"])
    writes.conf.set("spark.reprise.lore.idsToDump", "")
    result = reprise("replay", tmp_path / "dump" / "loreId-2")
    assert "As recorded." in result.stdout, result.stdout + result.stderr


LEFT_TO_SPARK = {
    "variant": ("parse_json('1') as x", {}, {}),
    "nested in the old format": ("array(id) as x", {"writeLegacyFormat": "true"}, {}),
    "bloom filter": ("id as x", {}, {"parquet__bloom__filter__adaptive__enabled": "true"}),
    "lz4": ("id as x", {}, {"compression": "lz4"}),
    "second version": ("id as x", {}, {"parquet__writer__version": "PARQUET_2_0"}),
    "rebase": ("date'1500-01-01' as x", {"datetimeRebaseModeInWrite": "LEGACY"}, {}),
    "rebase of int96": ("now() as x", {"int96RebaseModeInWrite": "EXCEPTION"}, {}),
}


@pytest.mark.parametrize("what", LEFT_TO_SPARK)
def test_what_is_left_to_spark(writes, tmp_path, what):
    column, settings, options = LEFT_TO_SPARK[what]
    for key, value in settings.items():
        writes.conf.set(f"spark.sql.parquet.{key}", value)
    frame = writes.range(10).selectExpr("id", column)
    write(writes, frame, tmp_path / "out", natively=False, **options)
    assert writes.read.parquet(str(tmp_path / "out")).count() == 10


@pytest.mark.parametrize("partition_by", [[], ["part"]])
@pytest.mark.parametrize("sort_by", [[], ["word"]])
def test_buckets(writes, table, partition_by, sort_by):
    """As Spark divides them, so that it reads them as buckets."""
    frame = writes.range(0, 5000, 1, 3).selectExpr(
        "id", "if(id % 7 = 0, null, cast(id % 50 as string)) as word", "id % 3 as part"
    )

    def make(name: str) -> Path:
        writer = frame.write.bucketBy(4, "word", "id")
        writer = writer.sortBy(*sort_by) if sort_by else writer
        writer = writer.partitionBy(*partition_by) if partition_by else writer
        writer.option("maxRecordsPerFile", 400).saveAsTable(name)
        return Path(writes.conf.get("spark.sql.warehouse.dir").removeprefix("file:")) / name

    ours = make(table)
    assert all(by_reprise(path) for path in data_files(ours))
    writes.conf.set(ENABLED, "false")
    theirs = make("written_by_spark")
    assert shapes(ours) == shapes(theirs)
    left, right = writes.table(table), writes.table("written_by_spark")
    assert left.count() == right.count() == 5000
    assert left.exceptAll(right).count() == 0
    counted = [pq.ParquetFile(path).metadata.num_rows for path in data_files(ours)]
    assert counted == [pq.ParquetFile(path).metadata.num_rows for path in data_files(theirs)]
    query = "select count(*) from {0} a join {0} b on a.word = b.word and a.id = b.id"
    plan = writes.sql(query.format(table))
    assert plan.first()[0] == right.where("word is not null").count()


def test_bloom_filters(writes, tmp_path):
    options = {
        "parquet__bloom__filter__enabled#id": "true",
        "parquet__bloom__filter__expected__ndv#id": "3000",
        "parquet__bloom__filter__enabled#word": "true",
        "parquet__bloom__filter__max__bytes": "65536",
    }

    def frame() -> DataFrame:
        return writes.range(0, 6000, 2, 1).selectExpr("id", "cast(id as string) as word", "1 as x")

    ours, theirs = both(writes, frame, tmp_path, **options)
    assert_same_rows(writes, ours, theirs)
    sizes = []
    for folder in (ours, theirs):
        (path,) = data_files(folder)
        columns = [footer_of(path).row_group(0).column(i) for i in range(3)]
        sizes.append([column.bloom_filter_length for column in columns])
        assert columns[0].bloom_filter_offset is not None
        query = f"select count(*) from parquet_metadata('{path}') where bloom_filter_length > 0"
        assert duckdb.sql(query).fetchone() == (2,)
        for value, there in ((1000, 1), (1001, 0)):
            read = writes.read.parquet(str(path))
            assert read.where(f"id = {value}").count() == there
            assert read.where(f"word = '{value}'").count() == there
            query = f"select count(*) from '{path}' where id = {value}"
            assert duckdb.sql(query).fetchone() == (there,)
    assert [of_side[2] for of_side in sizes] == [None, None]
