"""Joins that run in several tasks, or read Spark's own broadcast, dumped and replayed."""

import pytest
from operators import lore_id
from spark_replays import problem_on_spark
from test_dump import dump, partitions_of, reprise, run

SPLIT = "(SELECT /*+ REPARTITION(3) */ n FROM small)"
# A join, the name of its operator, and in how many partitions it is dumped.
JOINS = {
    "full, without a match": (
        "SELECT /*+ BROADCAST(a) */ a.n, b.n FROM small a "
        "FULL JOIN (SELECT n FROM small LIMIT 20) b ON a.n + b.n < 12",
        "RepriseBroadcastNestedLoopJoin",
        1,
    ),
    "full": (
        f"SELECT /*+ BROADCAST(a) */ a.n, b.n FROM small a FULL JOIN {SPLIT} b ON a.n + b.n < 12",
        "RepriseBroadcastNestedLoopJoin",
        1,
    ),
    "anti": (
        f"SELECT /*+ BROADCAST(a) */ a.n FROM small a LEFT ANTI JOIN {SPLIT} b ON a.n + b.n < 12",
        "RepriseBroadcastNestedLoopJoin",
        1,
    ),
    "cartesian": (
        "SELECT /*+ SHUFFLE_REPLICATE_NL(b) */ a.n, b.n FROM "
        f"(SELECT /*+ REPARTITION(2) */ n FROM small WHERE n < 20) a JOIN {SPLIT} b ON a.n < b.n",
        "RepriseCartesianProduct",
        6,
    ),
    "row broadcast": (
        "SELECT /*+ BROADCAST(t) */ s.n, t.x FROM small s JOIN "
        "(VALUES (1, 'a'), (2, 'b'), (2, 'c'), (NULL, 'd')) t(x, y) ON s.g = t.x",
        "RepriseBroadcastHashJoin",
        1,
    ),
}


@pytest.mark.parametrize("name", list(JOINS))
def test_the_whole_join_is_dumped(native, tmp_path, name):
    query, operator, partitions = JOINS[name]
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.conf.set("spark.reprise.lore.output.enabled", "true")
    number = lore_id(run(native, query), operator)
    dump(native, tmp_path, f"{number}[*]", query)
    folder = tmp_path / f"loreId-{number}"
    assert partitions_of(folder / "output") == list(range(partitions))
    replayed = reprise("replay", folder)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert "As recorded." in replayed.stdout
    assert not problem_on_spark(native, folder)


def test_what_is_run_twice_is_dumped_once(native, tmp_path):
    """The side that is no broadcast is run for the rows, and for what is left of the broadcast."""
    query = (
        "SELECT /*+ BROADCAST(a) */ a.n, b.k FROM small a FULL JOIN "
        "(SELECT k FROM many_keys WHERE v > 990) b ON a.n + b.k < 12"
    )
    native.conf.set("spark.sql.adaptive.enabled", "false")
    number = lore_id(run(native, query), "RepriseFilter", "v#")
    dump(native, tmp_path, f"{number}[*]", query)
    replayed = reprise("replay", tmp_path / f"loreId-{number}")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.parametrize("kind", ["INNER", "LEFT", "RIGHT", "LEFT SEMI", "LEFT ANTI", "FULL"])
def test_a_merge_that_stopped_one_side_early_replays_as_recorded(native, tmp_path, kind):
    """Spark's join asks for no more of the longer side; the core's would read it to its end."""
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    native.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    native.conf.set("spark.sql.shuffle.partitions", "1")
    query = f"""SELECT /*+ MERGE(b) */ * FROM range(1000) a {kind} JOIN range(0, 200000) b
        ON a.id = b.id"""
    dump(native, tmp_path, "SortMergeJoin#0[*]", query)
    (folder,) = tmp_path.glob("loreId-*")
    replayed = reprise("replay", folder)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert "As recorded." in replayed.stdout
