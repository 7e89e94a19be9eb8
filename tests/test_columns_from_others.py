"""Columns that Spark's own readers give: what plans say of them, what is recorded, what fails."""

import shutil
from pathlib import Path

import pytest
from answers import answer_of, difference
from test_dump import reprise
from whole_dumps import dump_all, rows_of

ROWS = 20000
COUNTED = "SELECT k, count(*), max(text), sum(n) FROM {} GROUP BY k"


@pytest.fixture(autouse=True)
def second_interface(native):
    """ORC read by Spark's second interface of sources, whose files the core does not read."""
    native.conf.set("spark.sql.sources.useV1SourceList", "")


@pytest.fixture(scope="module")
def orc(spark, with_plugin, tmp_path_factory) -> Path:
    if not with_plugin:
        pytest.skip("needs the plug-in")
    folder = tmp_path_factory.mktemp("orc") / "sound"
    columns = ["id n", "id % 7 k", "if(id % 5 = 0, null, concat('text ', id)) text"]
    spark.range(0, ROWS, 1, 1).selectExpr(*columns).write.orc(str(folder))
    return folder


@pytest.fixture
def sound(native, orc) -> Path:
    native.read.orc(str(orc)).createOrReplaceTempView("sound")
    return orc


def plan_of(spark, query: str) -> str:
    return spark.sql(f"EXPLAIN {query}").first()[0]


def test_the_plan_says_whose_columns_are_read(native, sound):
    query = COUNTED.format("sound")
    native.conf.set("spark.sql.adaptive.enabled", "false")
    plan = plan_of(native, query)
    assert "RepriseColumnsToNative" in plan
    assert "ColumnarToRow" not in plan
    native.conf.set("spark.sql.orc.enableVectorizedReader", "false")
    assert "RepriseRowToNative" in plan_of(native, query)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_an_operator_above_is_dumped_and_replayed(native, sound, tmp_path, adaptive):
    native.conf.set("spark.sql.adaptive.enabled", adaptive)
    query = COUNTED.format("sound")
    expected = rows_of(native, query)
    rows, dumps = dump_all(native, query, tmp_path / "all")
    assert rows == expected
    number = max(i for i, dump in dumps.items() if dump.name == "RepriseHashAggregate")
    chosen = {"spark.reprise.lore.idsToDump": f"{number}[*]"}
    rows, alone = dump_all(native, query, tmp_path / "alone", **chosen)
    assert rows == expected
    assert list(alone) == [number]
    for dump in (dumps[number], alone[number]):
        assert dump.rows("input-0") == ROWS
        assert reprise("replay", dump.folder).returncode == 0


def test_a_damaged_file_fails_as_on_spark_alone(native, orc):
    (sound,) = orc.glob("*.orc")
    data = bytearray(sound.read_bytes())
    damaged = orc.parent / "damaged"
    for place, length in ((100, 2000), (len(data) - 40, 30)):
        shutil.rmtree(damaged, ignore_errors=True)
        damaged.mkdir()
        changed = data.copy()
        changed[place : place + length] = b"\xff" * length
        (damaged / "a.orc").write_bytes(changed)
        outcomes = []
        for enabled in ("false", "true"):
            native.conf.set("spark.reprise.sql.enabled", enabled)
            table = native.read.schema("n LONG, k LONG, text STRING").orc(str(damaged))
            table.createOrReplaceTempView("damaged")
            outcomes.append(answer_of(native.sql(COUNTED.format("damaged")), ordered=False))
        assert outcomes[0].error
        assert difference(*outcomes) is None
