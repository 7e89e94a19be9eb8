"""Runs in its own process against a cluster: queries off and on, then a dump. Prints JSON.

Arguments: master URL, folder of the TPC-H tables, work folder, jar, "jars" or "submit".
"""

import json
import sys
from pathlib import Path

import sql_files
from answers import answer_of, difference
from operators import lore_id
from places import SQL_FILES
from sessions import session_options, start_session


def query(number: int) -> str:
    return sql_files.read(SQL_FILES / "tpch" / f"q{number:02}.sql").statements[0].text


def main() -> None:
    master, tables, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    options = session_options(work, with_plugin=True)
    options |= {"spark.executor.memory": "700m", "spark.cores.max": "2"}
    options |= {"spark.executor.cores": "1", "spark.driver.memory": "1g"}
    spark = start_session(master, options)
    for table in ("lineitem", "orders"):
        spark.read.parquet(str(tables / f"{table}.parquet")).createOrReplaceTempView(table)
    report = {"differences": {}, "native": {}}
    for number in (1, 4, 6):
        spark.conf.set("spark.reprise.sql.enabled", "false")
        alone = answer_of(spark.sql(query(number)), ordered=True)
        spark.conf.set("spark.reprise.sql.enabled", "true")
        native = answer_of(spark.sql(query(number)), ordered=True)
        report["differences"][number] = difference(alone, native)
        report["native"][number] = "RepriseHashAggregate" in native.plan
    frame = spark.sql(query(4))
    frame.collect()
    wanted = lore_id(frame, "RepriseFilter", "l_commitdate")
    spark.conf.set("spark.reprise.lore.idsToDump", f"{wanted}[*]")
    spark.conf.set("spark.reprise.lore.dumpPath", str(work / "dump"))
    spark.sql(query(4)).collect()
    report["dump"] = str(work / "dump" / f"loreId-{wanted}")
    spark.stop()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
