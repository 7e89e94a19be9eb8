"""The program as `make build` lays it out: small, with symbols, and gdb finds lines beside it."""

import subprocess

import pytest
from places import ROOT

PACKED = ("bin/reprise", "lib/libreprise.so")
MEGABYTES = 15


def output_of(*command: str) -> str:
    ran = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return ran.stdout


@pytest.mark.parametrize("name", PACKED)
def test_is_small_and_keeps_its_symbols(name):
    file = ROOT / "dist" / name
    assert file.stat().st_size <= MEGABYTES << 20
    sections = output_of("objdump", "-h", str(file))
    assert ".debug_info" not in sections
    assert "reprise::Operator::Next()" in output_of("nm", "-C", str(file))


@pytest.mark.parametrize("name", PACKED)
def test_gdb_finds_the_lines(name):
    found = output_of(
        *("gdb", "-batch", "-nx", "-iex", "set debuginfod enabled off"),
        *("-ex", "info line reprise::Operator::Next", f"dist/{name}"),
    )
    assert 'core/operators/operator.cc"' in found
