package reprise.serialize

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, AQEShuffleReadExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

/** An exchange that the core runs, which gives the core's blocks. */
trait NativeExchange { self: SparkPlan => }

/** Finds exchanges through the nodes that Spark puts around them. */
object NativeExchanges {

  /** The native exchange that a plan gives the rows or the broadcast of, if it does no more than that. */
  def of(plan: SparkPlan): Option[SparkPlan] = plan match {
    case exchange: NativeExchange => Some(exchange)
    case stage: QueryStageExec => of(stage.plan)
    case reused: ReusedExchangeExec => of(reused.child)
    case read: AQEShuffleReadExec => of(read.child)
    case adaptive: AdaptiveSparkPlanExec => of(adaptive.executedPlan)
    case added: AddedNode => of(added.children.head)
    case _ => None
  }
}
