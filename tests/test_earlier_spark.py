"""What Spark 3.5 does itself, and natively later: writes of files, functions of Python's."""

import pandas as pd
import pytest
from answers import answer_of, difference
from pyspark.sql import Window
from pyspark.sql.functions import col, pandas_udf, udf
from pyspark.sql.types import DoubleType, LongType

ENABLED = "spark.reprise.sql.enabled"
PYTHON = "because Spark before 4.0 writes to Python"


@pandas_udf(LongType())
def doubled(values: pd.Series) -> pd.Series:
    return values * 2


@pandas_udf(DoubleType())
def mean(values: pd.Series) -> float:
    return float(values.mean())


@udf(LongType(), useArrow=True)
def next_of(value: int) -> int:
    return value + 1


FUNCTIONS = {
    "of rows": lambda rows: rows.select("k", doubled("v"), next_of("v")),
    "of groups": lambda rows: rows.groupBy("k").agg(mean("v")),
    "of windows": lambda rows: rows.select("k", "v", mean("v").over(Window.partitionBy("k"))),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_python_are_sparks(native, name):
    def frame():
        rows = native.table("many_keys").select("k", col("v").cast("long").alias("v"))
        return FUNCTIONS[name](rows.where("v is not null and k < 50"))

    native.conf.set(ENABLED, "false")
    alone = answer_of(frame(), ordered=False)
    native.conf.set(ENABLED, "true")
    found = answer_of(frame(), ordered=False)
    assert alone.error is None, alone
    assert difference(alone, found) is None
    assert PYTHON in native._jvm.reprise.Explain.explain(frame()._jdf, "NOT_NATIVE")


def test_files_are_written_by_spark(native, tmp_path):
    frame = native.table("many_keys").where("v > 100")
    frame.write.parquet(str(tmp_path / "native"))
    executions = native._jsparkSession.sharedState().statusStore().executionsList()
    assert "RepriseWriteFiles" not in executions.last().physicalPlanDescription()
    native.conf.set(ENABLED, "false")
    frame = native.table("many_keys").where("v > 100")
    written = native.read.parquet(str(tmp_path / "native"))
    assert written.count() == frame.count() > 0
    assert written.exceptAll(frame).count() == 0
