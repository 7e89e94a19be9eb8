package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric

/** A native operator that neither moves rows between partitions nor needs more than one stage. */
case class NativeExec(
    original: SparkPlan,
    verdict: NativeVerdict,
    exprs: Seq[Expression],
    children: Seq[SparkPlan])
  extends NativeOperatorExec {

  private def keepsMetrics = verdict.input match {
    case NativeInput.Splits | _: NativeInput.Python => true
    case _ => false
  }

  /**
   * The core's figures; a scan keeps those that Spark's scan sets on the driver, files and partitions, and what runs in
   * Python those that Spark's runner counts.
   */
  override lazy val metrics: Map[String, SQLMetric] = {
    val spark = if (keepsMetrics) current.metrics else Map.empty[String, SQLMetric]
    spark ++ createCoreMetrics(spark)
  }

  override protected def doExecute(): RDD[InternalRow] = Fragment.rows(this, Map.empty)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): SparkPlan =
    copy(children = newChildren)
}
