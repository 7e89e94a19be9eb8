"""One Spark for all tests, its plug-in switched off and on at run time; the tables they read."""

import functools
import hashlib
import os
import shutil
from pathlib import Path

import pytest
import tpch_queries
from answers import Answer, answer_of
from data import tables
from flame_runs import hot_stages_jar
from places import BUILD, IS_DEFAULT_SPARK, JAR, ROOT, SPARK
from sessions import JVM_OPTIONS, LAUNCHER_OPTIONS, session_options, settings, start_session

# For this process and those that it starts; benches and the demo, which use the same sessions, want
# JVMs as users have them.
os.environ.setdefault("SPARK_SUBMIT_OPTS", JVM_OPTIONS)
os.environ.setdefault("SPARK_LAUNCHER_OPTS", LAUNCHER_OPTIONS)

# The jars of table formats are for one Spark.
collect_ignore = [] if IS_DEFAULT_SPARK else ["test_table_formats.py"]
if SPARK == "3.5":  # Which writes files, and sends rows to Python, itself.
    collect_ignore += ["test_writes.py", "test_written_ids.py"]
    collect_ignore += ["test_python_functions.py", "test_python_windows.py"]
else:
    collect_ignore += ["test_earlier_spark.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--spark-alone",
        action="store_true",
        help="leave the plug-in out: checks the test files themselves against Spark",
    )
    parser.addoption(
        "--thorough",
        action="store_true",
        help="also what is marked so: long tests of what shorter ones show, more of a kind",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--thorough"):
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thorough: runs with --thorough alone")
    if not JAR.exists() and not config.getoption("--spark-alone"):
        raise pytest.UsageError(f"no {JAR.relative_to(ROOT)}: run `make build` first")


@pytest.fixture(scope="session")
def with_plugin(request: pytest.FixtureRequest) -> bool:
    return not request.config.getoption("--spark-alone")


@pytest.fixture(scope="session")
def hot(with_plugin, tmp_path_factory) -> Path:
    """The jar of jobs whose stages are known by their methods."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    return hot_stages_jar(tmp_path_factory.mktemp("hot"))


@pytest.fixture(scope="session")
def tpch() -> Path:
    """The folder of the TPC-H tables at scale factor 0.01."""
    folder = Path(os.environ.get("REPRISE_TPCH", BUILD / "data" / "tpch-sf0.01"))
    if not folder.is_dir():
        pytest.fail(f"no {folder}: run `make test-whole`, which generates it")
    return folder


@pytest.fixture(scope="session")
def test_tables() -> Path:
    """The folder of the awkward tables, written again whenever the code that makes them changes."""
    sources = sorted((ROOT / "tests" / "data").glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    folder = BUILD / "data" / f"tables-{digest}"
    if not folder.exists():
        part = folder.with_name(f"{folder.name}.{os.getpid()}")
        tables.write_all(part)
        try:
            part.rename(folder)
        except OSError:  # another process of these tests was first
            shutil.rmtree(part)
    return folder


@pytest.fixture(scope="session")
def spark(with_plugin, tpch, test_tables, tmp_path_factory):
    """A local Spark of two cores with the plug-in and every test table as a view."""
    work = tmp_path_factory.mktemp("spark")
    options = session_options(work, with_plugin)
    if with_plugin:
        options["spark.reprise.order.debug"] = "true"
    session = start_session("local[2]", options)
    tables.open_all(session, tpch, test_tables)
    yield session
    session.stop()
    shutil.rmtree(work, ignore_errors=True)


@pytest.fixture(scope="session")
def spark_answers(spark):
    """Spark's own answer to a TPC-H query, in order; taken once for all tests."""

    @functools.cache
    def answer(number: int) -> Answer:
        before = spark.conf.get("spark.reprise.sql.enabled", "false")
        spark.conf.set("spark.reprise.sql.enabled", "false")
        try:
            return answer_of(spark.sql(tpch_queries.query(number)), ordered=True)
        finally:
            spark.conf.set("spark.reprise.sql.enabled", before)

    return answer


@pytest.fixture
def native(spark, with_plugin):
    """Spark with the plug-in on for one test; every setting that the test makes is taken back."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    before = settings(spark)
    spark.conf.set("spark.reprise.sql.enabled", "true")
    yield spark
    spark.catalog.clearCache()
    for key, value in settings(spark).items():
        if key not in before:
            spark.conf.unset(key)
        elif before[key] != value:
            spark.conf.set(key, before[key])
    spark.conf.set("spark.reprise.sql.enabled", "false")
