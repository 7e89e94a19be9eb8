package reprise.exec

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression, NullsFirst, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.bridge.Secrets
import reprise.serialize.StandsForSparkNode

/**
 * An operator that the core runs in place of one of Spark's. A connected piece of such operators is one fragment.
 *
 * To Spark it is a node that gives rows: batches never leave a fragment, so nothing in Spark has to choose between rows
 * and columns, and only the nodes of this package know better.
 */
trait NativeOperatorExec extends SparkPlan with StandsForSparkNode {

  /** The node that it stands for; its children are those from before. */
  def original: SparkPlan
  def verdict: NativeVerdict

  /** The original's expressions, held here so that Spark's rules find and replace them. */
  def exprs: Seq[Expression]

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

  protected lazy val asSpark: SparkPlan = current.withNewChildren(children)

  override def standsFor: Option[SparkPlan] = Some(current)

  override def nodeName: String = verdict.name
  override def argString(maxFields: Int): String = shown(Secrets.shortened(_, conf.maxMetadataStringLength))

  /** In a formatted explain Spark's scans show their values in full. */
  override def verboseStringWithOperatorId(): String =
    if (verdict.values.isEmpty) super.verboseStringWithOperatorId()
    else s"\n$formattedNodeName\nArguments: ${shown(identity)}\n"

  /** Values are redacted before they are cut, so that no half of a secret stays. */
  private def shown(cut: String => String): String =
    if (verdict.values.isEmpty) verdict.arguments
    else {
      val redacted = Secrets.redactedText(conf.stringRedactionPattern, _)
      redacted(verdict.values.map(v => v.before + cut(redacted(v.value))).mkString + verdict.arguments)
    }

  override def output: Seq[Attribute] = original.output
  override def producedAttributes: AttributeSet = current.producedAttributes

  /** Some of Spark's nodes list what they make among their expressions. */
  @transient override lazy val references: AttributeSet = current.references
  override def outputPartitioning: Partitioning = asSpark.outputPartitioning

  /** Believed by Spark's operators above when they run; no rule of Spark's that would sort comes after the replacement. */
  override def outputOrdering: Seq[SortOrder] = if (verdict.keepsOrder) asSpark.outputOrdering else Nil

  /** The same as Spark's node: what computes a result does not matter where results are reused. */
  override protected def doCanonicalize(): SparkPlan = asSpark.canonicalized

  protected def createCoreMetrics(known: Map[String, SQLMetric]): Map[String, SQLMetric] =
    verdict.metrics.map(m => m.name -> known.getOrElse(m.name, m.create(sparkContext))).toMap

  /**
   * The order that it promises, as the core checks it, as far as that is one of its own columns: a JSON array of
   * `{"column":0,"ascending":true,"nullsFirst":true}`.
   */
  private[exec] def promisedOrder: Option[String] = {
    val columns = outputOrdering.map { order =>
      // Equal by the order: each of them is in it.
      val position = output.indexWhere(column => order.children.exists(_.semanticEquals(column)))
      (position, order)
    }.takeWhile(_._1 >= 0)
    if (columns.isEmpty) None
    else Some(columns.map { case (position, order) =>
      s"""{"column":$position,"ascending":${order.isAscending},"nullsFirst":${order.nullOrdering == NullsFirst}}"""
    }.mkString("[", ",", "]"))
  }

  /** The figures in the order in which the core reports them. */
  def coreMetrics: Seq[SQLMetric] = verdict.metrics.map(m => metrics(m.name))

  /** Runs `body` when the subqueries of this node have their values. */
  private[exec] def whenReady[T](body: => T): T = executeQuery(body)
}
