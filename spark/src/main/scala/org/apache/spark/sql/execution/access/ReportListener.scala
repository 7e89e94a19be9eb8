package org.apache.spark.sql.execution.access

import org.apache.spark.SparkContext
import org.apache.spark.scheduler._

/** Hands on the events that a report tells of, as Spark's event log has them. */
final class ReportListener(add: String => Unit) extends SparkListener {
  private def take(event: SparkListenerEvent): Unit = add(LineageAccess.json(event))

  override def onApplicationStart(event: SparkListenerApplicationStart): Unit = take(event)
  override def onApplicationEnd(event: SparkListenerApplicationEnd): Unit = take(event)
  override def onEnvironmentUpdate(event: SparkListenerEnvironmentUpdate): Unit = take(event)
  override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit = take(event)
  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = take(event)
  override def onJobStart(event: SparkListenerJobStart): Unit = take(event)
  override def onJobEnd(event: SparkListenerJobEnd): Unit = take(event)
  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = take(event)
  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = take(event)
  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = take(event)
  override def onUnpersistRDD(event: SparkListenerUnpersistRDD): Unit = take(event)

  /** Queries, and what the plug-in tells of them. */
  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case start: SparkListenerLogStart => take(start)
    case other => if (other.logEvent) take(other)
  }
}

object ReportListener {

  /** To a running application, from its start on. @param queue whose events wait for no other listener */
  def attach(context: SparkContext, add: String => Unit, queue: String): Unit = {
    add(LineageAccess.json(SparkListenerLogStart(context.version))) // told to logs alone
    LineageAccess.addListener(context, new ReportListener(add), queue)
  }
}
