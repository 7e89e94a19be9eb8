package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, AQEShuffleReadExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

import reprise.bridge.UserCallSite

/** Finds exchanges through the nodes that Spark puts around them. */
object NativeExchanges {

  /** The native exchange that a plan gives the rows or the broadcast of, if it does no more than that. */
  def of(plan: SparkPlan): Option[NativeOperatorExec] = plan match {
    case exchange: NativeShuffleExchangeExec => Some(exchange)
    case exchange: NativeBroadcastExchangeExec => Some(exchange)
    case stage: QueryStageExec => of(stage.plan)
    case reused: ReusedExchangeExec => of(reused.child)
    case read: AQEShuffleReadExec => of(read.child)
    case adaptive: AdaptiveSparkPlanExec => of(adaptive.executedPlan)
    case transition: TransitionExec => of(transition.child)
    case _ => None
  }
}

/** The rows of a native broadcast, on the driver. */
private[exec] object RelationRows {
  def of(encoded: Array[Array[Byte]], leaf: LeafSpec, plan: SparkPlan): Array[InternalRow] = UserCallSite(plan.session.sparkContext) {
    val blocks: RDD[Array[Byte]] = plan.session.sparkContext.parallelize(encoded.toList, 1)
    val rows = Fragment.rowsOf(BlockLeaf(blocks), leaf, plan)
    rows.map(_.asInstanceOf[UnsafeRow].copy(): InternalRow).collect()
  }
}
