"""A suite of Spark's own in a JVM of its own, as Spark's build runs it."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from cluster import OPENED, java
from places import BUILD, JAR, ROOT

FOLDER = BUILD / "spark-tests"
JARS = FOLDER / "jars"
HOME = FOLDER / "home"
PYTHON = ROOT / ".venv" / "bin"
# What stands in the place of a class of Spark's, where the plug-in is.
INSTEAD = Path(__file__).with_name("InSparksForm.scala")
RESOURCES = "src/test/resources"

# What Spark itself passes to its JVMs (JavaModuleOptions).
MODULE_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "--add-modules=jdk.incubator.vector",
    *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
    "--add-opens=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
    "-Djdk.reflect.useDirectMethodHandle=false",
    "-Dio.netty.tryReflectionSetAccessible=true",
)
# What Spark's build passes to its tests besides.
TEST_PROPERTIES = {
    "derby.system.durability": "test",
    "spark.testing": "1",
    "spark.test.home": str(HOME),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.master.rest.enabled": "false",
    "spark.unsafe.exceptionOnMemoryLeak": "true",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
# A suite's variants bear its name with more behind it (…SuiteAEOn).
SUITE = re.compile(r"Suite\w*\.class$")
PLUGIN_PROPERTIES = {"spark.plugins": "reprise.ReprisePlugin"}


@dataclass(frozen=True)
class Run:
    """How a suite's JVM ended, and where it left what."""

    status: int | None  # None: it did not end in time
    report: Path  # JUnit's XML; absent where the JVM ended before the suite did
    output: Path


def known_suites() -> set[str]:
    """The classes in the tests of sql/core, catalyst and core that could be suites."""
    names = set()
    for tests in JARS.glob("spark-*-tests.jar"):
        with ZipFile(tests) as jar:
            names |= {name[:-6] for name in jar.namelist() if SUITE.search(name)}
    return {name.replace("/", ".") for name in names if "$" not in name}


def compiled_instead() -> Path:
    """The folder of the classes of `INSTEAD`, which are older neither than it nor than the jar."""
    classes = FOLDER / "instead"
    made = classes / "made"
    newest = max(path.stat().st_mtime for path in (INSTEAD, JAR))
    if not made.exists() or made.stat().st_mtime < newest:
        shutil.rmtree(classes, ignore_errors=True)
        classes.mkdir()
        compiler = [java(), "-cp", f"{JARS}/*:{JAR}", "scala.tools.nsc.Main", "-usejavacp"]
        subprocess.run([*compiler, "-d", classes, INSTEAD], check=True)
        made.touch()
    return classes


def command_of(suite: str, chosen: str, with_plugin: bool, results: Path, work: Path) -> list[str]:
    """The command line; of the suite's tests those whose name holds `chosen`."""
    resources = [str(HOME / module / RESOURCES) for module in ("sql/core", "sql/catalyst", "core")]
    ours = [str(compiled_instead()), str(JAR)] if with_plugin else []
    class_path = [*resources, *ours, f"{JARS}/*"]
    properties = TEST_PROPERTIES | {
        "java.io.tmpdir": str(work),
        "log4j2.configurationFile": f"file:{Path(__file__).parent}/log4j2.properties",
        "spark.tests.log": str(results / f"{suite}.spark.log"),
    }
    if with_plugin:
        properties |= PLUGIN_PROPERTIES
    return [
        *(java(), "-ea", "-Xmx3g", "-Xss4m", *MODULE_OPTIONS),
        *(f"-D{key}={value}" for key, value in properties.items()),
        *("-cp", ":".join(class_path), "org.scalatest.tools.Runner", "-oWDF", "-u", str(results)),
        *("-s", suite, *(("-z", chosen) if chosen else ())),
    ]


def run_suite(suite: str, chosen: str, with_plugin: bool, seconds: float) -> Run:
    """Runs a suite to its end, or for so many seconds; what earlier runs left is removed."""
    results = FOLDER / "results" / ("with" if with_plugin else "without")
    work, here = FOLDER / "work", HOME / "sql" / "core"
    for leftover in (work, here / "spark-warehouse", here / "metastore_db"):
        shutil.rmtree(leftover, ignore_errors=True)
    work.mkdir()
    results.mkdir(parents=True, exist_ok=True)
    run = Run(None, results / f"TEST-{suite}.xml", results / f"{suite}.txt")
    run.report.unlink(missing_ok=True)
    environment = os.environ | {
        "PATH": f"{PYTHON}:{os.environ['PATH']}",
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_SCALA_VERSION": "2.13",
        "SPARK_TESTING": "1",
    }
    command = command_of(suite, chosen, with_plugin, results, work)
    try:
        with run.output.open("w") as output:
            ended = subprocess.run(
                command, cwd=here, env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, timeout=seconds, check=False,
            )  # fmt: skip
    except subprocess.TimeoutExpired:
        return run
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Run(ended.returncode, run.report, run.output)
