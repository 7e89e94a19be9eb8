"""Cells of a notebook, as IPython runs them, over a Spark with the plug-in: notebook_app.py FOLDER.

Leaves in FOLDER what the cells showed (cell.html), the report of the session (session.html), what
`reprise top` printed (top.txt), and facts (facts.json).
"""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import reprise
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from places import PROGRAM

START = """
import reprise
spark = reprise.session(master="local[2]", **{
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.port": "0", "spark.ui.showConsoleProgress": "false",
    "spark.sql.warehouse.dir": WAREHOUSE, "spark.sql.shuffle.partitions": "2",
    "spark.sql.ansi.enabled": "true"})  # as Spark 3.5 has not by itself
spark.sparkContext.setLogLevel("OFF")
"""
CELL = """%%reprise
spark.range(1000).selectExpr("id % 7 AS k").groupBy("k").count().collect()
rows = spark.range(10).count()
"""


def main(folder: Path) -> None:
    shell = InteractiveShell.instance()
    facts = {}
    with capture_output():
        shell.run_cell("%load_ext reprise").raise_error()
        shell.run_cell(START.replace("WAREHOUSE", repr(str(folder / "warehouse")))).raise_error()
        shell.run_cell("spark.range(5).count()").raise_error()
    with capture_output() as shown:
        shell.run_cell(CELL).raise_error()
    (output,) = (each for each in shown.outputs if "text/html" in each.data)
    (folder / "cell.html").write_text(output.data["text/html"])
    facts["cell"] = output.data["text/plain"]
    facts["rows"] = shell.user_ns["rows"]
    with capture_output():
        failed = shell.run_cell("%%reprise\nspark.range(3).selectExpr('1 / 0').collect()")
    facts["failed"] = type(failed.error_in_exec).__name__
    spark = shell.user_ns["spark"]
    report = reprise.report(spark)
    report.save(folder / "session.html")
    facts["queries"] = len(report.queries)
    address = spark.sparkContext.uiWebUrl
    facts["same"] = len(reprise.report(address).queries)
    top = subprocess.run([PROGRAM, "top", address], capture_output=True, text=True, check=True)
    (folder / "top.txt").write_text(top.stdout)
    spark.stop()
    with contextlib.suppress(reprise.Error):
        reprise.report(address)
        facts["answers"] = True
    (folder / "facts.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
