"""Tables of Iceberg and Delta that live: table_formats_app.py FOLDER. Leaves FOLDER/answers.json.

Each format has one table that Spark alone has made and changed, and one that was made with the
plug-in. The same questions are asked of both at every stage of their lives, with the plug-in and
without: {format: [{"question", "plan", "answers": [four of them]}…]}.
"""

import json
import sys
from pathlib import Path

from places import JAR, TABLE_FORMATS
from pyspark.sql import SparkSession
from sessions import session_options, start_session

ENABLED = "spark.reprise.sql.enabled"
COLUMNS = "k bigint, s string, d decimal(12,2), ts timestamp, p int, a array<int>"
ROWS = """select id, concat('s', id % 7), cast(id * 1.25 as decimal(12,2)),
  timestamp_seconds(1700000000 + id * 7200), cast(id % 5 as int), array(cast(id as int))"""
CHANGES = [
    "delete from {t} where k % 11 = 3",
    "update {t} set s = concat(s, 'u') where k % 13 = 1",
    """merge into {t} t using (select id k, 'merged' s from range(380, 420)) u on t.k = u.k
       when matched then update set s = u.s
       when not matched then insert (k, s) values (u.k, u.s)""",
]
LIVES = {
    "iceberg": {
        "table": "ice.db.{name}",
        "properties": """partitioned by (bucket(2, k), months(ts)) tblproperties(
          'format-version'='2', 'write.delete.mode'='merge-on-read',
          'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read')""",
        "changes": [
            *CHANGES,
            "alter table {t} rename column d to amount",
            "alter table {t} add column extra string",
            "alter table {t} alter column p type bigint",
            "insert into {t} (k, s, amount, extra) values (5000, 'x', 1.5, 'e')",
            "alter table {t} drop column a",
            "call ice.system.rewrite_data_files(table => '{t}')",
        ],
        "questions": ["select k, _pos >= 0 and _file is not null from {t} where k < 20"],
    },
    # Delta 4.1.0 cannot alter tables on this Spark: a class that it wants is gone.
    "delta": {
        "table": "{name}",
        "properties": """partitioned by (p) tblproperties('delta.enableDeletionVectors'='true',
          'delta.columnMapping.mode'='name')""",
        "changes": [*CHANGES, "optimize {t} zorder by (k)"],
        "questions": [
            "select count(*) from {t} version as of 1",
            "select count(*) from {t} where _metadata.file_name is not null",
        ],
    },
}
QUESTIONS = [
    "select count(*), sum(k), max(s) from {t}",
    "select p, count(*), max(ts) from {t} where k > 100 group by p",
    "select * from {t} where k > 370",
    "select a.k, b.s from {t} a join {t} b on a.k = b.k + 1 where a.k % 50 = 0",
    "select s, count(*) from {t} where s like 's1%' or s = 'merged' group by s",
    "select count(*) from {t} where input_file_name() like '%.parquet'",
]


def start(folder: Path) -> SparkSession:
    jars = [*sorted(TABLE_FORMATS.glob("*.jar")), JAR]
    iceberg = "org.apache.iceberg.spark"
    options = session_options(folder, with_plugin=True) | {
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.shuffle.partitions": "2",
        "spark.jars": ",".join(map(str, jars)),
        "spark.sql.extensions": f"{iceberg}.extensions.IcebergSparkSessionExtensions,"
        "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.ice": f"{iceberg}.SparkCatalog",
        "spark.sql.catalog.ice.type": "hadoop",
        "spark.sql.catalog.ice.warehouse": str(folder / "iceberg"),
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    }
    return start_session("local[2]", options)


def asked(spark: SparkSession, tables: list[str], question: str) -> dict:
    answers = []
    for enabled in ("false", "true"):
        spark.conf.set(ENABLED, enabled)
        for table in tables:
            frame = spark.sql(question.format(t=table))
            answers.append(sorted(map(str, frame.collect())))
    plan = frame._jdf.queryExecution().executedPlan().toString()
    return {"question": question, "answers": answers, "plan": plan}


def lived(spark: SparkSession, name: str) -> list[dict]:
    life = LIVES[name]
    tables = [life["table"].format(name=f"by_{who}") for who in ("spark", "reprise")]
    told = []
    for step in [None, *life["changes"]]:
        for table, enabled in zip(tables, ("false", "true"), strict=True):
            spark.conf.set(ENABLED, enabled)
            if step:
                spark.sql(step.format(t=table))
                continue
            spark.sql(f"create table {table} ({COLUMNS}) using {name} {life['properties']}")
            for begin in (0, 200):
                spark.sql(f"insert into {table} {ROWS} from range({begin}, {begin + 200})")
        questions = QUESTIONS if step == life["changes"][-1] else QUESTIONS[:2]
        told += [asked(spark, tables, question) | {"after": step} for question in questions]
    return told + [asked(spark, tables, question) for question in life["questions"]]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    spark = start(folder)
    spark.sql("create namespace ice.db")
    (folder / "answers.json").write_text(json.dumps({name: lived(spark, name) for name in LIVES}))
    spark.stop()
