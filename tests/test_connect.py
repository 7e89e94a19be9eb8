"""A server of Spark Connect with the plug-in: two clients, and what tells of them later."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from places import PROGRAM, SPARK_HOME, SUPPORT
from ports import free_port
from sessions import session_options

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def start_server(folder: Path, port: int) -> subprocess.Popen:
    for name in ("tmp", "events"):
        (folder / name).mkdir()
    conf = session_options(folder / "tmp", with_plugin=True) | {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.ui.enabled": "true",
        "spark.ui.port": "0",
        "spark.memory.offHeap.enabled": "true",
        "spark.memory.offHeap.size": "512m",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{folder}/events",
        "spark.reprise.lineage.path": f"file://{folder}/lineage",
        "spark.reprise.ledger.path": f"file://{folder}/ledger",
    }
    command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", "local[2]", "--class", SERVER]
    for key, value in conf.items():
        command += ["--conf", f"{key}={value}"]
    (connect,) = (SPARK_HOME / "jars").glob("spark-connect_*.jar")
    environment = os.environ | {"SPARK_HOME": str(SPARK_HOME), "PYSPARK_PYTHON": sys.executable}
    environment.pop("PYSPARK_GATEWAY_PORT", None)
    with (folder / "server.log").open("w") as log:
        return subprocess.Popen(
            [*command, str(connect)],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def wait_for(server: subprocess.Popen, port: int, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise RuntimeError(f"the server does not answer: {log.read_text()[-2000:]}")


def stop(server: subprocess.Popen) -> None:
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(60)
    finally:
        server.kill()


def client(port: int, lineitem: Path) -> dict:
    done = subprocess.run(
        [
            sys.executable,
            str(SUPPORT / "connect_client.py"),
            f"sc://127.0.0.1:{port}",
            str(lineitem),
        ],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def served(with_plugin, tpch, tmp_path_factory) -> tuple[Path, list[dict]]:
    """The server's folder when it has ended, and what two clients got, one after the other."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    folder = tmp_path_factory.mktemp("connect")
    port = free_port()
    server = start_server(folder, port)
    try:
        wait_for(server, port, folder / "server.log")
        answers = [client(port, tpch / "lineitem.parquet") for _ in range(2)]
    finally:
        stop(server)
    return folder, answers


def program(*arguments: object) -> str:
    command = [str(PROGRAM), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def log_of(folder: Path) -> Path:
    (log,) = (folder / "events").iterdir()
    return log


def test_a_client_gets_the_report_of_its_application(served):
    _, answers = served
    for answer in answers:
        natives = [query for query in answer["report"] if query["nativeMs"] > 0]
        assert len(natives) >= 2
        assert all(query["ended"] for query in answer["report"])


def test_queries_of_a_client_run_natively_and_give_what_sparks_give(served):
    folder, answers = served
    for answer in answers:
        assert answer["true"] == answer["false"]
        assert len(answer["true"]) == 4
    queries = program("explain", log_of(folder)).split("\nSQL ")
    native = [query for query in queries if re.search("HashAggregate .* yes$", query, re.M)]
    sparks = [query for query in queries if " HashAggregate(keys=" in query]
    assert (len(native), len(sparks)) == (4, 4)


def test_an_rdd_of_a_client_is_a_line_and_the_same_in_each_session(served):
    folder, _ = served
    log = log_of(folder)
    sites = Counter(rdd["callSite"] for rdd in json.loads(program("rdds", "--json", log))["rdds"])
    of_clients = {site: count for site, count in sites.items() if site.startswith("Spark Connect")}
    assert len(of_clients) >= 4
    assert all(count % 2 == 0 for count in of_clients.values()), of_clients
    lines = program("rdds", log).splitlines()
    assert len(lines) == sum(sites.values())
    assert all(re.match(r"#\d+: \w+ Spark Connect - plan \{ ", line) for line in lines), lines


def test_the_ledger_and_the_recording_of_a_server_are_read(served, spark):
    folder, _ = served
    (ledger,) = (folder / "ledger").iterdir()
    assert "the same each time" in program("ledger", "check", ledger)
    replayer = spark._jvm.reprise.EventReplayer(
        spark.sparkContext._jsc.sc(), f"file://{folder}/lineage"
    )
    lines = replayer.rddLines().mkString("\n").splitlines()
    assert any("Spark Connect" in line for line in lines)
    assert all(re.match(r"#\d+: ", line) for line in lines), lines
