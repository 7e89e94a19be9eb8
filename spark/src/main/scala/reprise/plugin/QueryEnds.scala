package reprise.plugin

import java.util.concurrent.{ConcurrentHashMap, ConcurrentLinkedQueue}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent, SparkListenerJobStart}
import org.apache.spark.sql.execution.{CommandResultExec, SparkPlan}
import org.apache.spark.sql.execution.command.ExecutedCommandExec
import org.apache.spark.sql.execution.datasources.v2.V2CommandExec
import org.apache.spark.sql.execution.ui.{SparkListenerSQLExecutionEnd, SparkListenerSQLExecutionStart}
import org.apache.spark.SparkContext

import reprise.access.QueryEvents
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
  private val outside = new ConcurrentLinkedQueue[QueryIdentity]

  /** @param isComplete no further part of the query's plan is to come */
  def note(context: SparkContext, plan: SparkPlan, query: QueryIdentity, answer: CoreAnswer, isComplete: Boolean): Unit =
    answer.missing.filterNot(_ => isCommand(plan)).foreach { missing =>
      query.missing.note(missing)
      Option(QueryEvents.rootExecution(context)) match {
        case Some(root) => executions.computeIfAbsent(root, _ => new MissingChoices).note(missing)
        case None => if (isComplete) outside.add(query)
      }
    }

  /** A command that reads no rows by itself. */
  def isCommand(plan: SparkPlan): Boolean = plan match {
    case _: ExecutedCommandExec | _: CommandResultExec => true
    case command: V2CommandExec => command.children.isEmpty
    case _ => false
  }

  private def warn(missing: MissingChoices): Unit = missing.take().foreach(warning => logWarning(warning))

  def started(executionId: Long, rootId: Long): Unit = if (executionId != rootId) nested.add(executionId)

  def ended(executionId: Long, query: Option[QueryIdentity]): Unit = if (!nested.remove(executionId)) {
    val inside = Option(executions.remove(executionId))
    inside.foreach(warn)
    // Otherwise the plan was made ready before its execution began.
    query.foreach { q => if (inside.isEmpty) warn(q.missing) else q.missing.take() }
  }

  def jobStarted(): Unit =
    Iterator.continually(outside.poll()).takeWhile(_ != null).filterNot(_.isSuperseded).foreach(q => warn(q.missing))
}

/** Lives as long as the application. */
private[reprise] final class QueryEndListener(context: SparkContext) extends SparkListener with Logging {
  override def onJobStart(start: SparkListenerJobStart): Unit = QueryEnds.jobStarted()

  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case start: SparkListenerSQLExecutionStart =>
      QueryEnds.started(start.executionId, start.rootExecutionId.getOrElse(start.executionId))
    case end: SparkListenerSQLExecutionEnd =>
      val query =
        try Option(QueryEvents.executedPlan(end)).flatMap(Planning.identityOf)
        catch { case NonFatal(_) => None }
      query.foreach(Explanations.complete(context, end.executionId, _))
      QueryEnds.ended(end.executionId, query)
    case _ =>
  }
}
