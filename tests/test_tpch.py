"""The 22 TPC-H queries under settings that change their plans, against Spark alone.

tests/sql/tpch runs them under the settings of every other test.
"""

from dataclasses import dataclass

import pytest
from answers import Answer, answer_of, difference
from row_based import row_based_operators
from tpch_queries import NUMBERS, query

SETTINGS = {
    "1_partition": {"spark.sql.shuffle.partitions": "1"},
    "200_partitions": {"spark.sql.shuffle.partitions": "200"},
    "no_broadcast": {"spark.sql.autoBroadcastJoinThreshold": "-1"},
    "not_adaptive": {"spark.sql.adaptive.enabled": "false"},
}


@dataclass
class Run:
    """What a query gives on Spark alone and under one setting with Reprise."""

    expected: Answer
    answer: Answer
    row_based: list[str]


RUNS: dict[tuple[str, int], Run] = {}


@pytest.fixture
def run(native, spark_answers, setting, number) -> Run:
    """The query's run with Reprise; taken once for all tests that look at it."""
    if (setting, number) not in RUNS:
        expected = spark_answers(number)  # under the settings of every other test
        for key, value in SETTINGS[setting].items():
            native.conf.set(key, value)
        frame = native.sql(query(number))
        answer = answer_of(frame, ordered=True)
        row_based = [] if answer.error else row_based_operators(frame)
        RUNS[setting, number] = Run(expected, answer, row_based)
    return RUNS[setting, number]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_same_answer(run):
    problem = difference(run.expected, run.answer)
    if problem:
        pytest.fail(f"{problem}\n{run.answer.plan}", pytrace=False)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_is_left_to_spark(run):
    if run.row_based:
        names = ", ".join(run.row_based)
        pytest.fail(f"row-based operators: {names}\n{run.answer.plan}", pytrace=False)
