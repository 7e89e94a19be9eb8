"""The 99 queries of TPC-DS over the layouts that warehouses have, against Spark alone.

Partitioned facts are pruned while a query runs; bucketed tables are joined without exchanges; the
scattered ones have many small files, one key that most rows have, and views over views.
"""

import pytest
import warehouse
from answers import answer_of, difference, rounded
from places import BUILD

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
SKEW = {
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "64KB",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "32KB",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
}
SETTINGS = {"partitioned": {}, "bucketed": NO_BROADCAST, "scattered": {**NO_BROADCAST, **SKEW}}
# Of these layouts every sixth query, each of them others; `make bench` takes all.
SIXTHS = {"bucketed": 1, "scattered": 5}
# Of the partitioned one every third without `--thorough`, of which the others have none.
CASES = [
    pytest.param(
        layout,
        number,
        marks=[] if layout in SIXTHS or number % 3 == 0 else [pytest.mark.thorough],
    )
    for layout in SETTINGS
    for number in warehouse.NUMBERS
    if layout not in SIXTHS or number % 6 == SIXTHS[layout]
]


class Warehouses:
    """Sessions that know the tables of one layout at a time; the plug-in is switched off."""

    def __init__(self, spark):
        self._spark = spark
        self._layout = None
        self._session = None

    def session(self, layout: str):
        if layout != self._layout:
            self.close()
            self._session = self._spark.newSession()
            self._layout = layout
            warehouse.register(self._session, folder_of(layout))
            for key, value in SETTINGS[layout].items():
                self._session.conf.set(key, value)
        return self._session

    def close(self):
        if self._layout:
            self._session.sql(f"DROP DATABASE {warehouse.DATABASE} CASCADE")


def folder_of(layout: str):
    return BUILD / "data" / f"tpcds-{layout}-sf0.01"


@pytest.fixture(scope="module")
def warehouses(spark, with_plugin):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    opened = Warehouses(spark)
    yield opened
    opened.close()


@pytest.mark.parametrize(("layout", "number"), CASES)
def test_same_answer(warehouses, layout, number):
    session = warehouses.session(layout)
    folder = folder_of(layout)
    text = warehouse.query(folder, number)
    answers = []
    for enabled in ("false", "true"):
        session.conf.set("spark.reprise.sql.enabled", enabled)
        answers.append(answer_of(session.sql(text), ordered=False))
    if layout == "scattered":  # skewed partitions are divided
        answers = [rounded(answer) for answer in answers]
    problem = difference(*answers)
    if problem:
        pytest.fail(f"{problem}\n{answers[1].plan}", pytrace=False)
