"""spark-sql, spark-shell and the Thrift server: native operators, explain and dumps from there."""

import re
import subprocess
from pathlib import Path

import front_ends
import pytest
from places import PROGRAM

QUERY = "SELECT l_returnflag, count(*) FROM lineitem WHERE l_discount > 0.05 GROUP BY ALL"
COUNTS = {"A": "6737", "N": "13756", "R": "6694"}


@pytest.fixture
def folder(with_plugin, tmp_path) -> Path:
    if not with_plugin:
        pytest.skip("needs the plug-in")
    return tmp_path


def statements(tpch: Path, folder: Path) -> str:
    """What somebody types who has SQL alone: an answer, why, the rows of a filter, an assertion."""
    view = f"USING parquet OPTIONS (path '{tpch}/lineitem.parquet')"
    return f"""
CREATE TEMPORARY VIEW lineitem {view};
SET spark.reprise.lore.idsToDump=Filter#0[*];
SET spark.reprise.lore.dumpPath={folder}/dump;
SET spark.reprise.lore.once=true;
SET spark.reprise.lineage.path={folder}/lineage;
SET spark.reprise.sql.explain=NOT_NATIVE;
{QUERY};
SELECT * FROM reprise_explain('{QUERY}');
SELECT concat(count(*), ' lines') FROM reprise_explain('{QUERY}', 'NOT_NATIVE');
SELECT * FROM reprise_explain('DROP VIEW lineitem', 'NOT_NATIVE');
SET spark.reprise.assert=Filter#0: l_discount > 0.5;
{QUERY};
"""


LATE = "spark.reprise.lineage.path is read when the application starts, which had it not set: "


def check(printed: str, errors: str, log: str, folder: Path) -> None:
    assert dict(re.findall(r"^([ANR])\t(\d+)$", printed, re.MULTILINE)) == COUNTS, errors[-3000:]
    check_explained(printed)
    assert "\n0 lines\n" in printed
    assert re.search(r"^!Exec <\w+> .* cannot run natively because ", printed, re.MULTILINE)
    (dump,) = (folder / "dump").glob("query-*/loreId-*")
    check_replay(dump)
    assert "assertion: l_discount > 0.5\n" in errors
    assert log.count(LATE) == 1


def check_explained(printed: str) -> None:
    filters = r"^ *\*Exec <FilterExec> \[loreId=\d+ Filter#0 \w+\] will run natively$"
    assert re.search(filters, printed, re.MULTILINE), printed


def check_replay(dump: Path | str) -> None:
    done = subprocess.run([PROGRAM, "replay", dump], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("RepriseFilter"), done.stdout + done.stderr
    assert done.stdout.endswith("As recorded.\n"), done.stdout + done.stderr


def test_spark_sql(folder, tpch):
    script = folder / "typed.sql"
    script.write_text(statements(tpch, folder))
    done = front_ends.run(folder, "spark-sql", *front_ends.options(folder), "-f", script)
    check(done.stdout, done.stderr, done.stderr, folder)
    assert "<ExecutedCommandExec>" not in done.stderr, "of SET there is nothing to explain"


def test_the_thrift_server(folder, tpch):
    script = folder / "typed.sql"
    script.write_text(statements(tpch, folder))
    with front_ends.thrift_server(folder) as address:
        quiet = ["--outputformat=tsv2", "--silent=true"]
        done = front_ends.run(folder, "beeline", "-u", address, *quiet, "-f", script)
    check(done.stdout, done.stderr, (folder / "server.log").read_text(), folder)


TYPED = """
case class Line(flag: String, discount: java.math.BigDecimal)
val table = spark.read.parquet("TABLE").selectExpr("l_returnflag flag", "l_discount discount")
val flags = table.where("discount > 0.05").groupBy("flag").count()
println(flags.collect().map(row => row(0) + "\\t" + row(1)).mkString("\\n", "\\n", ""))
println(reprise.Explain.explain(flags))
val lower = table.as[Line].map(line => line.copy(flag = line.flag.toLowerCase))
println("\\nin small letters: " + lower.where("flag = 'a' AND discount > 0.05").count())
println("\\ndumped to " + reprise.Lore.dump(flags, "Filter#0[*]", "DUMP"))
"""


def test_spark_shell(folder, tpch):
    typed = TYPED.replace("TABLE", f"{tpch}/lineitem.parquet").replace("DUMP", f"{folder}/dump")
    options = front_ends.options(folder)
    printed = front_ends.run(folder, "spark-shell", *options, typed=typed).stdout
    assert dict(re.findall(r"^([ANR])\t(\d+)$", printed, re.MULTILINE)) == COUNTS
    check_explained(printed)
    assert f"\nin small letters: {COUNTS['A']}\n" in printed
    (dumped,) = re.findall(r"^dumped to (?:file:)?(\S+)$", printed, re.MULTILINE)
    (dump,) = Path(dumped).glob("loreId-*")
    check_replay(dump)
