"""Kills an executor of a cluster in the middle of a query."""

import os
import signal
import threading
import time
from pathlib import Path

from answers import Answer, answer_of
from pyspark.sql import SparkSession

POLL_SECONDS = 0.005
# With so many tasks each executor of a small cluster has run some, and holds their output.
SPREAD_TASKS = 4
SECONDS = 60
KILLS_MAX = 5


def executor_processes(spark: SparkSession) -> list[int]:
    """Process ids of the session's executors on this machine: those that know its driver's port."""
    conf = spark.sparkContext.getConf()
    driver = f"spark://CoarseGrainedScheduler@127.0.0.1:{conf.get('spark.driver.port')}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue  # it ended meanwhile
        if driver in words and b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words:
            found.append(int(entry.name))
    return found


def _stages(spark: SparkSession, group: str) -> list:
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    infos = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return [info for info in infos if info]


def _spread_stages_done(spark: SparkSession, group: str) -> int:
    return sum(
        SPREAD_TASKS <= info.numTasks == info.numCompletedTasks for info in _stages(spark, group)
    )


def answers_despite_kills(
    spark: SparkSession, text: str, executors: int, stages: int = 1
) -> list[dict]:
    """Runs a query and kills an executor (SIGKILL) in the middle of it, when `stages` have
    completed, until Spark has run a stage again for that: it need not, where all that the executor
    held has been read by then.

    Of each kill the answer, how many executors there were, whether the query was still running
    then, and the number of stages that Spark ran again.
    """
    kills = []
    while len(kills) < KILLS_MAX and not (kills and kills[-1]["again"]):
        end = time.monotonic() + SECONDS
        while len(executor_processes(spark)) < executors and time.monotonic() < end:
            time.sleep(0.1)
        group = f"query whose executor dies after stage {stages}, {len(kills)}"
        kills.append(_answer_despite_a_kill(spark, text, group, stages))
    return kills


def _answer_despite_a_kill(spark: SparkSession, text: str, group: str, stages: int) -> dict:
    """Kills once `stages` have completed whose output is on every executor."""
    answers = []

    def run() -> None:
        spark.sparkContext.setJobGroup(group, group)
        answers.append(answer_of(spark.sql(text), ordered=True))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    end = time.monotonic() + SECONDS
    while _spread_stages_done(spark, group) < stages:
        if time.monotonic() > end or not thread.is_alive():
            raise RuntimeError(f"no stage completed while the query ran: {answers}")
        time.sleep(POLL_SECONDS)
    victims = executor_processes(spark)
    os.kill(victims[0], signal.SIGKILL)
    running = thread.is_alive()
    thread.join(SECONDS)
    answer = answers[0] if answers else Answer(error=f"no answer within {SECONDS} s")
    again = sum(info.currentAttemptId > 0 for info in _stages(spark, group))
    return {"answer": answer, "executors": len(victims), "running": running, "again": again}
