"""Spark's own shells and servers, as users start them, with the plug-in."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from applications import environment
from places import JAR, SPARK_HOME
from ports import free_port

THRIFT_SERVER = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"


def options(folder: Path) -> list[str]:
    """The two options of every front end, and what keeps a test's files and ports its own."""
    (folder / "tmp").mkdir(exist_ok=True)
    conf = {
        "spark.plugins": "reprise.ReprisePlugin",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={folder}/tmp",
        "spark.sql.warehouse.dir": f"file:{folder}/warehouse",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
    }
    given = ["--master", "local[2]", "--jars", str(JAR)]
    for key, value in conf.items():
        given += ["--conf", f"{key}={value}"]
    return given


def command(name: str, *arguments: object) -> list[str]:
    return [str(SPARK_HOME / "bin" / name), *map(str, arguments)]


def settings() -> dict[str, str]:
    return environment(SPARK_HOME=str(SPARK_HOME), SPARK_LOCAL_IP="127.0.0.1")


def run(
    folder: Path, name: str, *arguments: object, typed: str = ""
) -> subprocess.CompletedProcess:
    """Runs a front end to its end, however it ends."""
    return subprocess.run(
        command(name, *arguments),
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
        env=settings(),
    )


@contextlib.contextmanager
def thrift_server(folder: Path) -> Iterator[str]:
    """The address that a JDBC client connects to."""
    port = free_port()
    hive = [
        *("--hiveconf", f"hive.server2.thrift.port={port}"),
        *("--hiveconf", "hive.server2.thrift.bind.host=127.0.0.1"),
    ]
    log = folder / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            command("spark-submit", "--class", THRIFT_SERVER, *options(folder), *hive),
            env=settings(),
            cwd=folder,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + 120
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            assert server.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < until, log.read_text()[-3000:]
            time.sleep(0.2)
        yield f"jdbc:hive2://127.0.0.1:{port}/"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
