"""The replay debugger in PySpark: recorded RDDs, made again and checked. Needs PySpark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reprise._core import Error
from reprise.assertions import Assertions

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext


@dataclass(frozen=True)
class Task:
    """A task that has ended; `reason` is None where it succeeded.

    `result` is the beginning of what it gave to the driver, as Java's text, where the recording
    keeps results (`spark.reprise.lineage.results`).
    """

    id: int
    stage: int
    stage_attempt: int
    partition: int
    attempt: int
    executor: str
    host: str
    duration_ms: int
    reason: str | None
    result: str | None = None


@dataclass(frozen=True)
class NondeterministicRdd:
    """An RDD that was not the same each time it was computed, by the number that Spark gave it.

    `is_first`: what it is computed from was the same, so its own transformation makes the
    difference. `is_only_order`: the same records in another order. `text` says all of it.
    """

    id: int
    is_only_order: bool
    partitions: tuple[int, ...]
    is_first: bool
    text: str


class EventReplayer(Assertions):
    """What `spark.reprise.lineage.path` recorded, of this application or of another one.

    `path` is the recording's folder; without it, the one that the application itself records to.
    Raises `reprise.Error` where there is no recording, or the application lacks the plug-in's jar.
    """

    def __init__(self, context: SparkContext, path: str | None = None):
        from py4j.java_gateway import JavaClass

        self._context = context
        made = context._jvm.reprise.EventReplayer
        if not isinstance(made, JavaClass):
            raise Error("the application lacks the plug-in's jar: start it with reprise.conf()")
        self._replayer = _checked(
            lambda: made(context._jsc.sc()) if path is None else made(context._jsc.sc(), str(path))
        )

    def printRDDs(self) -> None:
        """A line an RDD: `#1: PythonRDD collect at app.py:5`."""
        for line in self.lines():
            print(line)

    def lines(self) -> list[str]:
        """What `printRDDs` prints."""
        return _list(self._replayer.rddLines())

    def problems(self) -> list[str]:
        """Of each RDD that cannot be made again, why; and where the recording is torn."""
        return _list(self._replayer.problems())

    @property
    def rdds(self) -> Rdds:
        """The recorded RDDs: `rdds(5)` or `rdds[5]`, `len(rdds)`, `rdds.ids`, a loop over them."""
        return Rdds(self)

    def _rdd(self, number: int) -> RDD:
        from pyspark.rdd import RDD
        from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer, NoOpSerializer

        made = _checked(lambda: self._replayer.rdds().apply(number))
        java = made.toJavaRDD()
        serializer = AutoBatchedSerializer(CPickleSerializer())
        if made.elementClassTag().runtimeClass().getName() != "[B":
            java = self._context._jvm.SerDeUtil.javaToPython(java)
        elif self._is_written_to_a_shuffle(number, made):
            serializer = NoOpSerializer()
        rdd = RDD(java, self._context, serializer)
        rdd._reprise_recorded = (made.getClass().getSimpleName(), number)
        return rdd

    def _is_written_to_a_shuffle(self, number: int, made: Any) -> bool:
        """Then hashes of keys and pickled values take turns: pyspark.RDD.partitionBy."""
        rdds = self._replayer.rdds()
        if number + 1 not in self.rdds.ids:
            return False
        after = rdds.apply(number + 1)
        return (
            after.getClass().getSimpleName() == "PairwiseRDD"
            and after.dependencies().head().rdd().id() == made.id()
        )

    def tasks(self) -> list[Task]:
        """The tasks that have ended."""
        return [_task(task) for task in _list(self._replayer.tasks())]

    def tasksForRDD(self, number: int) -> list[Task]:
        """Those that computed partitions of the RDD."""
        return [_task(task) for task in _list(_checked(lambda: self._replayer.tasksForRDD(number)))]

    def visualizeRDDs(self, format: str, file: str) -> str:
        """Draws RDDs, stages and shuffles: "png", "svg", "pdf", "dot". Returns `file`."""
        return _checked(lambda: self._replayer.visualizeRDDs(format, str(file)))

    def findNondeterminism(self, rdd: RDD, runs: int = 2) -> list[NondeterministicRdd]:
        """What of the RDD, and of all that it comes from, is not the same in each of `runs` runs.

        Records of Python's count in the batches in which they are pickled. What a shuffle has
        written is not computed again.
        """
        java = rdd._jrdd.rdd()
        found = _checked(lambda: self._replayer.findNondeterminism(java, runs))
        return [
            NondeterministicRdd(
                *(each.rdd().id(), each.isOnlyOrder(), tuple(_list(each.partitions()))),
                *(each.isFirst(), each.toString()),
            )
            for each in _list(found)
        ]

    def debugTask(self, stage: int, partition: int) -> Any:
        """Starts a JVM that waits for a debugger and then runs that task; prints how to attach."""
        return _checked(lambda: self._replayer.debugTask(stage, partition))

    def debugException(self, task: Task) -> Any:
        """The same of a task that failed; says also where to stop."""
        tasks = {made.id(): made for made in _list(self._replayer.tasks())}
        return _checked(lambda: self._replayer.debugException(tasks[task.id]))


class Rdds:
    """The recorded RDDs, each made again when it is come to; numbers have gaps.

    Raises `reprise.Error` where no RDD of a number was recorded.
    """

    def __init__(self, replayer: EventReplayer):
        self._replayer = replayer

    @property
    def ids(self) -> list[int]:
        """Their numbers in the order in which they were recorded: parents first."""
        return _list(self._replayer._replayer.rdds().ids())

    def __call__(self, number: int) -> RDD:
        """The RDD of that number, made again."""
        return self._replayer._rdd(number)

    __getitem__ = __call__

    def __iter__(self) -> Iterator[RDD]:
        return (self(number) for number in self.ids)

    def __len__(self) -> int:
        return len(self.ids)


def _task(task: Any) -> Task:
    return Task(
        *(task.id(), task.stage(), task.stageAttempt(), task.partition(), task.attempt()),
        *(task.executor(), task.host(), task.durationMs()),
        task.reason().get() if task.reason().isDefined() else None,
        task.result().get() if task.result().isDefined() else None,
    )


def _list(sequence: Any) -> list[Any]:
    return [sequence.apply(i) for i in range(sequence.length())]


def _checked(call: Callable[[], Any]) -> Any:
    """What the call gives; an argument that Java refuses becomes `reprise.Error`."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import IllegalArgumentException

    try:
        return call()
    except IllegalArgumentException as failed:  # where PySpark's SQL has been started
        raise Error(str(failed)) from None
    except Py4JJavaError as failed:
        if failed.java_exception.getClass().getSimpleName() == "IllegalArgumentException":
            raise Error(failed.java_exception.getMessage()) from None
        raise
