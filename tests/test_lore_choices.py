"""A choice of operators to dump fails nothing that it does not fit, and holds for the next run."""

import re
from pathlib import Path

import pytest
import reprise as package
from places import SPARK
from pyspark.errors import IllegalArgumentException
from spark_log import warnings_of
from test_dump import reprise

IDS = "spark.reprise.lore.idsToDump"
PATH = "spark.reprise.lore.dumpPath"
PER_QUERY = "spark.reprise.lore.perQuery"
ENDS = "reprise.plugin.QueryEnds"
ROWS = "SELECT id, id * 2 AS twice FROM range(0, 100, 1, 2) WHERE id % 3 = 0"
FAILING = "SELECT 100 / (id - 70) AS v FROM range(0, 100, 1, 2)"


@pytest.fixture
def native(native):
    """With the default of what a test's session sets otherwise: a folder for each query."""
    before = native.conf.get(PER_QUERY)
    native.conf.unset(PER_QUERY)
    yield native
    native.conf.set(PER_QUERY, before)


def choose(spark, ids: str, path: Path) -> None:
    spark.conf.set(IDS, ids)
    spark.conf.set(PATH, str(path))


def dumped(path: Path) -> list[Path]:
    """The folders of operators below a dump path."""
    return sorted(path.glob("query-*/loreId-*"))


@pytest.fixture
def table(native):
    native.sql("CREATE TABLE chosen_from USING parquet AS SELECT id FROM range(2)")
    yield "chosen_from"
    native.sql("DROP TABLE chosen_from")


COMMANDS = {
    "insert": "INSERT INTO chosen_from SELECT id + 1 FROM range(3)",
    "ctas": "CREATE TABLE chosen_made USING parquet AS SELECT id + 1 AS id FROM range(3)",
    "explain": "EXPLAIN SELECT id + 1 FROM range(3)",
    "show": "SHOW TABLES",
    "set": "SET spark.sql.shuffle.partitions=3",
    "view": "CREATE OR REPLACE TEMPORARY VIEW chosen_view AS SELECT id + 1 FROM range(3)",
}


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_commands_take_effect_once_whatever_is_chosen(native, table, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    choose(native, "1[*], 2[*], 3[*]", tmp_path / "dump")
    for command in COMMANDS.values():
        native.sql(command).collect()
    native.range(3).write.mode("overwrite").parquet(str(tmp_path / "written"))
    native.range(3).createOrReplaceTempView("chosen_view")
    native.sql("DROP TABLE chosen_made").collect()
    native.conf.unset(IDS)
    ids = [row.id for row in native.table(table).orderBy("id").collect()]
    assert ids == [0, 1, 1, 2, 3]
    assert native.read.parquet(str(tmp_path / "written")).count() == 3
    assert not native.catalog.tableExists("chosen_made")


def test_a_command_that_is_chosen_is_warned_of_once(native, table, tmp_path):
    choose(native, "1[*]", tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        native.sql("SHOW TBLPROPERTIES chosen_from").collect()
        native.sql("DROP VIEW IF EXISTS chosen_view").collect()
    assert [line for line in said if "was not dumped, because it runs on the driver" in line]
    assert len(said) <= 2
    with warnings_of(native, ENDS) as said:
        native.sql(COMMANDS["insert"]).collect()
    assert len(said) <= 1


def test_keys_are_set_one_after_the_other_in_sql(native, tmp_path):
    for setting in (f"{IDS}=Project#0[*]", f"{PATH}={tmp_path / 'dump'}"):
        native.sql(f"SET {setting}").collect()
    native.sql(ROWS).collect()
    assert len(dumped(tmp_path / "dump")) == 1
    # What is wrong with a key is mended by a command too.
    native.sql(f"SET {IDS}=1x[*]").collect()
    with pytest.raises(Exception, match="idsToDump"):
        native.sql(ROWS).collect()
    native.sql(f"RESET {IDS}").collect()
    native.sql(ROWS).collect()


READS_ITS_FILE = "SELECT length(input_file_name()) + id AS id FROM chosen_other"


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_what_cannot_be_dumped_is_passed_over_or_strictly_refused(
    native, table, tmp_path, adaptive
):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    native.range(3).write.parquet(str(tmp_path / "other"))
    native.read.parquet(str(tmp_path / "other")).createOrReplaceTempView("chosen_other")
    choose(native, "Project#0[*]", tmp_path / "dump")
    native.conf.set("spark.reprise.lore.strict", "true")
    with pytest.raises(Exception, match=r"\(Project\) cannot be dumped because input_file_name"):
        native.sql(f"INSERT OVERWRITE {table} {READS_ITS_FILE}")
    assert native.table(table).count() == 2
    native.conf.set("spark.reprise.lore.strict", "false")
    with warnings_of(native, ENDS) as said:
        native.sql(f"INSERT OVERWRITE {table} {READS_ITS_FILE}")
    (line,) = said
    assert "(Project#0) was not dumped, because input_file_name() or its kin asks" in line
    assert native.table(table).count() == 3
    assert not dumped(tmp_path / "dump")


def test_the_reason_why_nothing_was_dumped_is_the_true_one(native, tmp_path):
    native.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    native.range(20).selectExpr("id % 3 AS k", "id AS v").createOrReplaceTempView("reason")
    grouped = "(SELECT k, sum(v) AS s FROM reason GROUP BY k)"
    twice = f"SELECT a.s FROM {grouped} a JOIN {grouped} b ON a.s = b.s AND a.k = b.k"
    text = native._jvm.reprise.Explain.explain(native.sql(twice)._jdf, "ALL")
    equals = min(
        (int(one), int(other))
        for one, other in re.findall(r"ShuffleExchangeExec> \[loreId=(\d+) .* equals (\d+)\]", text)
    )
    choose(native, f"{equals[0]}[*]", tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        native.sql(twice).collect()
    (line,) = said
    assert f"it did not run: Spark ran its equal {equals[1]} (ShuffleExchange#" in line
    # Of what a failure has kept from running nothing is said.
    failing = "SELECT k, count(*) FROM (SELECT 1 / (v - 5) AS k FROM reason) GROUP BY k ORDER BY k"
    choose(native, "1[*]", tmp_path / "failed")
    with warnings_of(native, ENDS) as said, pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        native.sql(failing).collect()
    assert not said


def test_each_query_has_a_folder_of_its_own(native, tmp_path):
    choose(native, "Project#0[*]", tmp_path / "dump")
    for _ in range(2):
        native.sql(ROWS).collect()
    first, second = dumped(tmp_path / "dump")
    assert first.parent != second.parent
    for folder in (first, second):
        assert reprise("replay", folder).returncode == 0


def test_a_cache_that_is_filled_on_the_way_is_a_query_of_its_own(native, tmp_path):
    cached = native.sql(ROWS).cache()
    choose(native, "Project#0[*]", tmp_path / "dump")
    assert cached.selectExpr("twice + 1 AS more").collect()[1].more == 7
    folders = dumped(tmp_path / "dump")
    assert len(folders) == 2
    assert all(reprise("replay", folder).returncode == 0 for folder in folders)


def test_under_the_documents_name_the_path_must_be_empty(native, tmp_path):
    native.conf.set("spark.rapids.sql.lore.idsToDump", "Project#0[*]")
    native.conf.set("spark.rapids.sql.lore.dumpPath", str(tmp_path / "dump"))
    native.sql(ROWS).collect()
    assert list((tmp_path / "dump").glob("loreId-*"))
    with pytest.raises(Exception, match="must be empty or absent"):
        native.sql(ROWS).collect()


JOIN = """SELECT /*+ BROADCAST(b) */ a.id, 100 / (a.id - {never}) AS v
  FROM range(0, 100, 1, 2) a JOIN range(50) b ON a.id % 50 = b.id"""


@pytest.mark.parametrize("mode", ["execute", "explainOnly"])
def test_healthy_queries_leave_nothing_of_what_only_failures_leave(native, tmp_path, mode):
    native.conf.set("spark.reprise.sql.mode", mode)
    native.conf.set(PER_QUERY, "false")
    native.conf.set("spark.reprise.lore.when", "failure")
    choose(native, ", ".join(f"{i}[*]" for i in range(1, 9)), tmp_path / "dump")
    for never in (1000, 2000):
        assert len(native.sql(JOIN.format(never=never)).collect()) == 100
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        native.sql(JOIN.format(never=70)).collect()
    native.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    folders = list((tmp_path / "dump").glob("loreId-*"))
    assert folders
    assert all(list(folder.glob("*/partition-*")) for folder in folders)


def test_a_healthy_query_makes_no_folder(native, tmp_path):
    native.conf.set("spark.reprise.lore.when", "failure")
    choose(native, "Project#0[*]", tmp_path / "dump")
    native.sql(ROWS).collect()
    native.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    assert not list(tmp_path.glob("dump/*"))


def explained(spark, query: str):
    """A frame of the query that Spark has planned."""
    frame = spark.sql(query)
    assert "Reprise" in frame._jdf.queryExecution().executedPlan().toString()
    return frame


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_keys_hold_for_the_next_run_of_what_explain_has_planned(native, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    frame = explained(native, ROWS)
    choose(native, "Project#0[*], Filter#0[*]", tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        rows = frame.collect()
    assert said == []
    assert [row.twice for row in rows] == [6 * i for i in range(34)]
    folders = dumped(tmp_path / "dump")
    assert len(folders) == 2
    assert all(reprise("replay", folder).returncode == 0 for folder in folders)


def test_keys_hold_below_exchanges_that_explain_has_planned(native, tmp_path):
    native.conf.set("spark.sql.adaptive.enabled", "false")
    frame = explained(native, f"SELECT twice % 7 AS g, count(*) AS n FROM ({ROWS}) GROUP BY 1")
    plain = sorted(native.sql("SELECT 1").collect()) and sorted(frame.collect())
    frame = explained(native, f"SELECT twice % 7 AS g, count(*) AS n FROM ({ROWS}) GROUP BY 1")
    choose(native, "HashAggregate#0[*], HashAggregate#1[*]", tmp_path / "dump")
    assert sorted(frame.collect()) == plain
    folders = dumped(tmp_path / "dump")
    assert len(folders) == 2
    assert all(reprise("replay", folder).returncode == 0 for folder in folders)


def test_a_failure_of_what_explain_has_planned_is_dumped(native, tmp_path):
    frame = explained(native, FAILING)
    native.conf.set("spark.reprise.lore.when", "failure")
    choose(native, "Project#0[*]", tmp_path / "dump")
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        frame.collect()
    (folder,) = dumped(tmp_path / "dump")
    assert list(folder.glob("input-0/partition-1.attempt-*"))


@pytest.mark.parametrize("mode", ["execute", "explainOnly"])
def test_keys_that_come_too_late_are_warned_of(native, tmp_path, mode):
    native.conf.set("spark.reprise.sql.mode", mode)
    frame = native.sql(ROWS)
    if mode == "execute":
        frame.collect()  # Spark keeps the RDD of a plan that has run
    else:
        frame._jdf.queryExecution().executedPlan()
    choose(native, "Project#0[*]", tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        frame.collect()
    if SPARK == "3.5" and mode == "execute":  # which keeps no RDD, so that they are in time
        assert said == []
        assert dumped(tmp_path / "dump")
        return
    (line,) = said
    assert "make the DataFrame again" in line
    assert not dumped(tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        native.sql(ROWS).collect()
    assert said == []
    assert dumped(tmp_path / "dump")


QUERY = "SELECT k % 7 AS g, count(*), max(v) FROM many_keys WHERE v > 100 GROUP BY k % 7 ORDER BY g"


def ids_of(dump) -> list[int]:
    return [operator.id for operator in dump.values()]


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_one_call_dumps_all_that_can_be(native, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    native.conf.set(IDS, "1[*]")
    frame = native.sql(QUERY)
    whole = package.dump(frame, path=tmp_path / "dump")
    assert native.conf.get(IDS) == "1[*]"
    assert [folder.name for folder in (tmp_path / "dump").iterdir()] == [whole.folder.name]
    assert ids_of(whole) == list(range(1, len(whole) + 1))
    assert all(operator.check() for operator in whole.values())
    names = {operator.occurrence for operator in whole.values()}
    assert {"HashAggregate#0", "HashAggregate#1", "ShuffleExchange#0"} <= names

    shown = reprise("show", whole.folder).stdout.splitlines()
    assert len(shown) == len(whole) + 3
    assert shown[0].split()[:4] == ["LORE", "id", "operator", "fingerprint"]

    below = package.dump(frame, "3+", tmp_path / "below")
    assert ids_of(below) == ids_of(whole)[2:]
    aggregates = package.dump(frame, "HashAggregate, Sort#0[]", tmp_path / "aggregates")
    assert {operator.occurrence for operator in aggregates.values()} == {
        "HashAggregate#0",
        "HashAggregate#1",
        "Sort#0",
    }


def test_one_call_says_what_it_lacks(native, tmp_path):
    frame = native.sql(QUERY)
    with pytest.raises(package.Error, match="nothing was dumped of Window"):
        package.dump(frame, "Window", tmp_path / "dump")
    native.conf.unset("spark.reprise.lore.dumpPath")
    with pytest.raises(package.Error, match="there is no path to dump to: give one, or set"):
        package.dump(frame)


def await_listeners(spark) -> None:
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_choice_for_one_query_is_used_up_by_it(native, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    native.conf.set("spark.reprise.lore.once", "true")
    grouped = "SELECT id % 3 AS k, count(*) AS n FROM range(0, 100, 1, 2) GROUP BY 1 ORDER BY 1"
    choose(native, "Sort[*]", tmp_path / "dump")
    native.sql(ROWS).collect()
    assert native.conf.get(IDS) == "Sort[*]", "a query without a sort does not take it"
    frame = native.sql(grouped)
    expected = frame.collect()
    first = dumped(tmp_path / "dump")
    assert first
    assert native.sql(grouped).collect() == expected, "the next, before anybody was told of an end"
    await_listeners(native)
    assert native.conf.get(IDS, "") == ""
    assert frame.collect() == native.sql(grouped).collect() == expected
    assert dumped(tmp_path / "dump") == first
    choose(native, "Sort[*]", tmp_path / "dump")
    native.sql(grouped).collect()
    await_listeners(native)
    assert len(dumped(tmp_path / "dump")) == 2 * len(first), "the same text chooses again"
    native.conf.unset("spark.reprise.lore.once")


def test_a_query_that_fails_uses_its_choice_up(native, tmp_path):
    native.conf.set("spark.sql.ansi.enabled", "true")
    native.conf.set("spark.reprise.lore.once", "true")
    choose(native, "query", tmp_path / "dump")
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        native.sql(FAILING).collect()
    assert len(list((tmp_path / "dump").iterdir())) == 1
    await_listeners(native)
    assert native.conf.get(IDS, "") == ""
    native.conf.unset("spark.reprise.lore.once")


def test_a_stage_that_the_query_does_not_have_is_warned_of(native, tmp_path):
    choose(native, "stage:99", tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        native.sql(ROWS).collect()
    assert [line for line in said if "no operator of the query has the LORE id 99" in line]
    assert not (tmp_path / "dump").exists()
    choose(native, "stage:1", tmp_path / "dump")
    with warnings_of(native, ENDS) as said:
        native.sql(ROWS).collect()
    assert not said
    assert dumped(tmp_path / "dump")


def test_a_path_that_cannot_be_written_to_is_an_error_of_one_line(native, tmp_path):
    (tmp_path / "file").write_text("in the way")
    choose(native, "1[*]", tmp_path / "file")
    with pytest.raises(IllegalArgumentException) as raised:
        native.sql(ROWS).collect()
    (line,) = str(raised.value).splitlines()
    assert line.startswith("spark.reprise.lore.dumpPath: ")
    assert f"{tmp_path}/file/query-" in line
    assert line.endswith("cannot create: Not a directory")
