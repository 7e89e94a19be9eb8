"""Answers in a form that compares exactly: NaN equals NaN, -0.0 differs from 0.0, scale counts."""

import re
import struct
from ast import literal_eval
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pyarrow as pa
from places import SPARK
from py4j.java_gateway import is_instance_of
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row
from pyspark.sql.pandas.types import to_arrow_schema

SPARK_THROWABLE = "org.apache.spark.SparkThrowable"
CORES_ERROR = "reprise.bridge.NativeException"
# PySpark translates most of Spark's exceptions; some arrive as they were thrown.
FAILURES = (PySparkException, Py4JJavaError)


def exact(value: Any) -> Any:
    """A value as text, equal for two values only where they are the same to the bit or both NaN."""
    if isinstance(value, float):
        if value != value:
            return "NaN"
        return f"{value!r} {struct.pack('>d', value).hex()}"
    if isinstance(value, Decimal):
        return f"decimal {value:f}"
    if isinstance(value, bytearray | bytes):
        return f"bytes {bytes(value).hex()}"
    if isinstance(value, Row | list | tuple):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return sorted(([exact(k), exact(v)] for k, v in value.items()), key=repr)
    return f"{type(value).__name__} {value!r}"


@dataclass
class Answer:
    """What one statement gave: columns with types and rows, or an error.

    Of an error counts the condition, the SQL state, and what was thrown: Java's class, the message,
    and in it the place in the query.
    """

    schema: str = ""
    rows: list[str] = field(default_factory=list)
    error: str | None = None
    state: str | None = None
    thrown: str = ""
    message: str = ""
    plan: str = ""
    row_based: list[str] = field(default_factory=list)  # Spark's own operators, where asked for


def _condition(error: Any) -> str | None:
    """Of an error of Spark's or of PySpark's."""
    return error.getErrorClass() if SPARK == "3.5" else error.getCondition()


def _thrown_by_spark(thrown: Any) -> Any:
    """The first of an exception and its causes that has an error condition; None where none has."""
    while thrown is not None:
        if is_instance_of(SparkContext._gateway, thrown, SPARK_THROWABLE) and _condition(thrown):
            return thrown
        thrown = thrown.getCause()
    return None


def _thrown_by_java(thrown: Any) -> Any:
    """What Spark has only passed on: the innermost cause, beside the core's own error."""
    while (cause := thrown.getCause()) is not None:
        if cause.getClass().getName() == CORES_ERROR:
            break
        thrown = cause
    return thrown


def _thrown_text(thrown: Any) -> str:
    if thrown.getClass().getSimpleName() == "ExtendedAnalysisException":
        # Of Spark 3.5: its message holds the plan, with numbers that differ each time.
        return f"{thrown.getClass().getName()}: {thrown.getSimpleMessage()}"
    return f"{thrown.getClass().getName()}: {thrown.getMessage()}"


def failure_of(error: Exception, schema: str = "") -> Answer:
    """The answer of a statement that failed: condition, or the class of what has none."""
    if isinstance(error, Py4JJavaError):
        origin = error.java_exception
    elif (origin := getattr(error, "_origin", None)) is None:
        return Answer(schema, [], _condition(error), error.getSqlState(), message=str(error))
    found = _thrown_by_spark(origin)
    if found is not None:
        condition, state = _condition(found), found.getSqlState()
        return Answer(schema, [], condition, state, _thrown_text(found), str(error))
    thrown = _thrown_by_java(origin)
    return Answer(schema, [], thrown.getClass().getName(), None, _thrown_text(thrown), str(error))


def schema_text(frame: DataFrame) -> str:
    """Columns with types and nullability."""
    return ", ".join(
        f"{f.name} {f.dataType.simpleString()}{'' if f.nullable else ' not null'}"
        for f in frame.schema.fields
    )


def arrow_of(frame: DataFrame) -> pa.Table:
    """`DataFrame.toArrow`, which Spark has since 4.0: the same, from what it had before."""
    if SPARK != "3.5":
        return frame.toArrow()
    batches, schema = frame._collect_as_arrow(), to_arrow_schema(frame.schema)
    return pa.Table.from_batches(batches).cast(schema) if batches else schema.empty_table()


def answer_with(frame: DataFrame, rows: list[Row], ordered: bool) -> Answer:
    """The answer of a query that has given its rows."""
    texts = [repr([exact(value) for value in row]) for row in rows]
    plan = frame._jdf.queryExecution().executedPlan().toString()
    return Answer(schema_text(frame), texts if ordered else sorted(texts), plan=plan)


def answer_of(frame: DataFrame, ordered: bool) -> Answer:
    """Runs a query to its end."""
    try:
        rows = frame.collect()
    except FAILURES as error:
        return failure_of(error, schema_text(frame))
    return answer_with(frame, rows, ordered)


def rounded(answer: Answer, ordered: bool = False) -> Answer:
    """Floating-point numbers by twelve digits: where rows are added in another order, as happens
    where tasks spill or partitions are divided by their bytes, the last digits are others."""
    rows = [
        re.sub(r"'([-+.0-9einf]+) [0-9a-f]{16}'", lambda found: f"'{float(found[1]):.12g}'", row)
        for row in answer.rows
    ]
    return replace(answer, rows=rows if ordered else sorted(rows))


def unordered(answer: Answer) -> Answer:
    """Arrays without their order, as of sets: where tasks spill, other pieces are put together."""

    def sort(value: Any) -> Any:
        return sorted(map(sort, value), key=repr) if isinstance(value, list) else value

    rows = [repr([sort(value) for value in literal_eval(row)]) for row in answer.rows]
    return replace(answer, rows=sorted(rows))


def equal_keys_apart(answer: Answer, keys: list[str], first: bool) -> Answer:
    """The keys by which rows are ordered, in the order of the rows, and then the rows, sorted.

    Where only the first rows by the keys are there, others with equal keys may be in their places:
    then of the rows only the numbers of their arrays' elements follow.
    """

    def shape(value: Any) -> Any:
        return [shape(item) for item in value] if isinstance(value, list) else None

    names = [column.split(" ")[0] for column in answer.schema.split(", ")]
    if missing := set(keys) - set(names):
        raise ValueError(f"no columns {missing} among {names}")
    rows = [dict(zip(names, literal_eval(row), strict=True)) for row in answer.rows]
    keyed = [repr([row[key] for key in keys]) for row in rows]
    others = [repr(shape([*row.values()])) if first else repr(row) for row in rows]
    return replace(answer, rows=keyed + sorted(others))


def difference(spark: Answer, reprise: Answer) -> str | None:
    """None where two answers are the same, else a text that says what differs."""
    if (spark.error, spark.state) != (reprise.error, reprise.state):
        return (
            f"Spark: {spark.error or 'no error'} {spark.state or ''}; "
            f"Reprise: {reprise.error or 'no error'} {reprise.state or ''}\n"
            f"{(spark.message or reprise.message)[:600]}"
        )
    if spark.thrown != reprise.thrown:
        return f"other errors\n  Spark:   {spark.thrown[:600]}\n  Reprise: {reprise.thrown[:600]}"
    if spark.schema != reprise.schema:
        return f"columns differ\n  Spark:   {spark.schema}\n  Reprise: {reprise.schema}"
    if spark.rows == reprise.rows:
        return None
    text = [f"rows differ: Spark has {len(spark.rows)}, Reprise {len(reprise.rows)}"]
    for name, mine, other in (("Spark", spark, reprise), ("Reprise", reprise, spark)):
        there = set(other.rows)
        only = [row for row in mine.rows if row not in there]
        text += [f"  only {name}: {row[:400]}" for row in only[:4]]
    return "\n".join(text)
