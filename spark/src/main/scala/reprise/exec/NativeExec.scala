package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.serialize.StandsForSparkNode

/**
 * An operator that the core runs in place of one of Spark's. A connected piece of such operators is one fragment.
 *
 * To Spark it is a node that gives rows: batches never leave a fragment, so nothing in Spark has to choose between rows
 * and columns, and only the two transitions of this package know better.
 *
 * @param original the node that it stands for; its children are those from before
 * @param exprs    the original's expressions, held here so that Spark's rules find and replace them
 */
case class NativeExec(
    original: SparkPlan,
    verdict: NativeVerdict,
    exprs: Seq[Expression],
    children: Seq[SparkPlan])
  extends SparkPlan
  with StandsForSparkNode {

  /** Spark's node with the present expressions; its children may be old ones. */
  lazy val current: SparkPlan = {
    val before = original.expressions
    if (before.corresponds(exprs)(_ eq _)) {
      original
    } else {
      val after = exprs.iterator
      original.mapExpressions(_ => after.next())
    }
  }

  private lazy val asSpark: SparkPlan = current.withNewChildren(children)

  override def standsFor: Option[SparkPlan] = Some(current)

  override def nodeName: String = verdict.name
  override def argString(maxFields: Int): String = verdict.arguments
  override def output: Seq[Attribute] = original.output
  override def producedAttributes: AttributeSet = current.producedAttributes
  override def outputPartitioning: Partitioning = asSpark.outputPartitioning
  override def outputOrdering: Seq[SortOrder] = asSpark.outputOrdering

  /** The same as Spark's node: what computes a result does not matter where results are reused. */
  override protected def doCanonicalize(): SparkPlan = asSpark.canonicalized

  /** The core's figures; a scan keeps those that Spark's scan sets on the driver: files, partitions. */
  override lazy val metrics: Map[String, SQLMetric] = {
    val spark = if (verdict.readsFiles) current.metrics else Map.empty[String, SQLMetric]
    spark ++ verdict.metrics.map(m => m.name -> spark.getOrElse(m.name, m.create(sparkContext)))
  }

  /** The figures in the order in which the core reports them. */
  def coreMetrics: Seq[SQLMetric] = verdict.metrics.map(m => metrics(m.name))

  override protected def doExecute(): RDD[InternalRow] = Fragment.rows(this, Map.empty)

  /** Runs `body` when the subqueries of this node have their values. */
  private[exec] def whenReady[T](body: => T): T = executeQuery(body)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): SparkPlan =
    copy(children = newChildren)
}
