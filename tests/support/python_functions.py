"""What tests of Python's functions share: their answers on Spark and on the core, and the types."""

from answers import answer_of, difference
from pyspark.sql import Column, functions
from pyspark.sql.functions import col

ENABLED = "spark.reprise.sql.enabled"
NATIVE_EVAL = "RepriseArrowEvalPython"
# Spark 4.0 has no functions over Arrow arrays; its aggregates and windows have other operators.
HAS_ARROW_UDF = hasattr(functions, "arrow_udf")
NATIVE_AGGREGATE = "RepriseArrowAggregatePython" if HAS_ARROW_UDF else "RepriseAggregateInPandas"
NATIVE_WINDOW = "RepriseArrowWindowPython" if HAS_ARROW_UDF else "RepriseWindowInPandas"


def v() -> Column:
    return col("v").cast("long")


def answers(spark, query):
    """What Spark says and what the core says, with the plan of the core's."""
    told = []
    for enabled in ("false", "true"):
        spark.conf.set(ENABLED, enabled)
        told.append(answer_of(query(spark), ordered=False))
    return told


def assert_same(spark, query, native: str = NATIVE_EVAL):
    theirs, ours = answers(spark, query)
    assert theirs.error is None, theirs
    assert difference(theirs, ours) is None
    assert native in ours.plan, ours.plan
    return ours


TYPES = {
    "boolean": "k % 2 = 0",
    "tinyint": "cast(k % 100 as tinyint)",
    "smallint": "cast(k as smallint)",
    "int": "cast(v as int)",
    "bigint": "cast(v as bigint)",
    "float": "cast(v as float) / 3",
    "double": "v / 7d",
    "string": "s",
    "binary": "cast(s as binary)",
    "decimal(10,2)": "cast(v / 3 as decimal(10,2))",
    "decimal(30,5)": "cast(v / 3 as decimal(30,5))",
    "date": "date'1960-01-01' + cast(v as int)",
    "timestamp": "timestamp_micros(v * 1234567891L)",
    "timestamp_ntz": "cast(timestamp_micros(v * 1234567891L) as timestamp_ntz)",
}
