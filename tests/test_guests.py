"""Guests: what Spark evaluates inside native pipelines, and in the dumps of these."""

import json

import pytest
import spark_replays
from operators import lore_id, plan_text
from pyspark.sql.functions import expr
from pyspark.sql.types import LongType
from test_dump import dump, reprise, run

QUERY = (
    "SELECT k, sum(length(initcap(s))), count(*) FROM many_keys "
    "WHERE v > 100 AND bit_count(v) > 3 GROUP BY k"
)


JOINED = (
    "SELECT /*+ {hint}(b) */ a.v, b.m FROM many_keys a "
    "JOIN many_keys b ON overlay(a.s, '.', 1, 0) = overlay(b.s, '.', 1, 0) "
    "AND a.v = b.v AND a.k > b.k"
)
NAMED = [
    (QUERY, "RepriseFilter", ""),
    (QUERY, "RepriseHashAggregate", "partial_sum"),
    (JOINED.format(hint="SHUFFLE_HASH"), "RepriseShuffledHashJoin", "overlay"),
    ("SELECT v FROM many_keys SORT BY bit_count(xxhash64(s)), v", "RepriseSort", "bitwisecount"),
]


def dumped(spark, path, query: str, name: str, containing: str):
    number = lore_id(run(spark, query), name, containing)
    dump(spark, path, f"{number}[*]", query)
    return path / f"loreId-{number}"


@pytest.mark.parametrize(("query", "name", "containing"), NAMED)
def test_what_has_guests_is_replayed_without_spark(native, tmp_path, query, name, containing):
    folder = dumped(native, tmp_path / "dump", query, name, containing)
    replayed = reprise("replay", folder)
    assert replayed.returncode == 0, replayed.stderr
    assert "As recorded." in replayed.stdout
    for columns in json.loads((folder / "plan.meta").read_text())["operator"]["inputs"]:
        assert columns[-1]["name"] == "guest1"


@pytest.mark.parametrize(("query", "name", "containing"), NAMED)
def test_what_has_guests_is_replayed_by_spark(native, tmp_path, query, name, containing):
    folder = dumped(native, tmp_path / "dump", query, name, containing)
    native.conf.set("spark.reprise.sql.enabled", "false")
    assert spark_replays.difference(spark_replays.on_spark(native, folder)) == ""


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (JOINED.format(hint="BROADCAST"), "RepriseBroadcastHashJoin"),
        (
            "SELECT /*+ SHUFFLE_HASH(b) */ a.v, b.m FROM many_keys a "
            "JOIN many_keys b ON a.k = b.k AND bit_count(a.v) < bit_count(b.v)",
            "RepriseShuffledHashJoin",
        ),
        (
            "SELECT /*+ BROADCAST(b) */ a.v, b.m FROM (SELECT * FROM many_keys WHERE k < 20) a "
            "JOIN (SELECT * FROM many_keys WHERE k < 10) b ON upper(a.s) < initcap(b.s)",
            "RepriseBroadcastNestedLoopJoin",
        ),
    ],
    ids=["broadcast", "condition", "pairs"],
)
def test_joins_that_ask_spark_are_dumped_as_sparks(native, tmp_path, query, name):
    """What is computed on a broadcast, and of pairs, is in no recorded input."""
    folder = dumped(native, tmp_path / "dump", query, name, "")
    assert reprise("replay", folder).returncode == 2
    native.conf.set("spark.reprise.sql.enabled", "false")
    assert spark_replays.difference(spark_replays.on_spark(native, folder)) == ""


RESULTS = "SELECT v % 10 AS t, reverse(max(s)) AS r, count(*) AS c FROM many_keys GROUP BY v % 10"


FIRST_ROWS = (
    "SELECT v, overlay(s, '.', 1) AS t, bit_count(v) AS c FROM "
    "(SELECT v, s FROM many_keys ORDER BY s, v LIMIT 9)"
)


@pytest.mark.parametrize(
    ("query", "name", "containing"),
    [(RESULTS, "RepriseHashAggregate", "functions=[max("), (FIRST_ROWS, "RepriseTakeOrdered", "")],
    ids=["aggregate", "first rows"],
)
def test_it_is_replayed_without_the_guests_above_it(native, tmp_path, query, name, containing):
    folder = dumped(native, tmp_path / "dump", query, name, containing)
    replayed = reprise("replay", folder)
    assert replayed.returncode == 0, replayed.stderr
    assert "As recorded." in replayed.stdout
    native.conf.set("spark.reprise.sql.enabled", "false")
    assert spark_replays.difference(spark_replays.on_spark(native, folder)) == ""


@pytest.mark.parametrize(
    ("query", "name", "containing", "wrong", "right", "rows"),
    [
        (
            *(RESULTS, "RepriseHashAggregate", "functions=[max("),
            *("c < 3", "c > 3 and r is not null", 19),
        ),
        (FIRST_ROWS, "RepriseTakeOrdered", "", "c < 0", "c >= 0 and t like '.%'", 9),
    ],
    ids=["aggregate", "first rows"],
)
def test_results_are_asserted_above_the_guests(native, query, name, containing, wrong, right, rows):
    number = lore_id(run(native, query), name, containing)
    native.conf.set("spark.reprise.assert", f"{number}: {wrong}")
    with pytest.raises(Exception, match="forall-assertion error"):
        native.sql(query).collect()
    native.conf.set("spark.reprise.assert", f"{number}: {right}")
    assert len(native.sql(query).collect()) == rows
    native.conf.unset("spark.reprise.assert")


def test_masked_columns_are_in_no_guest(native, tmp_path):
    """A guest of a masked column would hold what is made of its values."""
    native.conf.set("spark.reprise.lore.mask", "s:hash")
    number = lore_id(run(native, QUERY), "RepriseHashAggregate", "partial_sum")
    dump(native, tmp_path / "dump", f"{number}[*]", QUERY)
    assert "guest1" not in (tmp_path / "dump" / f"loreId-{number}" / "plan.meta").read_text()


def test_methods_of_java_are_guests(native):
    binary = "java_method('java.lang.Long', 'toBinaryString', coalesce(k, 0))"
    query = f"SELECT sum(n) FROM (SELECT length({binary}) AS n FROM many_keys)"
    frame = run(native, query)
    assert "RepriseGuestProject" in plan_text(frame)
    native.conf.set("spark.reprise.sql.enabled", "false")
    assert native.sql(query).collect() == frame.collect()


def test_guests_can_be_switched_off(native):
    native.conf.set("spark.reprise.sql.guests.enabled", "false")
    frame = run(native, QUERY)
    assert "RepriseGuestProject" not in plan_text(frame)


def test_guests_with_a_cache_and_a_union(native):
    """Together, as people use them: a cache of what guests made, read by guests again."""
    made = native.sql("SELECT k, initcap(s) AS t, v FROM many_keys WHERE s RLIKE '7$'")
    cached = made.cache()
    try:
        twice = cached.union(cached).where(expr("bit_count(v) > 2"))
        key = expr("bit_count(xxhash64(t)) % 5").cast(LongType())
        grouped = twice.groupBy(key).agg(expr("sum(hash(t) % 7)"))
        native.conf.set("spark.reprise.sql.enabled", "true")
        ours = sorted(map(tuple, grouped.collect()))
        native.conf.set("spark.reprise.sql.enabled", "false")
        assert sorted(map(tuple, grouped.collect())) == ours
    finally:
        cached.unpersist()
