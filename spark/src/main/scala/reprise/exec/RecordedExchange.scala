package reprise.exec

import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.serialize.StandsForSparkNode

/** An exchange of Spark's of which what it gives is recorded: to all others it is Spark's. Its child is a recorder. */
private[exec] trait RecordedExchange extends Exchange with StandsForSparkNode {

  /** As it was planned. */
  def original: Exchange

  /** Spark's, over this node's child: what runs. */
  protected def running: Exchange

  override def standsFor: Option[SparkPlan] = Some(original)
  override def nodeName: String = original.nodeName
  override def argString(maxFields: Int): String = original.argString(maxFields)
  override def outputPartitioning: Partitioning = running.outputPartitioning
  override lazy val metrics: Map[String, SQLMetric] = running.metrics
  override protected def doCanonicalize(): SparkPlan = running.canonicalized
}
