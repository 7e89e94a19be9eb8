"""A Spark that runs jobs over RDDs: those of rdd_jobs.scala, and two of Python's.

Usage: rdd_side.py --data build/data/tpch-sf1 --work FOLDER [--cores 2] [--conf key=value ...]
"""

import argparse
from operator import add
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
from paired import serve, start, switched
from places import JAR
from replay_apps import compiled

SCALA = ("sums", "words", "grouped", "sorted", "joined", "records", "clusters", "numbers")
LEAST = "counted"  # of a job that does nothing with its records


def python_words(spark, work: Path) -> None:
    lines = spark.sparkContext.textFile(str(work / "orders.txt"), 8)
    words = lines.flatMap(lambda line: line.rpartition("|")[2].split(" "))
    words.map(lambda word: (word, 1)).reduceByKey(add).count()


def python_grouped(spark, work: Path) -> None:
    fields = spark.sparkContext.textFile(str(work / "orders.txt"), 8).map(lambda x: x.split("|"))
    fields.map(lambda order: (int(order[1]), order[4])).groupByKey().mapValues(len).count()


PYTHON = {job.__name__: job for job in (python_words, python_grouped)}
JOBS = (*SCALA, *PYTHON, LEAST)


def texts(table: pa.Table) -> pa.Table:
    """All columns as text, as Arrow's writer of lines wants them."""
    return table.cast(pa.schema([(name, pa.string()) for name in table.column_names]))


def write_inputs(data: Path, work: Path) -> None:
    """Tables as lines of text, and the jar of the jobs."""
    plain = csv.WriteOptions(include_header=False, delimiter="|", quoting_style="none")
    for table, columns in (("orders", None), ("customer", ["c_custkey", "c_name"])):
        rows = pq.read_table(data / f"{table}.parquet", columns=columns)
        csv.write_csv(texts(rows), work / f"{table}.txt", plain)
    compiled([Path(__file__).with_name("rdd_jobs.scala")], work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--conf", action="append", default=[])
    chosen = parser.parse_args()
    conf = dict(setting.split("=", 1) for setting in chosen.conf)
    conf["spark.jars"] = ",".join(map(str, (chosen.work / "application.jar", JAR)))
    conf["spark.executorEnv.PYTHONHASHSEED"] = "0"
    spark, process = start(chosen.data, chosen.cores, conf)

    def run(job: str) -> None:
        if job in PYTHON:
            PYTHON[job](spark, chosen.work)
        else:
            spark._jvm.RddJobs.run(job, spark._jsc.sc(), str(chosen.work))

    serve(switched(spark, run), process)
    spark.stop()


if __name__ == "__main__":
    main()
