"""Assertions over PySpark's RDDs and DataFrames, as the replay debugger has them in Scala.

What runs in workers is nested in functions, so that it travels as a closure: they need not have
this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from reprise._core import Error

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import Column, DataFrame

Rows = TypeVar("Rows", "RDD", "DataFrame")

SAMPLE_MAX = 5
COUNTS_MAX = 20


class Assertions:
    """Conditions on an RDD's records or a DataFrame's rows; each gives the same records.

    `assertForall`, `assertNoNulls`, `assertReduce`, and `assertPartitioned` of an RDD check the
    records while they are read: the task that finds one that offends fails. The others, and
    `assertPartitioned` of a DataFrame, run a job at once. What fails is an AssertionError that
    names type, number and partition and shows up to five records; from a task it comes as Spark's
    own exception, which carries the text.
    """

    _replayer: Any

    def assertForall(self, rows: Rows, predicate: Callable[[Any], bool]) -> Rows:
        """Every record satisfies the predicate, which gets a `Row` of a DataFrame."""
        return _for_all(rows, "forall", predicate)

    def assertExists(self, rows: Rows, predicate: Callable[[Any], bool]) -> Rows:
        """A record of some partition satisfies the predicate; the job stops at the first."""
        records = _records(rows)
        if not records.filter(predicate).take(1):
            found = "offending records, such as"
            raise _subject(rows).failure("exists", 0, found, records.take(SAMPLE_MAX))
        return rows

    def assertNoNulls(self, rows: Rows) -> Rows:
        """No record is None, nor a field of a tuple, list or `Row`; no column has a null."""
        if _is_frame(rows):
            return _frame(rows, lambda: self._replayer.assertNoNulls(rows._jdf))

        def holds(record: Any) -> bool:
            fields = record if isinstance(record, (tuple, list)) else (record,)
            return all(field is not None for field in fields)

        return _for_all(rows, "no-nulls", holds)

    def assertReduce(
        self, rows: Rows, function: Callable[[Any, Any], Any], predicate: Callable[[Any], bool]
    ) -> Rows:
        """Of each partition that has records: what they come to by `function` satisfies it."""
        failure = _subject(rows).failure

        def check(partition: int, records: Iterator[Any]) -> Iterator[Any]:
            seen, result = 0, None
            for record in records:
                result = record if seen == 0 else function(result, record)
                seen += 1
                yield record
            if seen and not predicate(result):
                found = f"result of {seen} records: {result!r:.200}"
                raise failure("reduce", partition, found)

        return _attached(rows, check)

    def assertUnique(self, rows: Rows, *by: str | Callable[[Any], Any]) -> Rows:
        """No two records have the same key.

        `by`: of an RDD, a function that gives the key; of a DataFrame, columns. Without it, the
        whole record is the key.
        """
        if _is_frame(rows):
            return _frame(rows, lambda: self._replayer.assertUnique(rows._jdf, _seq(rows, by)))
        key = _key(by)

        def keyed(partition: int, records: Iterator[Any]) -> Iterator[Any]:
            return ((key(record), (1, partition)) for record in records)

        double = _grouped(rows.mapPartitionsWithIndex(keyed)).filter(lambda x: x[1][0] > 1)
        if found := double.take(SAMPLE_MAX):
            texts = [f"{k!r:.200} ({n} records, first in partition {i})" for k, (n, i) in found]
            first = min(i for _, (_, i) in found)
            raise _subject(rows).failed("unique", first, "keys that several records have:", texts)
        return rows

    def assertSorted(self, rows: Rows, *by: str | Column | Callable[[Any], Any]) -> Rows:
        """Keys never fall, within partitions and from each to the next.

        `by`: of an RDD, a function that gives the key (none: the record); of a DataFrame, columns,
        such as `"a"` or `F.desc("b")`. None comes first and NaN last, as Spark sorts; so they do
        within tuples, lists and `Row`s.
        """
        if _is_frame(rows):
            from pyspark.sql.functions import col

            order = [(col(c) if isinstance(c, str) else c)._jc for c in by]
            return _frame(rows, lambda: self._replayer.assertSorted(rows._jdf, _seq(rows, order)))
        key, falls_from = _key(by), _falls_from()

        def ends(partition: int, records: Iterator[Any]) -> Iterator[Any]:
            keys = map(key, records)
            for first in keys:
                last, fall = first, None
                for at, here in enumerate(keys, 1):
                    if fall is None and falls_from(last, here):
                        fall = (partition, at, last, here)
                    last = here
                yield (partition, first, last, fall)

        parts = rows.mapPartitionsWithIndex(ends).collect()
        falls = [fall for *_, fall in parts if fall]
        falls += [(b[0], 0, a[2], b[1]) for a, b in zip(parts, parts[1:]) if falls_from(a[2], b[1])]
        if falls:
            partition, at, before, after = falls[0]
            found = f"record {at} has the key {after!r:.200}, after {before!r:.200}"
            raise _subject(rows).failure("sorted", partition, found)
        return rows

    def assertCount(self, rows: Rows, min: int, max: int) -> Rows:
        """There are at least `min` records and at most `max`."""
        if _is_frame(rows):
            return _frame(rows, lambda: self._replayer.assertCount(rows._jdf, min, max))
        counts = rows.mapPartitions(lambda records: [sum(1 for _ in records)]).collect()
        if not min <= sum(counts) <= max:
            each = ", ".join(f"{i}: {n}" for i, n in enumerate(counts[:COUNTS_MAX]))
            found = f"{sum(counts)} records, expected {min} to {max}\n  by partition: {each}"
            raise _subject(rows).failure("count", None, found)
        return rows

    def assertEqual(self, rows: Rows, other: Rows) -> Rows:
        """The same records as `other` has, each as often, in whatever order."""
        if _is_frame(rows):
            return _frame(rows, lambda: self._replayer.assertEqual(rows._jdf, other._jdf))
        nowhere = rows.getNumPartitions()

        def counted(records: RDD, sign: int) -> RDD:
            def signed(partition: int, part: Iterator[Any]) -> Iterator[Any]:
                place = partition if sign > 0 else nowhere
                return ((record, (sign, place)) for record in part)

            return records.mapPartitionsWithIndex(signed)

        differing = _grouped(counted(rows, 1).union(counted(other, -1)))
        if found := differing.filter(lambda x: x[1][0] != 0).take(SAMPLE_MAX):
            texts = [
                f"{k!r:.200} ({abs(n)} {'more' if n > 0 else 'less'} than in the other)"
                for k, (n, _) in found
            ]
            places = [i for _, (_, i) in found if i < nowhere]
            place = sorted(places)[0] if places else None
            raise _subject(rows).failed("equal", place, "records that differ:", texts)
        return rows

    def assertPartitioned(self, rows: Rows, *columns: str) -> Rows:
        """Each pair is in the partition that the RDD's partitioner says.

        Of a DataFrame: rows with the same values in `columns` are in one partition.
        """
        if _is_frame(rows):
            chosen = _seq(rows, columns)
            return _frame(rows, lambda: self._replayer.assertPartitioned(rows._jdf, chosen))
        partitioner = rows.partitioner
        if partitioner is None:
            raise Error(f"{rows} declares no partitioner")
        return _for_all(rows, "partitioning", None, lambda pair: partitioner(pair[0]))


@dataclass(frozen=True)
class _Subject:
    """What an assertion is about, as its error names it."""

    kind: str
    type: str
    id: int | None

    @property
    def head(self) -> list[str]:
        lines = [f"{self.kind} %s-assertion error:", f"  {self.kind} type: {self.type}"]
        return lines if self.id is None else [*lines, f"  {self.kind} ID: {self.id}"]

    @property
    def failure(self) -> Callable[..., AssertionError]:
        """Makes the error; it takes the assertion, the partition, what was found, and records."""
        head = "\n".join(self.head)
        sample_max = SAMPLE_MAX

        def failure(name: str, partition: int | None, found: str, records=()) -> AssertionError:
            lines = [head.replace("%s", name, 1)]
            lines += [] if partition is None else [f"  partition: {partition}"]
            lines += [f"  {found}", *(f"    {r!r:.200}" for r in records[:sample_max])]
            return AssertionError("\n".join(lines))

        return failure

    def failed(self, name: str, partition: int | None, found: str, texts: list) -> AssertionError:
        """The same with texts in the place of records."""
        return self.failure(name, partition, "\n    ".join([found, *texts]))


def _is_frame(rows: Any) -> bool:
    return hasattr(rows, "_jdf")


def _records(rows: Any) -> RDD:
    return rows.rdd if _is_frame(rows) else rows


def _subject(rows: Any) -> _Subject:
    if _is_frame(rows):
        return _Subject("DataFrame", rows.schema.simpleString(), None)
    recorded = getattr(rows, "_reprise_recorded", None)
    return _Subject("RDD", *(recorded or (type(rows).__name__, rows.id())))


def _attached(rows: Any, check: Callable[[int, Iterator[Any]], Iterator[Any]]) -> Any:
    """The same records, which `check` sees as they are read."""
    checked = _records(rows).mapPartitionsWithIndex(check, preservesPartitioning=True)
    if _is_frame(rows):
        return rows.sparkSession.createDataFrame(checked, rows.schema, verifySchema=False)
    subject = _subject(rows)
    checked._reprise_recorded = (subject.type, subject.id)
    return checked


def _for_all(
    rows: Any,
    name: str,
    predicate: Callable[[Any], bool] | None,
    place: Callable[[Any], int] | None = None,
) -> Any:
    """Every record satisfies the predicate, or is in its place: the number of a partition."""
    failure = _subject(rows).failure

    def check(partition: int, records: Iterator[Any]) -> Iterator[Any]:
        def holds(record: Any) -> bool:
            return predicate(record) if place is None else place(record) == partition

        for seen, record in enumerate(records, 1):
            if not holds(record):
                offenders = [record]
                for rest in records:
                    seen += 1
                    if not holds(rest):
                        offenders.append(rest)
                found = f"offending records: {len(offenders)} of {seen}"
                raise failure(name, partition, found, offenders)
            yield record

    return _attached(rows, check)


def _key(by: tuple) -> Callable[[Any], Any]:
    if len(by) > 1:
        raise Error(f"an RDD's key is given by one function, found {len(by)}")
    return by[0] if by else lambda record: record


def _falls_from() -> Callable[[Any, Any], bool]:
    """Whether the second of two keys stands before the first, in Spark's order.

    None comes first, NaN last, also within tuples and lists, which are compared part by part.
    """

    def compared(a: Any, b: Any) -> int:
        if a is b:
            return 0
        if a is None or b is None:
            return -1 if a is None else 1
        if isinstance(a, (tuple, list)) and isinstance(b, type(a)):
            for one, other in zip(a, b):
                if found := compared(one, other):
                    return found
            return len(a) - len(b)
        last, other_last = (isinstance(x, float) and x != x for x in (a, b))
        if last or other_last:
            return last - other_last
        return -1 if a < b else 1 if b < a else 0

    return lambda before, after: compared(after, before) < 0


def _grouped(pairs: RDD) -> RDD:
    """Equal keys put together, each with its two figures, by what they hold.

    Lists, dictionaries and sets, which have no hash, are compared by their parts, and NaN, which
    has another hash each time, equals NaN. None, whose hash is its address, would send equal sets
    and dictionaries of two executors to different partitions.
    """

    def parts(value: Any) -> Any:
        if value is None:
            return ("none",)
        if isinstance(value, float) and value != value:
            return ("nan",)
        if isinstance(value, (tuple, list)):
            return ("list" if isinstance(value, list) else "tuple", *map(parts, value))
        if isinstance(value, dict):
            return ("dict", frozenset((parts(k), parts(v)) for k, v in value.items()))
        if isinstance(value, (set, frozenset)):
            return ("set", frozenset(map(parts, value)))
        return bytes(value) if isinstance(value, bytearray) else value

    def first(a: tuple, b: tuple) -> tuple:
        return (a[0], (a[1][0] + b[1][0], min(a[1][1], b[1][1])))

    return pairs.map(lambda pair: (parts(pair[0]), pair)).reduceByKey(first).values()


def _seq(rows: DataFrame, items: Any) -> Any:
    """A Scala sequence."""
    return rows.sparkSession._jvm.PythonUtils.toSeq(list(items))


def _frame(rows: DataFrame, call: Callable[[], Any]) -> DataFrame:
    """The DataFrame that a call into Scala gives; its AssertionError becomes Python's."""
    from py4j.protocol import Py4JJavaError
    from pyspark.sql import DataFrame

    try:
        return DataFrame(call(), rows.sparkSession)
    except Py4JJavaError as failed:
        if failed.java_exception.getClass().getName() == "java.lang.AssertionError":
            raise AssertionError(failed.java_exception.getMessage()) from None
        raise
