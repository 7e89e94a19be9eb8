"""A history server of Spark's over a folder of event logs, with the plug-in's jar beside it."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

from places import JAR, SPARK_HOME
from ports import free_port


def read(address: str) -> str:
    with urlopen(address, timeout=60) as answer:
        return answer.read().decode()


@contextlib.contextmanager
def history_server(logs: Path, kept: Path) -> Iterator[str]:
    """Its address; `kept` is where it keeps on disk what it has read."""
    port = free_port()
    options = {
        "spark.history.fs.logDirectory": f"file:{logs}",
        "spark.history.ui.port": port,
        "spark.history.fs.update.interval": "1s",
        "spark.history.store.path": kept / "store",
    }
    environment = os.environ | {
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_CLASSPATH": str(JAR),
        "SPARK_DAEMON_JAVA_OPTS": " ".join(f"-D{key}={value}" for key, value in options.items()),
    }
    command = [SPARK_HOME / "bin" / "spark-class", "org.apache.spark.deploy.history.HistoryServer"]
    with (kept / "history.log").open("w") as log:
        server = subprocess.Popen(
            command, env=environment, cwd=kept, stdout=log, stderr=log, start_new_session=True
        )
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 120
        while True:
            assert server.poll() is None, (kept / "history.log").read_text()[-3000:]
            assert time.monotonic() < until, (kept / "history.log").read_text()[-3000:]
            with contextlib.suppress(OSError):
                if '"id" :' in read(f"{url}/api/v1/applications"):
                    break
            time.sleep(0.5)
        yield url
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
