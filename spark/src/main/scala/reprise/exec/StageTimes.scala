package reprise.exec

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageCompleted, SparkListenerTaskEnd}

import reprise.bridge.Driver

/** An executor's question: has this task taken `factor` times the median of its stage's tasks that have ended? */
final case class IsTaskSlow(stage: Int, stageAttempt: Int, milliseconds: Long, factor: Double)

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

  def answer(question: IsTaskSlow): Boolean = synchronized {
    times.get((question.stage, question.stageAttempt)).exists { ended =>
      question.milliseconds >= question.factor * ended.sorted.apply(ended.length / 2)
    }
  }
}

private[exec] object SlowTasks extends Logging {
  def isSlow(question: IsTaskSlow): Boolean =
    try Driver.ask(question).asInstanceOf[Boolean]
    catch {
      case NonFatal(e) =>
        logWarning("the driver does not say whether this task is slow; it is not dumped", e)
        false
    }
}
