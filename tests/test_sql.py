"""Every file of tests/sql: the same answers on Spark alone and with Reprise, errors included."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sql_files
from answers import FAILURES, Answer, answer_of, difference, failure_of
from places import SQL_FILES
from pyspark.sql import SparkSession
from row_based import row_based_operators
from sessions import settings
from sql_files import SqlFile, Statement

ENABLED = "spark.reprise.sql.enabled"
GUEST = "RepriseGuestProject"
FILE_ID = re.compile(r"(part-\d+)-[0-9a-f-]{36}")


def share() -> list[SqlFile]:
    """The files to run: all, or with REPRISE_SQL_SHARE=1/4 the second, sixth, …"""
    files = [sql_files.read(path) for path in sorted(SQL_FILES.rglob("*.sql"))]
    first, shares = map(int, os.environ.get("REPRISE_SQL_SHARE", "0/1").split("/"))
    return files[first % shares :: shares]


def cases():
    """Every file of the share with one of its combinations, by turns, and then the others."""
    for number, file in enumerate(share()):
        turn = number % len(file.combinations)
        for combination in file.combinations[turn:] + file.combinations[:turn]:
            values = [f"{key.rsplit('.', 2)[-2]}={value}" for key, value in combination.items()]
            name = "-".join([str(file.path.relative_to(SQL_FILES).with_suffix("")), *values])
            marks = [] if combination == file.combinations[turn] else [pytest.mark.thorough]
            yield pytest.param(file, combination, id=name, marks=marks)


def run_statement(spark: SparkSession, statement: Statement, text: str) -> Answer:
    try:
        frame = spark.sql(text)
    except FAILURES as error:
        return failure_of(error)
    answer = answer_of(frame, statement.ordered)
    if statement.all_native:
        answer.row_based = row_based_operators(frame)
    return answer


def _run_file(
    spark: SparkSession, file: SqlFile, conf: dict[str, str], places: dict[str, Path]
) -> list[Answer]:
    """All statements in order, under the given settings, which are taken back afterwards."""
    before = settings(spark)
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
            answer = run_statement(spark, statement, text)
            for name, place in places.items():  # the folder for output is another one each time
                answer.thrown = answer.thrown.replace(str(place), name)
            answer.thrown = FILE_ID.sub(r"\1", answer.thrown)  # and so are files' names
            answers.append(answer)
        return answers
    finally:
        spark.catalog.clearCache()
        for key, value in settings(spark).items():
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
    if answer.row_based:
        return f"Spark's own operators: {', '.join(answer.row_based)}\n{answer.plan}"
    if statement.no_native and "Reprise" in answer.plan:
        return f"the executed plan shows operators of Reprise\n{answer.plan}"
    if statement.no_guest and (GUEST in answer.plan or "Reprise" not in answer.plan):
        return f"the executed plan shows guests, or nothing of Reprise\n{answer.plan}"
    return None


def answers_alone(
    spark: SparkSession, file: SqlFile, combination: dict[str, str], places: dict[str, Path]
) -> list[Answer]:
    """What Spark alone answers; `out` among the places is an empty folder."""
    return _run_file(spark, file, combination, places)


def native_problems(
    spark: SparkSession,
    file: SqlFile,
    alone: list[Answer],
    conf: dict[str, str],
    places: dict[str, Path],
    adjust: Callable[[Statement, Answer], Answer] | None = None,
) -> list[tuple[Statement, str]]:
    """Where the answers with Reprise, under these settings, differ from Spark's alone.

    What `adjust` makes of answers is compared.
    """
    problems = []
    native = _run_file(spark, file, {**conf, ENABLED: "true"}, places)
    if adjust:
        alone = [adjust(*pair) for pair in zip(file.statements, alone, strict=True)]
        native = [adjust(*pair) for pair in zip(file.statements, native, strict=True)]
    for statement, expected, answer in zip(file.statements, alone, native, strict=True):
        problem = difference(expected, answer) or _check_plan(statement, answer)
        problem = problem or _check_directives(statement, answer)
        if problem:
            problems.append((statement, problem))
    return problems


def fail_for(file: SqlFile, problems: list[tuple[Statement, str]]) -> None:
    """Fails the test where there are problems."""
    text = [f"{file.path.name}:{s.line}: {s.text.strip()}\n{problem}" for s, problem in problems]
    if problems:
        pytest.fail(f"{len(problems)} statements\n" + "\n\n".join(text), pytrace=False)


@pytest.mark.parametrize(("file", "combination"), list(cases()))
def test_same_answers(spark, with_plugin, tpch, test_tables, tmp_path, file, combination):
    places = {"tpch": tpch, "tables": test_tables, "out": tmp_path / "alone"}
    alone = answers_alone(spark, file, combination, places)
    problems = []
    for statement, answer in zip(file.statements, alone, strict=True):
        if answer.error != statement.error:
            expected = statement.error or "no error"
            found = f"{answer.error or 'no error'} {answer.message[:800]}"
            problems.append((statement, f"expected {expected} of Spark, found {found}"))
        elif problem := _check_plan(statement, answer):
            problems.append((statement, f"Spark alone: {problem}"))
    if with_plugin:
        places["out"] = tmp_path / "native"
        problems += native_problems(spark, file, alone, combination, places)
    fail_for(file, problems)
