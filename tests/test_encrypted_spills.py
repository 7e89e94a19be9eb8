"""spark.io.encryption.enabled holds for what native operators spill."""

import json

import pytest
from applications import run_python
from places import SUPPORT

QUERIES = ["sort", "aggregate", "join"]


@pytest.fixture(scope="module")
def seen(with_plugin, tmp_path_factory) -> list[dict]:
    """What is seen in an application without encryption, and in one with it."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    work = tmp_path_factory.mktemp("spills")
    return json.loads(run_python(SUPPORT / "encrypted_spills.py", work, timeout=300).stdout)


@pytest.mark.parametrize("query", ["sort", "aggregate", "join"])
def test_values_are_in_spill_files_only_without_encryption(seen, query):
    plain, encrypted = (application[query] for application in seen)
    assert plain["telling"] > 0
    assert encrypted["files"] > 0
    assert encrypted["telling"] == 0
    assert encrypted["rows"] == plain["rows"]


def test_so_it_is_of_blocks_of_native_exchanges(seen):
    """Those are written by Spark."""
    plain, encrypted = (application["named"] for application in seen)
    assert plain > 0
    assert encrypted == 0
