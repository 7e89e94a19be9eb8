"""Dumps of operators that carry opaque values, or make and take apart arrays, and their replays."""

import pytest
from places import SPARK
from whole_dumps import dump_all, natively, rows_of

# Spark 3.5 groups by no map.
MAP = "b.m['k']" if SPARK == "3.5" else "b.m"
# Pipelines that are native from scan to end: guests make the values, or files have them.
QUERIES = {
    "joined": (
        f"SELECT a.s, {MAP}, count(*), sum(a.n) FROM "
        "(SELECT n, named_struct('g', g, 'k', k) AS s FROM small) a JOIN "
        "(SELECT n, map('k', k) AS m, array(k) AS x FROM small WHERE n % 3 = 0) b ON a.n = b.n "
        "WHERE b.x IS NOT NULL GROUP BY a.s, " + MAP
    ),
    "windowed": (
        "SELECT n, lead(a) OVER (PARTITION BY g ORDER BY n), CAST(y AS STRING) FROM "
        "(SELECT n, g, array(k) AS a, "
        "make_ym_interval(0, n) AS y FROM small) ORDER BY n LIMIT 20"
    ),
    "scanned": (
        "SELECT st.s, st.d38_18, e, m['k1'].x, count(*) FROM "
        "(SELECT st, m, explode(l_s) AS e FROM nested_types) GROUP BY 1, 2, 3, 4"
    ),
    "collected": (
        "SELECT g, w, count(*), last(v) FROM (SELECT g, explode(l) AS w, v FROM "
        "(SELECT g, collect_list(named_struct('k', k, 'n', n)) AS l, first(array(k)) AS v "
        "FROM small GROUP BY g)) GROUP BY g, w"
    ),
}


@pytest.mark.parametrize("mode", ["execute", "explainOnly"])
@pytest.mark.parametrize("name", QUERIES)
def test_replays_as_recorded(native, tmp_path, name, mode):
    """In `explainOnly` the record is Spark's, and the core's operators give the same over it."""
    native.conf.set("spark.reprise.sql.enabled", "false")
    expected = rows_of(native, QUERIES[name])
    native.conf.set("spark.reprise.sql.enabled", "true")
    native.conf.set("spark.reprise.sql.mode", mode)
    rows, dumps = dump_all(native, QUERIES[name], tmp_path)
    assert rows == expected
    recorded = [dump.folder for dump in dumps.values() if dump.is_native and dump.has_records]
    assert len(recorded) >= 3
    assert natively(recorded) == {}
