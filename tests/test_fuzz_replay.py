"""Every operator of random queries, dumped and replayed by the core and by Spark: both as recorded.

REPRISE_FUZZ_SEED repeats a run or makes another one, REPRISE_FUZZ_QUERIES makes it longer.
"""

import os
import random
import shutil
import time
from collections import Counter
from functools import partial

import pytest
from fuzz.generated import Queries, write_table
from spark_replays import problem_on_spark
from whole_dumps import dump_all_of, natively

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240229"))
QUERIES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "30"))
# On a busy machine the default run stops early.
SECONDS = 75 if "REPRISE_FUZZ_QUERIES" not in os.environ else float("inf")
TABLES = ["fuzz_a", "fuzz_b", "fuzz_c"]


@pytest.fixture
def queries(native, tmp_path):
    source = random.Random(SEED)
    for name in TABLES:
        write_table(tmp_path / name, source)
        native.read.parquet(str(tmp_path / name)).createOrReplaceTempView(name)
    yield Queries(TABLES, source)
    for name in TABLES:
        native.catalog.dropTempView(name)


def in_the_jvm(spark, query: str) -> None:
    """Collects, without the years that Python has no dates for."""
    spark.sql(query)._jdf.collectAsList()


def test_every_operator_replays_natively_and_on_spark(native, queries, tmp_path):
    end = time.monotonic() + SECONDS
    kinds: Counter[str] = Counter()
    problems = []
    for number in range(QUERIES):
        if time.monotonic() > end:
            break
        query = queries.query()
        where = f"REPRISE_FUZZ_SEED={SEED}, query {number}: {query}"
        # Joins that adaptive execution makes of others are in its half.
        native.conf.set("spark.sql.adaptive.enabled", str(number % 2 == 0).lower())
        native.conf.set("spark.reprise.sql.mode", "explainOnly" if number % 3 == 2 else "execute")
        path = tmp_path / f"dump-{number}"
        _, found = dump_all_of(native, partial(in_the_jvm, native, query), path)
        dumps = [dump for dump in found.values() if dump.has_records and dump.has_answers]
        wrong = natively(dump.folder for dump in dumps if dump.is_native and not dump.needs_spark)
        problems += [f"{where}\n{folder} natively: {text}" for folder, text in wrong.items()]
        for dump in dumps:
            problem = problem_on_spark(native, dump.folder)
            if problem:
                problems.append(f"{where}\n{dump.name} {dump.folder} on Spark: {problem}")
            kinds[dump.name] += 1
        if not problems:
            shutil.rmtree(path, ignore_errors=True)
    print(f"seed {SEED}, {number + 1} queries; operators: {dict(kinds)}")
    assert not problems, f"{len(problems)} problems\n" + "\n\n".join(problems[:10])
    assert kinds
