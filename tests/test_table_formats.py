"""Tables of Iceberg and Delta, with their own jars: what they give goes on natively, unchanged."""

import json

import pytest
from apps import run_app


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict:
    folder = tmp_path_factory.mktemp("formats")
    run_app("table_formats_app.py", folder, cwd=folder)
    return json.loads((folder / "answers.json").read_text())


@pytest.mark.parametrize("name", ["iceberg", "delta"])
def test_answers_are_the_same_whoever_made_the_table_and_whoever_reads(told, name):
    for each in told[name]:
        first, *others = each["answers"]
        assert first, each["question"]
        for other in others:
            assert other == first, (each["question"], each.get("after"))


@pytest.mark.parametrize("name", ["iceberg", "delta"])
def test_columns_come_as_columns_and_the_rest_is_native(told, name):
    of = {each["question"]: each["plan"] for each in told[name]}
    grouped = of["select p, count(*), max(ts) from {t} where k > 100 group by p"]
    assert "RepriseColumnsToNative" in grouped
    assert "RepriseHashAggregate" in grouped
    assert "RepriseRowToNative" not in grouped
