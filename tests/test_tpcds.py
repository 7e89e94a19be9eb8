"""The 99 queries of TPC-DS over the layouts that warehouses have, against Spark alone.

Partitioned facts are pruned while a query runs; bucketed tables are joined without exchanges; the
scattered ones have many small files, one key that most rows have, and views over views.
"""

import pytest
import warehouse
from answers import answer_of, difference
from places import BUILD

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
SKEW = {
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "64KB",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "32KB",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
}
SETTINGS = {"partitioned": {}, "bucketed": NO_BROADCAST, "scattered": {**NO_BROADCAST, **SKEW}}
# Of these layouts every third query, each of them others; `make bench` takes all.
THIRDS = {"bucketed": 1, "scattered": 2}
CASES = [
    (layout, number)
    for layout in SETTINGS
    for number in warehouse.NUMBERS
    if layout not in THIRDS or number % 3 == THIRDS[layout]
]


@pytest.fixture(scope="module")
def tables(request, spark, with_plugin):
    """A session of its own that knows the tables of a layout, with the plug-in switched off."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    session = spark.newSession()
    folder = BUILD / "data" / f"tpcds-{request.param}-sf0.01"
    warehouse.register(session, folder)
    for key, value in SETTINGS[request.param].items():
        session.conf.set(key, value)
    yield session, folder
    session.sql(f"DROP DATABASE {warehouse.DATABASE} CASCADE")


@pytest.mark.parametrize(("tables", "number"), CASES, indirect=["tables"], scope="module")
def test_same_answer(tables, number):
    session, folder = tables
    text = warehouse.query(folder, number)
    answers = []
    for enabled in ("false", "true"):
        session.conf.set("spark.reprise.sql.enabled", enabled)
        answers.append(answer_of(session.sql(text), ordered=False))
    problem = difference(*answers)
    if problem:
        pytest.fail(f"{problem}\n{answers[1].plan}", pytrace=False)
