"""A side of the comparison: a process with a JVM of its own, which lives as long as the bench.

One JVM a side, because only then the peak memory of a process belongs to one side, and because
neither side's garbage or compiled code slows the other. The sides take turns query by query, so
both meet the same machine.
"""

import contextlib
import multiprocessing
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import session as sessions
from answers import Answer, answer_with, difference
from places import BUILD
from pyspark.serializers import BatchedSerializer, CPickleSerializer
from pyspark.sql import SparkSession
from pyspark.util import _load_from_socket
from row_based import row_based_operators
from suites import Suite

SIDES = ("spark", "reprise")
OUTPUT = BUILD / "bench"
START_SECONDS = 120
MIB = 1024 * 1024


@dataclass
class Run:
    """One run of one query on one side; either `error` or everything else."""

    plan_s: float = 0.0
    run_s: float = 0.0
    answer: Answer = field(default_factory=Answer)
    row_based: list[str] = field(default_factory=list)
    error: str | None = None

    @property
    def total_s(self) -> float:
        return self.plan_s + self.run_s


def carry_out(session: SparkSession, text: str, look_at_plan: bool) -> Run:
    """Plans a query, runs it until the driver has every row, then (not timed) reads the answer."""
    begin = time.perf_counter()
    frame = session.sql(text)
    frame._jdf.queryExecution().executedPlan()
    planned = time.perf_counter()
    # What DataFrame.collect() calls; making Python's objects of the rows is not timed.
    socket = frame._jdf.collectToPython()
    done = time.perf_counter()
    rows = list(_load_from_socket(socket, BatchedSerializer(CPickleSerializer())))
    answer = answer_with(frame, rows, ordered=True)
    fallen_back = row_based_operators(frame) if look_at_plan else []
    return Run(planned - begin, done - planned, answer, fallen_back)


def answers_differ(spark: Run, reprise: Run) -> str | None:
    found = difference(spark.answer, reprise.answer)
    return f"the answers differ: {found}" if found else None


def answered(session: SparkSession, query: str) -> Run:
    return carry_out(session, query, False)


def profile(session: SparkSession, text: str, rounds: int, file: Path, title: str) -> None:
    """Runs a query under async-profiler and writes a flame graph of Java and native frames."""
    profiler = session._jvm.one.profiler.AsyncProfiler.getInstance()
    profiler.execute("start,event=cpu,interval=1ms,cstack=vm")
    try:
        for _ in range(rounds):
            session.sql(text)._jdf.collectToPython()
    finally:
        profiler.execute(f"stop,file={file},title={title}")


def _alive(session: SparkSession) -> bool:
    try:
        return not session.sparkContext._jsc.sc().isStopped()
    except Exception:
        return False


def serve(pipe, side: str, data: Path, cores: int, total_mib: int, suite: str) -> None:
    """The body of a side's process: tells its JVM's process id, then carries out what arrives.

    What Python and the JVM print goes to build/bench/SIDE.log.
    """
    with (OUTPUT / f"{side}.log").open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    session = sessions.start(side, data, cores, total_mib, suite)
    pipe.send(session._jvm.java.lang.ProcessHandle.current().pid())
    while (request := pipe.recv()) is not None:
        try:
            action, *arguments = request
            pipe.send(action(session, *arguments))
        except Exception as error:
            pipe.send(Run(error=f"{type(error).__name__}: {error}"))
            if not _alive(session):
                return
    session.stop()


class Side:
    """A side's process, seen from the bench; started again by itself after it has died."""

    def __init__(self, name: str, suite: Suite, cores: int, total_mib: int, limit_s: float):
        self.name, self.limit_s = name, limit_s
        self._arguments = (name, suite.data, cores, total_mib, suite.name)
        self._peak_bytes = 0
        self._start()

    def _start(self) -> None:
        OUTPUT.mkdir(parents=True, exist_ok=True)
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=serve, args=(theirs, *self._arguments), daemon=True)
        self._process.start()
        theirs.close()
        if not self._pipe.poll(START_SECONDS):
            raise SystemExit(f"{self.name}: no Spark session within {START_SECONDS} s")
        self._jvm = self._pipe.recv()

    def ask(self, action, *arguments) -> Run | None:
        """What `action(session, *arguments)` gives in the side's process; a failure is a Run."""
        if not self._process.is_alive():
            self._start()
        try:
            self._pipe.send((action, *arguments))
            if not self._pipe.poll(self.limit_s):
                self._end()
                return Run(error=f"not done within {self.limit_s:g} s")
            return self._pipe.recv()
        except (EOFError, OSError) as error:
            self._end()
            return Run(error=f"the process died: {type(error).__name__}")
        finally:
            self._note_peak()

    def _note_peak(self) -> None:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self._jvm}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    self._peak_bytes = max(self._peak_bytes, int(line.split()[1]) * 1024)

    def _end(self) -> None:
        self._note_peak()
        self._process.kill()
        self._process.join(10)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._jvm, signal.SIGKILL)

    @property
    def peak_mib(self) -> float:
        """The most memory that the JVM's process ever held, heap, native and all, in MiB."""
        return self._peak_bytes / MIB

    def stop(self) -> None:
        if self._process.is_alive():
            self._pipe.send(None)
            self._process.join(30)
        if self._process.is_alive():
            self._end()
