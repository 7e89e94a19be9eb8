"""Random window functions: the same answers on Spark alone and with Reprise.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import os
import random
import time

import pytest
from answers import difference
from fuzz.windows import Windows, write_table
from sql_files import Statement
from test_sql import ENABLED, run_statement

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240229"))
QUERIES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "40"))
# On a busy machine the default run stops early.
SECONDS = 45 if "REPRISE_FUZZ_QUERIES" not in os.environ else float("inf")
QUERIES_OF_A_TABLE = 10


def test_windows_are_computed_as_spark_computes_them(spark, with_plugin, tmp_path):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    end = time.monotonic() + SECONDS
    source = random.Random(SEED)
    problems = []
    native_count = 0
    for number in range(QUERIES):
        if time.monotonic() > end:
            break
        if number % QUERIES_OF_A_TABLE == 0:
            folder = tmp_path / f"table-{number}"
            write_table(folder, source)
            spark.read.parquet(str(folder)).createOrReplaceTempView("fuzz_windows")
            windows = Windows("fuzz_windows", source)
        query = windows.query()
        statement = Statement(number, query)
        batch_rows = source.choice(["1", "7", "4096"])
        spark.conf.set("spark.reprise.sql.batchRows", batch_rows)
        try:
            alone = run_statement(spark, statement, query)
            spark.conf.set(ENABLED, "true")
            native = run_statement(spark, statement, query)
        finally:
            spark.conf.set(ENABLED, "false")
            spark.conf.unset("spark.reprise.sql.batchRows")
        native_count += native.error is not None or "RepriseWindow" in native.plan
        problem = difference(alone, native)
        if problem:
            problems.append(
                f"REPRISE_FUZZ_SEED={SEED}, query {number}, batches of {batch_rows}: {query}\n"
                f"{problem}"
            )
    spark.catalog.dropTempView("fuzz_windows")
    print(f"seed {SEED}, {number + 1} queries, {native_count} with native windows or an error")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems[:10])
    assert native_count > 0
