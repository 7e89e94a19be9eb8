"""A client of Spark Connect: queries with native operators and without. Prints what they gave."""

import json
import sys

import reprise
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import udf


def text(frame: DataFrame) -> list[list[str]]:
    return [[str(value) for value in row] for row in frame.collect()]


def main() -> None:
    url, lineitem = sys.argv[1:]
    spark = SparkSession.builder.remote(url).getOrCreate()
    spark.read.parquet(lineitem).createOrReplaceTempView("lineitem")
    added = udf(lambda number: number + 1, "long")
    answers = {}
    for enabled in ("true", "false"):
        spark.conf.set("spark.reprise.sql.enabled", enabled)
        grouped = spark.sql(
            "select l_returnflag, sum(l_quantity), avg(l_discount), count(*)"
            " from lineitem group by 1 order by 1"
        )
        ours = spark.range(100).select(added("id").alias("id")).groupBy().sum("id")
        answers[enabled] = text(grouped) + text(ours)
    told = ("id", "ended", "nativeMs")
    queries = reprise.report(spark).queries
    answers["report"] = [{name: query[name] for name in told} for query in queries]
    print(json.dumps(answers))
    spark.stop()


if __name__ == "__main__":
    main()
