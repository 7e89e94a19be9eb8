"""Runs in its own process: jobs under spark.reprise.flameGraph. Prints JSON.

Arguments: what to run (the name of a function below), the master, a work folder, the jar of
HotStages.
"""

import contextlib
import ctypes
import errno
import itertools
import json
import os
import resource
import shutil
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from flame_pages import weight
from operators import native_operators
from places import JAR, SUPPORT
from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf
from sessions import session_options

FAIR_MS = 200
SHORT_MS = 50


def options_of(work: Path, hot: Path, more: dict[str, str]) -> dict[str, str]:
    own = {
        "spark.jars": f"{JAR},{hot}",
        "spark.driver.extraClassPath": str(hot),
        "spark.driver.memory": "1g",
        "spark.executor.memory": "700m",
    }
    return session_options(work, with_plugin=True) | own | more


def session(master: str, work: Path, hot: Path, more: dict[str, str]) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("reprise flame graphs")
    for key, value in options_of(work, hot, more).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def stages(spark: SparkSession) -> dict[int, str]:
    """The job description of each stage, as Spark tells it."""
    lines = spark._jvm.HotStages.stages(spark.sparkContext._jsc).splitlines()
    return {int(stage): name for stage, name in (line.split(" ", 1) for line in lines)}


def fair(spark: SparkSession, folder: Path) -> dict:
    """Three jobs at once under FAIR, ten short stages, a native query."""
    hot = spark._jvm.HotStages
    context = spark.sparkContext._jsc
    hot.runFair(context, 2, 4, FAIR_MS)
    fair_stages = stages(spark)
    for _ in range(10):
        hot.run(context, "short", 1, SHORT_MS)
    # Pages are there before the application ends.
    end = time.monotonic() + 60
    while len(list(folder.glob("*-exec-*-stage-*.html"))) < 16 and time.monotonic() < end:
        time.sleep(0.05)
    before_end = sorted(file.name for file in folder.glob("*-exec-*-stage-*.html"))
    operators = aggregate(spark, "native")
    aggregate(spark, "generated")
    return {
        "fair": fair_stages,
        "all": stages(spark),
        "before_end": before_end,
        "operators": operators,
    }


def aggregate(spark: SparkSession, how: str) -> list[str]:
    """An aggregate over numbers, native or in code that Spark generates; its native operators."""
    spark.conf.set("spark.reprise.sql.enabled", str(how == "native").lower())
    spark.sparkContext.setJobDescription(how)
    frame = spark.sql(
        "SELECT id % 1000 AS k, sum(id * 3) AS s FROM range(0, 30000000, 1, 2) GROUP BY id % 1000"
    )
    frame.collect()
    return [f"{one.name} [loreId={one.lore_id}]" for one in native_operators(frame)]


def cluster(spark: SparkSession, folder: Path) -> dict:
    """A stage on both executors; a query that takes the driver longer to plan than to run."""
    spark._jvm.HotStages.run(spark.sparkContext._jsc, "burnTwo", 4, 700)
    sums = ", ".join(f"sum(id % {number}) AS s{number}" for number in range(2, 70))
    spark.sql(f"SELECT {sums} FROM range(100)").collect()
    return {"all": stages(spark)}


def threads(spark: SparkSession, folder: Path) -> dict:
    """Stages whose tasks start threads: Spark's for piped programs and Python, and their own."""
    hot, context = spark._jvm.HotStages, spark.sparkContext._jsc
    hot.pipe(context, 2, 400)
    hot.start(context, 2, 300)
    spark.conf.set("spark.reprise.sql.enabled", "false")
    spark.udf.register("next_of", lambda number: number + 1, "long")
    spark.udf.register("twice", pandas_udf(lambda column: column * 2, "long"))
    rows = "range(0, 100000, 1, 2)"
    queries = {
        "script": f"SELECT TRANSFORM(id) USING 'cat' AS (x STRING) FROM {rows}",
        "udf": f"SELECT max(next_of(id)) FROM {rows}",
        "pandas": f"SELECT max(twice(id)) FROM {rows}",
    }
    for name, query in queries.items():
        spark.sparkContext.setJobDescription(name)
        spark.sql(query).collect()
    return {"all": stages(spark)}


def bounded(spark: SparkSession, folder: Path) -> dict:
    """More stages than maxBytes has room for."""
    for _ in range(45):
        spark._jvm.HotStages.run(spark.sparkContext._jsc, "burnOne", 2, 60)
    return {"all": stages(spark)}


def forbidden(spark: SparkSession, folder: Path) -> dict:
    """A stage in a process that may not use something."""
    spark._jvm.HotStages.run(spark.sparkContext._jsc, "burnOne", 2, 500)
    return {"all": stages(spark)}


def allocated(spark: SparkSession, folder: Path) -> dict:
    """A stage that makes many objects, and touches much memory for the first time."""
    spark.conf.set("spark.reprise.sql.enabled", "false")
    spark.sql("SELECT max(concat(id, 'x')) FROM range(0, 3000000, 1, 2)").collect()
    return {"all": stages(spark)}


def starved(spark: SparkSession, folder: Path) -> dict:
    """A stage in a process that may have no more signals pending: timers are counted as such."""
    process = spark._jvm.java.lang.ProcessHandle.current().pid()
    resource.prlimit(process, resource.RLIMIT_SIGPENDING, (0, 0))
    spark._jvm.HotStages.run(spark.sparkContext._jsc, "burnOne", 2, 300)
    return {"all": stages(spark)}


def take_signal(options: dict[str, str]) -> None:
    """Starts the JVM, in which somebody handles SIGVTALRM before there is a Spark."""
    SparkContext._ensure_initialized(conf=SparkConf().setAll(options.items()))
    SparkContext._jvm.HotStages.takeSignal()


def forbid_perf_events() -> None:
    """From now on the kernel refuses perf_event_open to this process, as it does in containers."""
    number = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
    load, jump_if_equal, answer = 0x20, 0x15, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EACCES
    steps = [(load, 0, 0, 0), (jump_if_equal, 0, 1, number), (answer, 0, 0, refuse)]
    code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (answer, 0, 0, allow)])
    steps_at = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(steps_at))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    set_no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    if prctl(set_no_new_privileges, 1, 0, 0, 0) or prctl(set_seccomp, filter_mode, program, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls cannot be set")


def killed_executor(spark: SparkSession, folder: Path) -> dict:
    """A stage on two executors; one of them is killed once its page has samples of the stage.

    The stage runs until it is cancelled: however busy the machine is, it is not over by then. The
    index may come later than the page: who writes it pauses for a minute where it took long.
    """

    def burn() -> None:
        with contextlib.suppress(Py4JError):  # it is cancelled
            spark._jvm.HotStages.run(spark.sparkContext._jsc, "burnOne", 2, 3_600_000)

    job = threading.Thread(target=burn, daemon=True)
    job.start()
    wait_until(lambda: has_samples(folder, "*-exec-0-stage-0-*.html", r"HotStages\.burnOne$", 5))
    at_kill = sorted(file.name for file in folder.glob("*-stage-*"))
    os.kill(executor_process(spark.sparkContext.applicationId, "0"), signal.SIGKILL)
    # Who ends before the driver knows waits for what the executor would have written.
    context = spark.sparkContext._jsc.sc()
    wait_until(lambda: "0" not in context.getExecutorIds().mkString(" ").split())
    spark.sparkContext.cancelAllJobs()
    job.join(120)
    # As if another one had been killed after it had written its page and before it told of that.
    for file in list(folder.glob("*-exec-0-stage-0-*")):
        shutil.copy(file, folder / file.name.replace("-exec-0-", "-exec-9-"))
    return {"all": stages(spark), "at_kill": at_kill}


def wait_until(holds: Callable[[], bool], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {seconds} seconds")
        time.sleep(0.1)


def has_samples(folder: Path, pages: str, frame: str, more_than: int) -> bool:
    """Whether a page has more CPU samples than that in which a frame fits the pattern."""
    return any(weight(page, "CPU", frame) > more_than for page in folder.glob(pages))


def warnings_logged(work: Path) -> dict[str, str]:
    """The setting that has the driver log warnings, which tests are else kept free of."""
    quiet = (SUPPORT / "log4j2.properties").read_text()
    work.mkdir(parents=True, exist_ok=True)
    file = work / "log4j2.properties"
    file.write_text(quiet + "logger.flame.name = reprise.profile\nlogger.flame.level = warn\n")
    options = f"-Djava.io.tmpdir={work} -Dlog4j2.configurationFile=file:{file}"
    return {"spark.driver.extraJavaOptions": options}


def executor_process(application: str, executor: str) -> int:
    """The process of an executor of a standalone cluster on this machine."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue  # it has ended
        named = dict(itertools.pairwise(words))
        if named.get("--app-id") == application and named.get("--executor-id") == executor:
            return int(process.name)
    raise RuntimeError(f"no process of executor {executor}")


def killed(spark: SparkSession, folder: Path) -> dict:
    """A query that would run for hours; the application is killed once its page shows it."""
    spark.conf.set("spark.reprise.sql.enabled", "false")
    query = "SELECT max(id * 3 % 1000) FROM range(0, 1000000000000000, 1, 1)"
    job = threading.Thread(target=lambda: spark.sql(query).collect(), daemon=True)
    job.start()
    named = r"CodegenStage1\.\w+ \[HashAggregate.*Range"
    wait_until(lambda: has_samples(folder, "*-stage-*.html", named, 20))
    os.kill(spark._jvm.java.lang.ProcessHandle.current().pid(), signal.SIGKILL)
    return {"files": sorted(file.name for file in folder.iterdir())}


def refused(master: str, work: Path, hot: Path) -> dict:
    """Settings that cannot be: each application runs on."""
    barred = work / "barred"
    barred.write_text("a file")
    answers = {}
    # Every application names the same keys: what the first one sets is the JVM's.
    prefix = "spark.rapids.flameGraph.pathPrefix"
    executors = "spark.reprise.flameGraph.executors"
    options = "spark.rapids.flameGraph.asyncProfiler.options"
    most = "spark.reprise.flameGraph.maxBytes"
    cases = {
        "prefix": {prefix: f"file://{barred}/below"},
        "characters": {prefix: f"file://{work}/fl\N{LATIN SMALL LETTER A WITH DIAERESIS}mes"},
        "executors": {executors: "1,x"},
        "options": {options: "jfr,evnt=cpu"},
        "bytes": {most: "lots"},
    }
    usual = {executors: "*", options: "jfr,event=cpu", most: str(1 << 30)}
    for name, case in cases.items():
        settings = {prefix: f"file://{work}/{name}"} | usual
        spark = session(master, work, hot, settings | case)
        print(f"CASE {name}", file=sys.stderr, flush=True)
        answers[name] = spark.range(1000).count()
        spark.stop()
        print(f"END {name}", file=sys.stderr, flush=True)
        answers[f"{name}_files"] = sorted(file.name for file in (work / name).glob("*"))
    answers["folders"] = sorted(file.name for file in work.glob("fl*mes"))
    return answers


def main() -> None:
    what, master, work, hot = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    if what == "refused":
        print(json.dumps(refused(master, work, hot)))
        return
    folder = work / "flames"
    settings = {
        "spark.rapids.flameGraph.pathPrefix": f"file://{folder}",
        "spark.scheduler.mode": "FAIR",
    }
    if what == "threads":
        os.environ["PYSPARK_PYTHON"] = sys.executable
    if what in ("bounded", "forbidden", "starved", "taken", "uncounted"):
        settings |= warnings_logged(work)
    if what == "bounded":
        settings["spark.reprise.flameGraph.maxBytes"] = str(1 << 20)
        # Enough samples for pages of slow tasks.
        settings["spark.rapids.flameGraph.asyncProfiler.options"] = "event=cpu,interval=1ms"
    if what == "allocated":
        settings["spark.rapids.flameGraph.asyncProfiler.options"] = "event=page-faults,alloc"
    if what == "uncounted":
        settings["spark.rapids.flameGraph.asyncProfiler.options"] = "event=cache-misses,wall=10ms"
    if what in ("forbidden", "uncounted"):
        forbid_perf_events()
    if what == "cluster":
        # Below the driver's working directory, which executors do not share.
        os.chdir(work)
        settings["spark.rapids.flameGraph.pathPrefix"] = "flames"
    if what in ("cluster", "killed_executor"):
        settings |= {
            "spark.cores.max": "2",
            "spark.executor.cores": "1",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        }
    if what == "taken":
        take_signal(options_of(work, hot, settings))
    spark = session(master, work, hot, settings)
    if what == "killed":
        print(json.dumps(killed(spark, folder)), flush=True)
        os._exit(0)  # the JVM is gone
    spark._jvm.HotStages.watch(spark.sparkContext._jsc)
    job = {
        "fair": fair,
        "cluster": cluster,
        "threads": threads,
        "bounded": bounded,
        "allocated": allocated,
        "forbidden": forbidden,
        "starved": starved,
        "taken": forbidden,
        "uncounted": forbidden,
        "killed_executor": killed_executor,
    }[what]
    report = job(spark, folder)
    report["application"] = spark.sparkContext.applicationId
    spark.stop()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
