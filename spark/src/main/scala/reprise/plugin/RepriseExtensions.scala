package reprise.plugin

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/**
 * The places where Reprise takes part in planning, and when Spark calls them.
 *
 * With adaptive execution (the default):
 *   1. `AdaptiveSparkPlanExec` is made for each subquery and then for the query, and calls the '''query stage
 *      preparation rule''' with a plan that nobody has numbered yet: nothing to do.
 *   1. Spark calls the '''columnar rule''' with the query's `AdaptiveSparkPlanExec`, or the command above it: Reprise
 *      numbers the operators, those of the subqueries with them.
 *   1. When the query runs, each stage is made: stage optimizer rules (coalesced partitions, local reads), then the
 *      columnar rule with the stage's plan, whose leaves are the stages before it: Reprise replaces. Then code
 *      generation is collapsed.
 *   1. When stages have ended, Spark plans the rest again and calls the preparation rule with a plan that holds the
 *      finished stages: Reprise numbers the new nodes as it has numbered the old.
 *   1. The last stage, that of the result, goes as in 3.
 *
 * Without adaptive execution (switched off, or nothing in the query to adapt):
 *   1. Subqueries are prepared first, each as in 2.
 *   1. The '''columnar rule''' sees the whole plan, exchanges included: Reprise numbers and replaces in one call.
 *   1. Code generation is collapsed and equal exchanges are reused.
 *
 * Transitions are put in by Reprise itself, because its operators look row-based to Spark (see `NativeExec`); the
 * rule after Spark's own transitions is therefore not used.
 */
final class RepriseExtensions extends SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectQueryStagePrepRule(_ => NumberAgainRule)
    extensions.injectColumnar(_ => ReplaceRule)
    ExplainFunction.inject(extensions)
  }
}

private object NumberAgainRule extends Rule[SparkPlan] {
  override val ruleName: String = "reprise.NumberAgain"
  override def apply(plan: SparkPlan): SparkPlan = Planning.numberAgain(plan)
}

private object ReplaceRule extends ColumnarRule {
  override val preColumnarTransitions: Rule[SparkPlan] = new Rule[SparkPlan] {
    override val ruleName: String = "reprise.Replace"
    override def apply(plan: SparkPlan): SparkPlan = Planning.replace(plan)
  }
}
