"""What a query over files gives with the plug-in, held against what it gives without it."""

from answers import FAILURES, answer_of, difference, failure_of

ENABLED = "spark.reprise.sql.enabled"


def problem(spark, frame, query: str, ordered: bool = True) -> str | None:
    """Where plug-in on and off differ; `frame` makes what the query knows as `files`."""
    found = []
    for is_native in ("false", "true"):
        spark.conf.set(ENABLED, is_native)
        frame().createOrReplaceTempView("files")
        try:
            found.append(answer_of(spark.sql(query), ordered=ordered))
        except FAILURES as error:
            found.append(failure_of(error))
    return difference(*found)


def plan_of(spark, query: str) -> str:
    """The physical plan that the query has now."""
    return spark.sql(query)._jdf.queryExecution().executedPlan().toString()
