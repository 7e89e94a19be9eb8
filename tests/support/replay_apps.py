"""Starts Spark's shell and applications written in Scala, with the plug-in, as a user does."""

import subprocess
from pathlib import Path

import applications
from cluster import OPENED, java
from places import JAR, SPARK_HOME
from sessions import JVM_OPTIONS, QUIET

OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
CONF = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.extraJavaOptions": QUIET,
    "spark.executor.defaultJavaOptions": JVM_OPTIONS,
}


def environment() -> dict[str, str]:
    return applications.environment(SPARK_HOME=str(SPARK_HOME), SPARK_LOCAL_IP="127.0.0.1")


def compiled(sources: list[Path], folder: Path) -> Path:
    """A jar of the Scala sources, by the compiler that Spark's shell brings."""
    jar = folder / "application.jar"
    class_path = ":".join([*map(str, sorted((SPARK_HOME / "jars").glob("*.jar"))), str(JAR)])
    command = [java(), "-Xss8m", "-XX:TieredStopAtLevel=1", "-cp", f"{SPARK_HOME}/jars/*"]
    command += ["scala.tools.nsc.Main", "-d", str(jar), "-cp", class_path, *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return jar


def submit(main_class: str, jar: Path, *arguments: object, **conf: str) -> str:
    """What spark-submit of the application prints; it must end well."""
    command = [str(SPARK_HOME / "bin" / "spark-submit"), "--class", main_class, "--jars", str(JAR)]
    for key, value in (CONF | conf).items():
        command += ["--conf", f"{key}={value}"]
    command += [str(jar), *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment(), timeout=180
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return done.stdout


def shell(lines: list[str], work: Path, **conf: str) -> str:
    """What Spark's shell prints when the lines are typed into it."""
    command = [str(SPARK_HOME / "bin" / "spark-shell"), "--master", "local", "--jars", str(JAR)]
    for key, value in (CONF | conf).items():
        command += ["--conf", f"{key}={value}"]
    done = subprocess.run(
        command,
        input="\n".join([*lines, ":quit", ""]),
        capture_output=True,
        text=True,
        check=False,
        env=environment() | {"TERM": "dumb"},
        cwd=work,
        timeout=180,
    )
    return done.stdout + done.stderr
