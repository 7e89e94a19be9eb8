package reprise.plugin

import org.apache.spark.SparkException
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.{Descending, SortOrder}
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.joins.SortMergeJoinExec

import reprise.SparkSuite
import reprise.exec.NativeExec

/** What native operators promise Spark of the order of their rows. */
class PromisedOrderSuite extends SparkSuite {

  override protected def settings: Map[String, String] = Map(
    "spark.plugins" -> "reprise.ReprisePlugin",
    "spark.sql.adaptive.enabled" -> "false",
    "spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.reprise.order.debug" -> "true")

  private def join: DataFrame =
    spark.range(0, 9, 1, 2).selectExpr("id AS k").join(spark.range(0, 9, 1, 2).selectExpr("id AS k"), "k")

  private def nativeJoin(plan: SparkPlan): NativeExec =
    plan.collectFirst { case n: NativeExec if n.original.isInstanceOf[SortMergeJoinExec] => n }.get

  private def sorts(plan: SparkPlan): Int =
    plan.collect { case n: NativeExec if n.original.isInstanceOf[SortExec] => n }.length

  /** A native sort that is said to sort the other way round. */
  private def lying: SparkPlan =
    executed(spark.range(0, 10, 1, 1).selectExpr("id % 5 AS k").sortWithinPartitions("k")).transformUp {
      case native: NativeExec if native.original.isInstanceOf[SortExec] =>
        val sort = native.original.asInstanceOf[SortExec]
        val contrary = sort.copy(sortOrder = sort.sortOrder.map(order => SortOrder(order.child, Descending)))
        native.copy(original = contrary, exprs = contrary.expressions)
    }

  nativeTest("an operator that breaks its promise fails with its name and two rows") {
    val failure = intercept[SparkException](lying.executeCollect())
    assert(failure.getMessage.contains("RepriseSort (LORE id"))
    assert(failure.getMessage.contains("its rows are not in the order [k DESC NULLS LAST] that the plan promises"))
    assert(failure.getMessage.contains("row 1: k bigint = 0"))
    assert(failure.getMessage.contains("row 2: k bigint = 1"))
  }

  nativeTest("unless nobody asks") {
    withSetting("spark.reprise.order.debug", "false")(assert(lying.executeCollect().length == 10))
  }

  nativeTest("a join whose order nobody sees promises none, and has no sorts") {
    val plan = executed(join.groupBy().count())
    assert(nativeJoin(plan).outputOrdering.isEmpty)
    assert(sorts(plan) == 0)
  }

  nativeTest("a join whose order is seen promises it, and keeps the sort of one side") {
    val plan = executed(join)
    assert(nativeJoin(plan).outputOrdering.map(_.sql) == nativeJoin(plan).original.outputOrdering.map(_.sql))
    assert(nativeJoin(plan).outputOrdering.nonEmpty)
    assert(sorts(plan) == 1)
  }
}
