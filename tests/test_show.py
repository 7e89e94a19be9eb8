"""What Dataset.show() prints is the same on Spark alone and with Reprise."""

import pytest

QUERIES = {
    "every type": "SELECT * FROM every_type",
    "natively": "SELECT * EXCEPT (f32, f64, bin) FROM every_type ORDER BY id DESC",
    "grouped": "SELECT k, count(*), sum(n), min(dt) FROM small GROUP BY k ORDER BY k",
    "small decimals": "SELECT CAST(id AS DECIMAL(20, 10)) / 10000000000 FROM range(7)",
    "empty": "SELECT * FROM every_type WHERE id < 0",
}


@pytest.mark.parametrize("zone", ["UTC", "Europe/Lisbon"])
@pytest.mark.parametrize("name", QUERIES)
def test_show_prints_the_same(native, name, zone):
    native.conf.set("spark.sql.session.timeZone", zone)
    native.conf.set("spark.reprise.sql.enabled", "false")
    expected = native.sql(QUERIES[name])._jdf.showString(50, 30, False)
    native.conf.set("spark.reprise.sql.enabled", "true")
    assert native.sql(QUERIES[name])._jdf.showString(50, 30, False) == expected
