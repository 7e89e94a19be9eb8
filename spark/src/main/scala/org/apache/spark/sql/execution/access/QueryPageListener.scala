package org.apache.spark.sql.execution.access

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.execution.SparkPlanInfo
import org.apache.spark.sql.execution.ui._
import org.apache.spark.status.ElementTrackingStore

import reprise.event.PlanExplained

/**
 * Puts labels behind the names of operators in Spark's own page of a query and in its REST interface: what both show is
 * kept in a store, in which Spark's listener writes a plan when a query starts and whenever it is planned anew.
 *
 * Stands behind that listener, in its queue. In the history server it may stand before it, and then puts the labels
 * when the query ends.
 *
 * @param add    is told of each event that labels depend on
 * @param labels those of a query's last plan, in pre-order
 */
final class QueryPageListener(store: ElementTrackingStore, add: SparkListenerEvent => Unit, labels: Long => Seq[String])
  extends SparkListener {
  private val plans = mutable.LongMap.empty[SparkPlanInfo]

  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case explained: PlanExplained => add(explained)
    case start: SparkListenerSQLExecutionStart => planned(start, start.executionId, start.sparkPlanInfo)
    case update: SparkListenerSQLAdaptiveExecutionUpdate => planned(update, update.executionId, update.sparkPlanInfo)
    case end: SparkListenerSQLExecutionEnd =>
      add(end)
      plans.remove(end.executionId).foreach(write(end.executionId, _))
    case _ =>
  }

  private def planned(event: SparkListenerEvent, execution: Long, plan: SparkPlanInfo): Unit = {
    add(event)
    plans.put(execution, plan)
    write(execution, plan)
  }

  private def write(execution: Long, plan: SparkPlanInfo): Unit = {
    val behind = labels(execution)
    if (behind.exists(_.nonEmpty) && isKept(execution)) store.write(LabelledGraph(execution, plan, behind))
  }

  private def isKept(execution: Long) =
    try store.read(classOf[SparkPlanGraphWrapper], execution) != null
    catch { case _: NoSuchElementException => false }
}

object QueryPageListener {

  /** Behind Spark's listener, which must be there: that is when there is a session. */
  def attach(context: SparkContext, add: SparkListenerEvent => Unit, labels: Long => Seq[String]): Unit = {
    val store = context.statusStore.store.asInstanceOf[ElementTrackingStore]
    context.listenerBus.addToStatusQueue(new QueryPageListener(store, add, labels))
  }
}

/** The graph that Spark makes of a plan, with labels behind the names. */
private object LabelledGraph {
  // Spark knows kinds of nodes, and exchanges that are reused, by their names: labels travel in the descriptions.
  private val mark = '\u0000'

  def apply(execution: Long, plan: SparkPlanInfo, labels: Seq[String]): SparkPlanGraphWrapper = {
    val graph = SparkPlanGraph(new Labelling(labels)(plan))
    new SparkPlanGraphWrapper(execution, graph.nodes.map(stored), graph.edges)
  }

  private final class Labelling(labels: Seq[String]) {
    private val left = labels.iterator
    // Equal ones must stay equal, of which Spark shows one.
    private val exchanges = mutable.HashMap.empty[SparkPlanInfo, SparkPlanInfo]

    def apply(plan: SparkPlanInfo): SparkPlanInfo = {
      val label = if (left.hasNext) left.next() else ""
      val made = new SparkPlanInfo(
        plan.nodeName,
        s"$label$mark${plan.simpleString}",
        plan.children.map(apply),
        plan.metadata,
        plan.metrics)
      if (plan.nodeName.contains("Exchange") || plan.nodeName == "Subquery") exchanges.getOrElseUpdate(plan, made) else made
    }
  }

  private def stored(node: SparkPlanGraphNode): SparkPlanGraphNodeWrapper = {
    val (label, marked) = node.desc.splitAt(node.desc.indexOf(mark))
    val name = if (label.isEmpty) node.name else node.name.stripTrailing + label
    val description = marked.drop(1)
    node match {
      case cluster: SparkPlanGraphCluster =>
        new SparkPlanGraphNodeWrapper(
          null,
          new SparkPlanGraphClusterWrapper(cluster.id, name, description, cluster.nodes.map(stored), cluster.metrics))
      case _ => new SparkPlanGraphNodeWrapper(new SparkPlanGraphNode(node.id, name, description, node.metrics), null)
    }
  }
}
