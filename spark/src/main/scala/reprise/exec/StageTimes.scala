package reprise.exec

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageCompleted, SparkListenerTaskEnd}

import reprise.bridge.Driver

/** An executor's question: how long, in milliseconds, has the median of this stage's tasks that have ended taken? */
final case class MedianTask(stage: Int, stageAttempt: Int)

/** How long the tasks of running stages have taken. On the driver, from the first query on that wants to know. */
object StageTimes extends SparkListener {
  private type Stage = (Int, Int)
  private val times = mutable.Map.empty[Stage, mutable.ArrayBuffer[Long]]
  private var watched: SparkContext = _

  def watch(context: SparkContext): Unit = synchronized {
    if (watched ne context) {
      times.clear()
      watched = context
      context.addSparkListener(this)
    }
  }

  override def onTaskEnd(end: SparkListenerTaskEnd): Unit = synchronized {
    if (end.taskInfo.successful && end.taskMetrics != null) {
      times.getOrElseUpdate((end.stageId, end.stageAttemptId), mutable.ArrayBuffer.empty) += end.taskMetrics.executorRunTime
    }
  }

  override def onStageCompleted(end: SparkListenerStageCompleted): Unit = synchronized {
    times.remove((end.stageInfo.stageId, end.stageInfo.attemptNumber()))
  }

  /** @return below 0 where none has ended */
  def answer(question: MedianTask): Long = synchronized {
    times.get((question.stage, question.stageAttempt)).fold(-1L)(ended => ended.sorted.apply(ended.length / 2))
  }
}

/** What a task gets to know of the others of its stage. */
private[exec] object TaskTimes extends Logging {

  /** As `TaskProbe.medianTaskMs`. */
  def median(context: TaskContext): Long =
    try Driver.ask(MedianTask(context.stageId(), context.stageAttemptNumber())).asInstanceOf[Long]
    catch {
      case NonFatal(e) =>
        logWarning("the driver does not say whether this task is slow; it is not dumped", e)
        -1
    }
}
