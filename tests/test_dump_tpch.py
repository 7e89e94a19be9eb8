"""TPC-H with every operator dumped and replayed, by the core and by Spark: as recorded."""

import pytest
import tpch_queries
from spark_replays import problem_on_spark
from whole_dumps import Dump, dump_all, natively, rows_of

# With native execution off: filters, aggregates, joins of every kind that TPC-H has, subqueries.
ON_SPARK_ALONE = [1, 13, 16, 17, 21]


def on_both(spark, dumps: list[Dump]) -> None:
    """Replays by the core what it can run, and on Spark the rest."""
    wrong = natively(dump.folder for dump in dumps if dump.is_native)
    assert not wrong, "\n".join(f"{folder}: {text}" for folder, text in wrong.items())
    for dump in dumps:
        if not dump.is_native:
            problem = problem_on_spark(spark, dump.folder)
            assert problem == "", f"{dump.name} {dump.folder}: {problem}"


@pytest.mark.parametrize("number", tpch_queries.NUMBERS)
def test_every_operator_replays(native, tmp_path, number):
    query = tpch_queries.query(number)
    _, found = dump_all(native, query, tmp_path / "dump")
    dumps = [dump for dump in found.values() if dump.has_records]
    assert len(dumps) >= 3
    on_both(native, dumps)


@pytest.mark.parametrize("number", ON_SPARK_ALONE)
def test_what_spark_has_run_replays_there_and_natively(native, tmp_path, number):
    query = tpch_queries.query(number)
    native.conf.set("spark.reprise.sql.mode", "explainOnly")
    rows, found = dump_all(native, query, tmp_path / "dump")
    native.conf.set("spark.reprise.sql.enabled", "false")
    assert rows == rows_of(native, query)
    native.conf.set("spark.reprise.sql.enabled", "true")
    dumps = [dump for dump in found.values() if dump.has_records]
    assert {"HashAggregate", "Filter"} <= {dump.name for dump in dumps if dump.is_native}
    on_both(native, dumps)
    for dump in dumps:
        if dump.is_native:
            problem = problem_on_spark(native, dump.folder)
            assert problem == "", f"{dump.name} {dump.folder}: {problem}"
