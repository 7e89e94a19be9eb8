"""A standalone Spark cluster on 127.0.0.1: a master and two workers, each a process of its own."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

from places import SPARK_HOME
from sessions import JVM_OPTIONS


def java() -> str:
    """The java program of JAVA_HOME, or the one on the path."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else "java"


class Cluster:
    """Starts the daemons with Spark's own classes on free ports; `stop` ends what it started."""

    def __init__(self, folder: Path, workers: int = 2, own_hosts: bool = False):
        self.folder = folder
        self.processes: list[subprocess.Popen] = []
        try:
            log = self._start(
                "master",
                "org.apache.spark.deploy.master.Master",
                *["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"],
            )
            self.url = "spark://127.0.0.1:" + self._wait_for(
                log, r"Starting Spark master at .*:(\d+)"
            )
            for number in range(workers):
                # On another host Spark speculates, on the same one never.
                host = f"127.0.0.{number + 1 if own_hosts else 1}"
                log = self._start(
                    f"worker-{number}",
                    "org.apache.spark.deploy.worker.Worker",
                    *["--host", host, "--port", "0", "--webui-port", "0", "--cores", "1"],
                    *["--memory", "1g", "--work-dir", str(folder / f"work-{number}"), self.url],
                )
                self._wait_for(log, "(Successfully) registered with master")
        except BaseException:
            self.stop()
            raise

    def _start(self, name: str, main_class: str, *arguments: str) -> Path:
        log = self.folder / f"{name}.log"
        logging = self.folder / "log4j2.properties"
        logging.write_text(
            "rootLogger.level = info\nrootLogger.appenderRef.stdout.ref = console\n"
            "appender.console.type = Console\nappender.console.name = console\n"
            "appender.console.layout.type = PatternLayout\n"
            "appender.console.layout.pattern = %d %p %c: %m%n\n"
        )
        temporary = self.folder / f"tmp-{name}"
        temporary.mkdir()
        opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
        command = [java(), "-Xmx384m", *JVM_OPTIONS.split(), *opens]
        command += [f"-Djava.io.tmpdir={temporary}", f"-Dlog4j2.configurationFile=file:{logging}"]
        command += ["-cp", f"{SPARK_HOME}/conf/:{SPARK_HOME}/jars/*", main_class, *arguments]
        environment = os.environ | {
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_SCALA_VERSION": "2.13",  # else the worker looks for a source tree to ask
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
        }
        environment.pop("PYSPARK_GATEWAY_PORT", None)
        with log.open("w") as output:
            process = subprocess.Popen(
                command, env=environment, stdout=output, stderr=subprocess.STDOUT, cwd=self.folder
            )
        self.processes.append(process)
        return log

    def _wait_for(self, log: Path, pattern: str, seconds: float = 60) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if match := re.search(pattern, log.read_text()):
                return match[1]
            if self.processes[-1].poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(f"{log.name}: no {pattern!r}:\n{log.read_text()[-2000:]}")

    def stop(self) -> None:
        """Ends workers, then the master: asks first, kills after ten seconds."""
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.processes):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


# What Spark opens to itself on Java 17.
OPENED = (
    *("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio"),
    *("java.util", "java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref"),
    *("sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar"),
)
