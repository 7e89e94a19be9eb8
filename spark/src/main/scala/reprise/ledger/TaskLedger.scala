package reprise.ledger

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.internal.Logging

import reprise.bridge.{Driver, PerTask}

/**
 * What a task attempt checksums; sent to the driver before its end is. Of every task, also of one that only passes on what
 * others have checksummed, so that a stage is known to be whole.
 */
private[reprise] final class TaskLedger private (context: TaskContext) extends Logging {
  private val entries = new ConcurrentLinkedQueue[String]

  /** @param json entries of docs/internals/ledger-format.md, separated by commas */
  def add(json: String): Unit = if (json.nonEmpty) entries.add(json)

  private def send(): Unit = {
    val task = LedgerFolder.node()
    task
      .put("stage", context.stageId())
      .put("stageAttempt", context.stageAttemptNumber())
      .put("partition", context.partitionId())
      .put("attempt", context.attemptNumber())
      .put("id", context.taskAttemptId())
      .put("executor", SparkEnv.get.executorId)
      .put("end", if (context.isFailed() || context.isInterrupted()) "failed" else "success")
    val line = s"""{"task":$task,"sums":[${entries.asScala.mkString(",")}]}"""
    try Driver.ask(TaskChecksums(line))
    catch { case NonFatal(e) => logWarning("reprise: the ledger lacks a task", e) }
  }
}

private[reprise] object TaskLedger {
  private val tasks = new PerTask[TaskLedger](new TaskLedger(_), _.send())

  /** What the driver tells executors where there is a ledger. */
  val isKept = "ledger"

  /**
   * That of the task. What checksums until the task ends must have asked for it before it asks to be told of the end:
   * listeners are called in reverse.
   */
  def of(context: TaskContext): TaskLedger = tasks.of(context)
}
