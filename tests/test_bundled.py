"""What jar and wheel say of the software of others that they carry."""

import json
import zipfile
from pathlib import Path, PurePath

import pytest
from places import DIST, JAR, ROOT

WHEEL = max(DIST.glob("spark_reprise-*.whl"), default=Path())
# By file, where licences and bill of materials lie in it.
CARRIERS = {
    JAR: ("META-INF", "META-INF/sbom"),
    WHEEL: ("*.dist-info/licenses", "*.dist-info/sboms"),
}


@pytest.fixture(params=CARRIERS, ids=("jar", "wheel"))
def carrier(request, with_plugin):
    if not with_plugin:
        pytest.skip("needs the plug-in")
    licences, bill = CARRIERS[request.param]
    with zipfile.ZipFile(request.param) as file:
        yield file, licences, bill


def the_one(file: zipfile.ZipFile, pattern: str) -> str:
    (name,) = [name for name in file.namelist() if PurePath(name).match(pattern)]
    return file.read(name).decode()


def test_everything_in_it_has_a_version_and_a_licence(carrier):
    file, licences, bill = carrier
    components = json.loads(the_one(file, f"{bill}/reprise.cdx.json"))["components"]
    for component in components:
        text = the_one(file, f"{licences}/licenses/{component['name'].replace(' ', '-')}.txt")
        assert len(text) > 500, component
        assert component["version"], component
        assert component["licenses"][0]["expression"], component
    said = " ".join(component["description"] for component in components)
    libraries = {PurePath(name).name.split(".so")[0] for name in file.namelist() if ".so" in name}
    # The wheel's are reparrow and so on (build-support/private_libraries.py).
    others = {name.replace("rep", "lib", 1) for name in libraries - {"libreprise", "_core.abi3"}}
    assert {name for name in others if name not in said} == set()


def test_what_arrow_is_made_of_is_named(carrier):
    file, licences, bill = carrier
    components = json.loads(the_one(file, f"{bill}/reprise.cdx.json"))["components"]
    (arrow,) = [component for component in components if component["name"] == "Apache Arrow"]
    within = {part["name"]: part.get("version") for part in arrow["components"]}
    licence = the_one(file, f"{licences}/licenses/Apache-Arrow.txt")
    for name in ("zstd", "lz4", "snappy", "Brotli", "zlib", "Apache Thrift", "re2", "openssl"):
        assert f"dependency {name} " in licence
        assert name in within
    assert within["abseil"].startswith("20")
    # Of these Arrow has a library that is not in here.
    assert not {"LLVM", "gflags", "UCX"} & within.keys()


def test_the_licence_and_the_notices_that_apache_asks_for(carrier):
    file, licences, _ = carrier
    assert the_one(file, f"{licences}/LICENSE") == (ROOT / "LICENSE").read_text()
    notice = the_one(file, f"{licences}/NOTICE")
    assert notice.startswith("Reprise\n")
    assert "Apache Arrow" in notice
