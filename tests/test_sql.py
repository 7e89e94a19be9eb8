"""Every file of tests/sql: the same answers on Spark alone and with Reprise, errors included."""

from pathlib import Path

import pytest
import sql_files
from answers import FAILURES, Answer, answer_of, difference, failure_of
from places import SQL_FILES
from pyspark.sql import SparkSession
from sql_files import SqlFile, Statement

ENABLED = "spark.reprise.sql.enabled"


def _cases():
    for path in sorted(SQL_FILES.rglob("*.sql")):
        file = sql_files.read(path)
        for combination in file.combinations:
            values = [f"{key.rsplit('.', 2)[-2]}={value}" for key, value in combination.items()]
            name = "-".join([str(path.relative_to(SQL_FILES).with_suffix("")), *values])
            yield pytest.param(file, combination, id=name)


def _run_statement(spark: SparkSession, statement: Statement, text: str) -> Answer:
    try:
        frame = spark.sql(text)
    except FAILURES as error:
        return failure_of(error)
    return answer_of(frame, statement.ordered)


def _run_file(
    spark: SparkSession, file: SqlFile, conf: dict[str, str], places: dict[str, Path]
) -> list[Answer]:
    """All statements in order, under the given settings, which are taken back afterwards."""
    before = dict(spark.conf.getAll)
    try:
        for key, value in conf.items():
            spark.conf.set(key, value)
        answers = []
        for statement in file.statements:
            for key, value in statement.conf.items():
                spark.conf.set(key, value)
            text = statement.text
            for name, place in places.items():
                text = text.replace("${" + name + "}", str(place))
            answers.append(_run_statement(spark, statement, text))
        return answers
    finally:
        spark.catalog.clearCache()
        for key, value in dict(spark.conf.getAll).items():
            if key not in before:
                spark.conf.unset(key)
            elif before[key] != value:
                spark.conf.set(key, before[key])


def _check_plan(statement: Statement, answer: Answer) -> str | None:
    """What the plan should show on Spark alone and with Reprise alike."""
    missing = [text for text in statement.in_plan if text not in answer.plan]
    return f"not in the plan: {', '.join(missing)}\n{answer.plan}" if missing else None


def _check_directives(statement: Statement, answer: Answer) -> str | None:
    """What the plug-in's run should show beyond the right rows."""
    missing = [name for name in statement.native if name not in answer.plan]
    if missing:
        return f"not in the executed plan: {', '.join(missing)}\n{answer.plan}"
    if statement.no_native and "Reprise" in answer.plan:
        return f"the executed plan shows operators of Reprise\n{answer.plan}"
    return None


@pytest.mark.parametrize(("file", "combination"), list(_cases()))
def test_same_answers(spark, with_plugin, tpch, test_tables, tmp_path, file, combination):
    places = {"tpch": tpch, "tables": test_tables, "out": tmp_path / "alone"}
    alone = _run_file(spark, file, combination, places)
    problems = []
    for statement, answer in zip(file.statements, alone, strict=True):
        if answer.error != statement.error:
            expected = statement.error or "no error"
            problems.append((statement, f"expected {expected} of Spark: {answer.message[:800]}"))
        elif problem := _check_plan(statement, answer):
            problems.append((statement, f"Spark alone: {problem}"))
    if with_plugin:
        places["out"] = tmp_path / "native"
        native = _run_file(spark, file, {**combination, ENABLED: "true"}, places)
        for statement, expected, answer in zip(file.statements, alone, native, strict=True):
            problem = difference(expected, answer) or _check_plan(statement, answer)
            problem = problem or _check_directives(statement, answer)
            if problem:
                problems.append((statement, problem))
    text = [f"{file.path.name}:{s.line}: {s.text.strip()}\n{problem}" for s, problem in problems]
    if problems:
        pytest.fail(f"{len(problems)} statements\n" + "\n\n".join(text), pytrace=False)
