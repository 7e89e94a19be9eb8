"""Which of Spark's own operators a query still used: what its plan holds beside native ones."""

from pyspark.sql import DataFrame

# Nodes that compute nothing on rows: adaptive execution's frames, subqueries' holders, a relation
# that turned out empty.
FRAMES = {
    *("AdaptiveSparkPlanExec", "ShuffleQueryStageExec", "BroadcastQueryStageExec"),
    *("TableCacheQueryStageExec", "ResultQueryStageExec", "AQEShuffleReadExec"),
    *("ReusedExchangeExec", "ReusedSubqueryExec", "SubqueryExec", "SubqueryBroadcastExec"),
    *("WholeStageCodegenExec", "InputAdapter", "EmptyRelationExec"),
}
# What stands below is listed where it was first seen.
REUSED = {"ReusedExchangeExec", "ReusedSubqueryExec"}
NATIVE = "reprise."


def _items(seq) -> list:
    """A Scala sequence as a list."""
    return [seq.apply(i) for i in range(seq.size())]


def _below(plan, kind: str) -> list:
    """The plans under a node, those of its subqueries included."""
    if kind == "AdaptiveSparkPlanExec":
        return [plan.executedPlan()]
    if kind.endswith("QueryStageExec"):
        return [plan.plan()]
    subqueries = [] if kind in REUSED else _items(plan.subqueries())
    return ([] if kind in REUSED else _items(plan.children())) + subqueries


def row_based_operators(frame: DataFrame) -> list[str]:
    """The names of Spark's own operators in a query that has run, from the top down.

    Empty where the whole query ran natively below its final collect.
    """
    found = []
    plans = [frame._jdf.queryExecution().executedPlan()]
    while plans:
        plan = plans.pop()
        name = plan.getClass().getName()
        kind = name.rpartition(".")[2]
        if kind not in FRAMES and not name.startswith(NATIVE):
            found.append(plan.nodeName().strip().partition(" ")[0])
        plans += reversed(_below(plan, kind))
    return found
