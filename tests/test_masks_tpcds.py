"""Dumps of TPC-DS whose texts are all secrets, each of them masked, tell none of them.

Takes some queries; all of them with REPRISE_MASKED_TPCDS=all, which is slow.
"""

import os
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import warehouse
from places import BUILD
from planted_secrets import leaks
from spark_log import warnings_of
from whole_dumps import dump_all, rows_of

PLAIN = BUILD / "data" / "tpcds-plain-sf0.01"
IS_WHOLE = os.environ.get("REPRISE_MASKED_TPCDS") == "all"
SOME = (27, 47)  # a roll-up; windows over what is joined with itself
LITERAL = re.compile(r"(?<!\|\| )(?<!\|\|)'([^']*)'(?! *\|\|)")


class Planted:
    """Tables whose texts all begin with SECRET, and queries that compare with such texts."""

    def __init__(self, spark, folder: Path):
        self.values: set[str] = set()
        self.masked: list[str] = []
        for file in sorted(PLAIN.glob("*.parquet")):
            table = pq.read_table(file)
            for i, field in enumerate(table.schema):
                if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
                    texts = table.column(i).cast(pa.string())
                    self.values.update(text for text in pc.unique(texts).to_pylist() if text)
                    secret = pc.binary_join_element_wise("SECRET", texts, "")
                    table = table.set_column(i, field.name, secret)
                    self.masked.append(field.name)
            pq.write_table(table, folder / file.name)
            spark.read.parquet(str(folder / file.name)).createOrReplaceTempView(file.stem)

    def query(self, number: int) -> str:
        """What a query shows of itself is no secret: only what it compares columns with."""

        def planted(match: re.Match) -> str:
            text = match[1]
            is_pattern = match.string[: match.start()].rstrip().lower().endswith("like")
            return f"'SECRET{text}'" if is_pattern or text in self.values else match[0]

        return LITERAL.sub(planted, warehouse.query(PLAIN, number))

    def masks(self, query: str) -> str:
        """Of the columns that the query names: where one is not in it, nothing is dumped."""
        named = sorted(set(self.masked) & set(re.findall(r"\w+", query)))
        return ", ".join(f"{name}:{('hash', 'null')[i % 2]}" for i, name in enumerate(named))


def numbers() -> list[int]:
    """Of the queries: some, or all of those that name a text at all."""
    if not IS_WHOLE:
        return list(SOME)
    texts = {
        field.name
        for file in PLAIN.glob("*.parquet")
        for field in pq.read_schema(file)
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    }
    words = {n: set(re.findall(r"\w+", warehouse.query(PLAIN, n))) for n in warehouse.NUMBERS}
    return [number for number, named in words.items() if named & texts]


@pytest.fixture(scope="module")
def planted(spark, with_plugin, tmp_path_factory):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    session = spark.newSession()
    session.conf.set("spark.reprise.sql.enabled", "true")
    tables = Planted(session, tmp_path_factory.mktemp("planted"))
    yield session, tables


@pytest.mark.parametrize("number", numbers())
def test_no_secret_is_in_a_dump_a_trace_or_a_log(planted, tmp_path, number):
    session, tables = planted
    query = tables.query(number)
    masks = {"spark.reprise.lore.mask": tables.masks(query)}
    trace = {"spark.reprise.trace.path": str(tmp_path / "trace")}
    expected = rows_of(session, query)
    for mode in ("execute", "explainOnly"):
        session.conf.set("spark.reprise.sql.mode", mode)
        with warnings_of(session, "reprise.plugin.Planning") as said:
            rows, dumps = dump_all(session, query, tmp_path / mode, **masks, **trace)
        assert rows == expected
        assert dumps
        assert not [line for line in said if "SECRET" in line]
    told = leaks(tmp_path)
    assert not told, "\n".join(f"{file}: {lines}" for file, lines in list(told.items())[:10])
