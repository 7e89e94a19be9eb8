package reprise.plugin

import java.util.concurrent.{ConcurrentHashMap, ConcurrentLinkedQueue}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent, SparkListenerJobStart}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.command.ExecutedCommandExec
import org.apache.spark.sql.execution.datasources.v2.V2CommandExec
import org.apache.spark.sql.execution.ui.{SparkListenerSQLExecutionEnd, SparkListenerSQLExecutionStart}
import org.apache.spark.SparkContext

import reprise.access.QueryEvents
import reprise.bridge.{Native, SessionConf}
import reprise.exec.{BegunDumps, OnceChoices}
import reprise.serialize.{MissingChoices, QueryIdentity}

/**
 * What is said at a query's end: which choices of operators to dump have found none.
 *
 * A command may run queries inside its own execution, and without adaptive execution a subquery is planned as a query of
 * its own, so an outermost execution counts as one: it lacks what all of its plans lack. Where a `DataFrame`'s RDD is
 * used directly there is no execution; then the query is complete when the next job starts.
 */
private[plugin] object QueryEnds extends Logging {
  private val executions = new ConcurrentHashMap[Long, MissingChoices]
  private val nested: java.util.Set[Long] = ConcurrentHashMap.newKeySet[Long]()
  private val choices = new ConcurrentHashMap[Long, String]
  private val outside = new ConcurrentLinkedQueue[QueryIdentity]

  private val late = "spark.reprise.lore.idsToDump, or what belongs to it, was set after this query had been planned or " +
    "run, too late for its operators to be dumped so: make the DataFrame again"

  /** @param isComplete no further part of the query's plan is to come */
  def note(context: SparkContext, plan: SparkPlan, query: QueryIdentity, answer: CoreAnswer, isComplete: Boolean): Unit =
    answer.missing.map(missing => if (isCommand(plan)) missing.filter(_._2.isRefused) else missing).foreach { missing =>
      query.missing.note(query.token, missing)
      Option(QueryEvents.rootExecution(context)) match {
        case Some(root) => executions.computeIfAbsent(root, _ => new MissingChoices).note(query.token, missing)
        case None => if (isComplete) outside.add(query)
      }
    }

  /** A command that reads no rows by itself. A choice of operators does not concern it, unless it names it. */
  def isCommand(plan: SparkPlan): Boolean = plan match {
    case _: ExecutedCommandExec => true
    case command: V2CommandExec => command.children.isEmpty
    case _ => false
  }

  private def warn(missing: MissingChoices, hasFailed: Boolean = false): Unit =
    missing.take(hasFailed, BegunDumps.has).foreach(warning => logWarning(warning))

  /**
   * What is chosen to be dumped and checked. An execution's event does not tell which of the application's settings its
   * session lacks, so that these count here.
   */
  def chosen(context: SparkContext, set: Map[String, String]): String =
    SessionConf.switches(context.getConf.getAll.toMap ++ set).chosen

  /** @param chosen as the execution begins */
  def started(executionId: Long, rootId: Long, chosen: String): Unit = {
    if (executionId != rootId) nested.add(executionId)
    if (chosen.nonEmpty) choices.put(executionId, chosen)
  }

  /** @param query none where it has failed */
  def ended(executionId: Long, query: Option[QueryIdentity], hasFailed: Boolean): Unit = {
    for (chosen <- Option(choices.remove(executionId)); q <- query if q.chosen != chosen) logWarning(late)
    if (!nested.remove(executionId)) tellMissing(executionId, query, hasFailed)
  }

  private def tellMissing(executionId: Long, query: Option[QueryIdentity], hasFailed: Boolean): Unit = {
    val inside = Option(executions.remove(executionId))
    inside.foreach(warn(_, hasFailed))
    // Otherwise the plan was made ready before its execution began.
    query.foreach { q => if (inside.isEmpty) warn(q.missing) else q.missing.take(hasFailed, BegunDumps.has) }
    (inside ++ query.map(_.missing)).foreach(_.queries.foreach(BegunDumps.forget))
  }

  /** What has been found may still begin: a job of an earlier stage may be told of late. */
  def jobStarted(): Unit =
    for (query <- Iterator.continually(outside.poll()).takeWhile(_ != null) if !query.isSuperseded) {
      OnceChoices.queryEnded(query.token)
      query.missing.take(hasFailed = false, (_, _) => true).foreach(warning => logWarning(warning))
    }
}

/** Lives as long as the application. */
private[reprise] final class QueryEndListener(context: SparkContext) extends SparkListener with Logging {
  override def onJobStart(start: SparkListenerJobStart): Unit = QueryEnds.jobStarted()

  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case start: SparkListenerSQLExecutionStart =>
      val chosen = QueryEnds.chosen(context, start.modifiedConfigs)
      QueryEnds.started(start.executionId, start.rootExecutionId.getOrElse(start.executionId), chosen)
    case end: SparkListenerSQLExecutionEnd =>
      identity(QueryEvents.plan(end)).foreach(endDumps)
      val query = identity(QueryEvents.executedPlan(end))
      query.foreach(Explanations.complete(context, end.executionId, _))
      OnceChoices.executionEnded(end.executionId)
      QueryEnds.ended(end.executionId, query, hasFailed = QueryEvents.executedPlan(end) == null)
    case _ =>
  }

  private def identity(plan: => SparkPlan) =
    try Option(plan).flatMap(Planning.identityOf)
    catch { case NonFatal(_) => None }

  private def endDumps(query: QueryIdentity): Unit =
    try Native.endDumps(query.token)
    catch { case NonFatal(e) => logWarning(s"What no task has filled of a dump could not be removed: ${e.getMessage}") }
}
