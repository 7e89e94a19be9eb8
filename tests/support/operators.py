"""Reads operators and their LORE ids out of executed plans."""

import re
from dataclasses import dataclass

from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Operator:
    """One line of a plan: what explain() shows of a native operator."""

    name: str
    arguments: str
    lore_id: int


def plan_text(frame: DataFrame) -> str:
    """The plan as it was carried out: of an adaptive plan the final one."""
    text = frame._jdf.queryExecution().executedPlan().toString()
    final = text.partition("== Final Plan ==")[2].partition("== Initial Plan ==")[0]
    return final or text


def native_operators(frame: DataFrame) -> list[Operator]:
    """The native operators of an executed plan, from the top down."""
    found = []
    for line in plan_text(frame).splitlines():
        match = re.search(r"(Reprise\w+) ?(.*?) ?\[loreId=(\d+)\]", line)
        if match:
            found.append(Operator(match[1], match[2], int(match[3])))
    return found


def lore_id(frame: DataFrame, name: str, containing: str = "") -> int:
    """The LORE id of the topmost operator of a name whose arguments contain a text."""
    for operator in native_operators(frame):
        if operator.name == name and containing in operator.arguments:
            return operator.lore_id
    raise AssertionError(f"no {name} with {containing!r} in\n{plan_text(frame)}")


def executed_nodes(frame: DataFrame) -> list:
    """The nodes of an executed plan and of its stages."""
    nodes = [frame._jdf.queryExecution().executedPlan()]
    for node in nodes:
        kind = node.getClass().getSimpleName()
        if kind == "AdaptiveSparkPlanExec":
            nodes.append(node.executedPlan())
        elif kind.endswith("QueryStageExec"):
            nodes.append(node.plan())
        children = node.children()
        nodes += [children.apply(i) for i in range(children.length())]
    return nodes


def output_rows(frame: DataFrame) -> dict[str, int]:
    """numOutputRows of an executed plan's native operators, by "RepriseFilter [loreId=5]"."""
    rows = {}
    for node in executed_nodes(frame):
        match = re.search(r"(Reprise\w+).*?(\[loreId=\d+\])", node.simpleString(100000))
        if match and node.metrics().contains("numOutputRows"):
            rows[f"{match[1]} {match[2]}"] = node.metrics().apply("numOutputRows").value()
    return rows


def rows_of_guests(frame: DataFrame) -> list[int]:
    """How many rows Spark evaluated for each RepriseGuestProject of an executed plan."""
    metrics = [node.metrics() for node in executed_nodes(frame)]
    return [some.apply("guestRows").value() for some in metrics if some.contains("guestRows")]
