package reprise.plugin

import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec

import reprise.access.QueryEvents
import reprise.event.{OperatorExplained, PlanExplained}
import reprise.serialize.{PlanDocument, QueryIdentity, StandsForSparkNode}

/** Tells Spark's event log what has been decided about each operator. */
private[plugin] object Explanations {
  private val plannings = new AtomicLong
  private val outside = -1L

  def post(
      context: SparkContext,
      document: PlanDocument,
      answer: CoreAnswer,
      query: QueryIdentity,
      replaces: Seq[String]): Unit = {
    val operators = explained(document, answer)
    if (operators.nonEmpty) {
      val execution = Option(QueryEvents.execution(context)).fold(outside)(_.longValue)
      operators.foreach(operator => query.explained.put(operator.loreId, operator))
      query.explainedIn.add(execution)
      post(context, execution, query, replaces, operators)
    }
  }

  /** Tells what a plan will become, once there is an execution to tell it of. */
  def foretell(context: SparkContext, query: QueryIdentity): Unit =
    for (execution <- Option(QueryEvents.execution(context)) if query.foretold.nonEmpty) {
      post(context, execution, query, Nil, query.foretold, foretold = true)
      query.foretold = Nil
    }

  /** Tells of a plan again that was made ready outside of the execution that ran it. */
  def complete(context: SparkContext, execution: Long, query: QueryIdentity): Unit =
    if (!query.explained.isEmpty && query.explainedIn.add(execution)) {
      post(context, execution, query, Nil, query.explained.values.asScala.toIndexedSeq.sortBy(_.loreId))
    }

  private def post(
      context: SparkContext,
      execution: Long,
      query: QueryIdentity,
      replaces: Seq[String],
      operators: Seq[OperatorExplained],
      foretold: Boolean = false): Unit =
    QueryEvents.post(
      context,
      PlanExplained(execution, query.token, plannings.incrementAndGet(), replaces, operators, foretold))

  def explained(document: PlanDocument, answer: CoreAnswer): Seq[OperatorExplained] = {
    val depths = mutable.Map.empty[Long, Int]
    def depth(id: Long): Int = depths.getOrElseUpdate(
      id,
      answer.nodes.get(id).filter(_.parent > 0).fold(0)(node => depth(node.parent) + 1))
    answer.nodes.toIndexedSeq.sortBy(_._1).collect {
      case (id, node) if node.loreId > 0 && node.mark.nonEmpty =>
        OperatorExplained(
          id,
          node.loreId,
          document.nodes.get(id).fold("")(name),
          node.occurrence,
          node.fingerprint,
          node.mark,
          node.mark == "*",
          depth(id),
          node.reasons,
          node.parent,
          document.nodes.get(id).flatMap(cachedBy).fold("")(_.token))
    }
  }

  private def name(plan: SparkPlan): String = {
    val spark = plan match {
      case own: StandsForSparkNode => own.standsFor.getOrElse(plan)
      case other => other
    }
    spark.getClass.getSimpleName.stripSuffix("Exec")
  }

  private def cachedBy(plan: SparkPlan): Option[QueryIdentity] = plan match {
    case scan: InMemoryTableScanExec => Planning.identityOf(scan.relation.cachedPlan)
    case _ => None
  }
}
