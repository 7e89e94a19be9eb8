package reprise.exec

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/** A figure that the core reports. @param unit "count", "bytes" or "ns" */
final case class MetricSpec(name: String, label: String, unit: String) {
  def create(context: SparkContext): SQLMetric = unit match {
    case "bytes" => SQLMetrics.createSizeMetric(context, label)
    case "ns" => SQLMetrics.createNanoTimingMetric(context, label)
    case _ => SQLMetrics.createMetric(context, label)
  }
}

/** How a transition shows itself. */
final case class TransitionSpec(name: String, metrics: Seq[MetricSpec]) {
  def createMetrics(context: SparkContext): Map[String, SQLMetric] =
    metrics.map(m => m.name -> m.create(context)).toMap
}

/**
 * What the core said of a node that it runs. The JSON texts are its own business.
 *
 * @param operator   the operator's specification
 * @param readsFiles whether the node reads the file splits of the Spark scan that it replaces
 * @param rowInputs  for each child the leaf that takes its rows, or none where the child is native
 * @param capture    how the operator is to be dumped
 */
final case class NativeVerdict(
    name: String,
    arguments: String,
    operator: String,
    readsFiles: Boolean,
    rowInputs: Seq[Option[String]],
    metrics: Seq[MetricSpec],
    capture: Option[String])
