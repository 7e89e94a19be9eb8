package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ColumnarToRowExec, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.vectorized.ColumnarBatch

import reprise.serialize.{AddedNode, Readiness}

/**
 * An edge of a fragment. Spark's own marks of such nodes, `ColumnarToRowTransition` and its opposite, say that Spark
 * may look for batches on one side; here it must not, see [[NativeOperatorExec]].
 */
trait TransitionExec extends UnaryExecNode with AddedNode {
  def spec: TransitionSpec

  override def nodeName: String = spec.name
  override def argString(maxFields: Int): String = ""
  override def output: Seq[Attribute] = child.output
  override def outputPartitioning: Partitioning = child.outputPartitioning
  override def outputOrdering: Seq[SortOrder] = child.outputOrdering
  override lazy val metrics: Map[String, SQLMetric] = spec.createMetrics(sparkContext)

  /** The figures in the order in which the core reports them. */
  def coreMetrics: Seq[SQLMetric] = spec.metrics.map(m => metrics(m.name))

  override protected def doCanonicalize(): SparkPlan = child.canonicalized
}

/** Where a fragment's batches become Spark's rows. */
case class NativeToRowExec(child: SparkPlan, spec: TransitionSpec) extends TransitionExec {
  override protected def doExecute(): RDD[InternalRow] = Readiness.now(this).fold(rows)(_.execute())

  private def rows: RDD[InternalRow] = child match {
    case native: NativeExec => Fragment.rows(native, metrics)
    case native: NativeTakeOrderedExec => native.rows(metrics)
    case other => other.execute()
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

/**
 * Where a fragment reads what is not its own: rows or columns of Spark, blocks of an exchange.
 *
 * That it has columns where its child has them keeps Spark from making rows of them below; nobody asks it for them. The
 * child may give rows alone whatever the leaf reads: something may have been put around it.
 */
case class FragmentInputExec(child: SparkPlan, leaf: LeafSpec) extends TransitionExec {
  override def spec: TransitionSpec = leaf.transition
  override def supportsColumnar: Boolean = leaf.readsColumns && child.supportsColumnar
  override def supportsRowBased: Boolean = true

  /** As it is; the fragment makes batches of it in its own task. */
  override protected def doExecute(): RDD[InternalRow] =
    if (child.supportsRowBased) child.execute() else ColumnarToRowExec(child).execute()
  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = child.executeColumnar()
  override def doExecuteBroadcast[T](): Broadcast[T] = child.executeBroadcast()

  /** Spark 4.0 makes rows of the columns nevertheless. */
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = newChild match {
    case rows: ColumnarToRowExec if leaf.readsColumns => copy(child = rows.child)
    case other => copy(child = other)
  }
}
