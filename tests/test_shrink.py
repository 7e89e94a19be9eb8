"""`reprise shrink`: few rows that go on to show what a dump shows."""

import json
import os
import subprocess
from pathlib import Path

import pytest
import reprise as package
from operators import lore_id
from places import PROGRAM, SPARK_HOME
from test_dump import dump, run, seal

BAD_ROW = 123_457
QUERY = f"""
    SELECT id, concat('name ', id) AS s, 1000 / if(id = {BAD_ROW}, 0, id % 100 + 1) AS r
    FROM range(0, 200000, 1, 2) WHERE id >= 0"""


def shrink(*arguments: object) -> subprocess.CompletedProcess:
    """Runs the program as a user does, with Spark in the environment."""
    where = {"SPARK_HOME": str(SPARK_HOME)}
    return subprocess.run(
        [str(PROGRAM), "shrink", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | where,
    )


def shrunk(folder: Path, out: Path, *options: object) -> dict:
    result = shrink(folder, "--out", out, "--json", *options)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def rows_of(folder: str, stream: int = 0) -> list[dict]:
    return package.open(folder).input(stream).to_pylist()


def test_the_row_that_breaks_an_assertion(native, tmp_path):
    native.conf.set("spark.sql.ansi.enabled", "false")
    number = lore_id(run(native, QUERY), "RepriseProject")
    dump(native, tmp_path / "dump", f"{number}[*]", QUERY)
    folder = tmp_path / "dump" / f"loreId-{number}"
    found = shrunk(folder, tmp_path / "small", "--while-assert", "r IS NOT NULL")
    assert found["rowsBefore"] == [100_000]
    assert found["partition"] == 1
    assert rows_of(found["folder"]) == [{"id": BAD_ROW}]
    again = subprocess.run(
        [PROGRAM, "replay", found["folder"], "--assert", "r IS NOT NULL"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 1, again.stdout + again.stderr
    *settings, statement = Path(found["statement"]).read_text().removesuffix(";\n").split(";\n")
    for setting in settings:
        native.sql(setting)
    assert [row["r"] for row in native.sql(statement).collect()] == [None]
    unit_test = Path(found["unitTest"]).read_text()
    assert "KeepsTheAssertion" in unit_test
    assert f"[{BAD_ROW}]" in unit_test
    again = subprocess.run(
        [PROGRAM, "replay", tmp_path / "small"], capture_output=True, check=False
    )
    assert again.returncode == 3, "what lies beside the operator's folder is no part of the dump"


def test_the_rows_that_make_a_join_differ_from_sparks(native, tmp_path):
    """The core's join is another one than Spark's: its plan says so."""
    native.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    query = """
        SELECT a.id, b.id AS other FROM range(0, 8000, 1, 1) a JOIN range(0, 8000, 1, 1) b
        ON a.id = b.id AND a.id + b.id > 8000"""
    frame = run(native, query)
    number = lore_id(frame, "RepriseSortMergeJoin")
    dump(native, tmp_path / "dump", f"{number}[0]", query)
    folder = tmp_path / "dump" / f"loreId-{number}"
    path = folder / "plan.meta"
    text = path.read_text()
    assert '"value": 8000' in text
    path.write_text(seal(text.replace('"value": 8000', '"value": 8008', 1)))
    found = shrunk(folder, tmp_path / "small", "--while-differs")
    assert found["rows"] == [1, 1]
    assert rows_of(found["folder"], 0) == rows_of(found["folder"], 1)
    assert 8_000 < 2 * rows_of(found["folder"])[0]["id"] <= 8_008
    result = subprocess.run(
        [PROGRAM, "replay", found["folder"]], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1, result.stdout + result.stderr


def test_the_row_at_which_a_function_of_pythons_fails(native, tmp_path):
    from pyspark.sql.functions import udf

    def check(value):
        if value == 277:
            raise ValueError(f"no good: {value}")
        return value

    # By rows in every Spark: from 4.2 on functions are given columns unless told otherwise.
    checked = udf(check, "long", useArrow=False)
    frame = native.range(0, 300, 1, 1).select(checked("id").alias("v"))
    with pytest.raises(Exception, match="no good"):
        native.conf.set("spark.reprise.lore.when", "failure")
        package.dump(frame, "BatchEvalPython", tmp_path / "dump")
    folder = next((tmp_path / "dump").glob("query-*/loreId-*"))
    found = shrunk(folder, tmp_path / "small", "--while-fails")
    assert rows_of(found["folder"]) == [{"id": 277}]
    assert "ValueError: no good: 277" in found["seen"]


def test_what_it_cannot_shrink_it_says(native, tmp_path):
    query = "SELECT k + 1 AS k FROM many_keys"
    number = lore_id(run(native, query), "RepriseProject")
    dump(native, tmp_path / "dump", f"{number}[*]", query)
    folder = tmp_path / "dump" / f"loreId-{number}"
    result = shrink(folder, "--out", tmp_path / "small")
    assert result.returncode == 2
    assert "--while-fails" in result.stderr
    result = shrink(folder, "--out", tmp_path / "small", "--while-fails")
    assert result.returncode == 2
    assert "nothing to shrink" in result.stderr
    assert not (tmp_path / "small").exists()
