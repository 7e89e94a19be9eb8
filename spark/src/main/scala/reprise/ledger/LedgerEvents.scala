package reprise.ledger

import org.apache.spark.SparkFirehoseListener
import org.apache.spark.scheduler._
import org.apache.spark.sql.execution.access.LineageAccess
import org.apache.spark.sql.execution.ui._

import reprise.event.LoggedProperties

/** Writes what of Spark's events tells the lineage: jobs, stages, queries, and the tasks that failed. */
private[ledger] final class LedgerEvents(ledger: Ledger) extends SparkFirehoseListener {
  override def onEvent(event: SparkListenerEvent): Unit = event match {
    case _: SparkListenerExecutorMetricsUpdate | _: SparkListenerBlockUpdated | _: SparkListenerEnvironmentUpdate |
        _: SparkListenerStageExecutorMetrics | _: SparkListenerTaskStart | _: SparkListenerTaskGettingResult |
        _: SparkListenerDriverAccumUpdates | _: SparkListenerSQLAdaptiveExecutionUpdate |
        _: SparkListenerSQLAdaptiveSQLMetricUpdates =>
    case task: SparkListenerTaskEnd => if (!task.taskInfo.successful) write(task)
    case start: SparkListenerJobStart => write(start.copy(properties = LoggedProperties.of(start.properties)))
    case start: SparkListenerStageSubmitted => write(start.copy(properties = LoggedProperties.of(start.properties)))
    // The plan's operators are told of by Reprise's own event.
    case start: SparkListenerSQLExecutionStart =>
      write(start.copy(physicalPlanDescription = "", modifiedConfigs = Map.empty))
    case _: SparkListenerJobEnd | _: SparkListenerStageCompleted | _: SparkListenerApplicationEnd =>
      write(event, flush = true)
    case _ => write(event)
  }

  private def write(event: SparkListenerEvent, flush: Boolean = false): Unit =
    ledger.event(LineageAccess.json(event), flush)
}
