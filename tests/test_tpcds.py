"""The 99 queries of TPC-DS over facts divided by date, which are pruned while a query runs."""

import pytest
import warehouse
from answers import answer_of, difference
from places import BUILD

DATA = BUILD / "data" / "tpcds-partitioned-sf0.01"


@pytest.fixture(scope="module")
def session(spark, with_plugin):
    """A session of its own that knows the tables."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    session = spark.newSession()
    warehouse.register(session, DATA)
    yield session
    session.sql(f"DROP DATABASE {warehouse.DATABASE} CASCADE")


@pytest.mark.parametrize("number", warehouse.NUMBERS)
def test_same_answer(session, number):
    text = warehouse.query(DATA, number)
    answers = []
    for enabled in ("false", "true"):
        session.conf.set("spark.reprise.sql.enabled", enabled)
        answers.append(answer_of(session.sql(text), ordered=False))
    problem = difference(*answers)
    if problem:
        pytest.fail(f"{problem}\n{answers[1].plan}", pytrace=False)
