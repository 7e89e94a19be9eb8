package reprise.lineage

import scala.collection.mutable

import org.apache.spark.SparkFirehoseListener
import org.apache.spark.scheduler._
import org.apache.spark.sql.execution.access.LineageAccess

import reprise.event.LoggedProperties

/** Writes a recording's event log, and which RDD and which shuffle each stage computes. */
private[lineage] final class RecordedEvents(recorder: LineageRecorder) extends SparkFirehoseListener {
  private val replays = mutable.HashSet.empty[Int] // jobs
  private val replayed = mutable.HashSet.empty[Int] // stages

  override def onEvent(event: SparkListenerEvent): Unit = event match {
    case _: SparkListenerExecutorMetricsUpdate | _: SparkListenerBlockUpdated | _: SparkListenerEnvironmentUpdate |
        _: SparkListenerStageExecutorMetrics =>
    case start: SparkListenerJobStart if start.properties != null && start.properties.containsKey(ReplayMark.key) =>
      replays += start.jobId
      replayed ++= start.stageIds
    case start: SparkListenerJobStart =>
      recorder.write { writer =>
        writer.line(stagesOf(start))
        writer.flush()
      }
      write(start.copy(properties = LoggedProperties.of(start.properties)), flush = true)
    case end: SparkListenerJobEnd => if (!replays(end.jobId)) write(end, flush = true)
    case start: SparkListenerStageSubmitted =>
      if (!replayed(start.stageInfo.stageId)) write(start.copy(properties = LoggedProperties.of(start.properties)), flush = false)
    case end: SparkListenerStageCompleted => if (!replayed(end.stageInfo.stageId)) write(end, flush = true)
    case task: SparkListenerTaskStart => if (!replayed(task.stageId)) write(task, flush = false)
    case task: SparkListenerTaskGettingResult => ()
    case task: SparkListenerTaskEnd => if (!replayed(task.stageId)) write(task, flush = false)
    case end: SparkListenerApplicationEnd => write(end, flush = true)
    case other => write(other, flush = false)
  }

  private def write(event: SparkListenerEvent, flush: Boolean): Unit = {
    val json = LineageAccess.json(event)
    recorder.write { writer =>
      writer.event(json)
      if (flush) writer.flushEvents()
    }
  }

  private def stagesOf(start: SparkListenerJobStart) = {
    val line = RecordingFormat.node()
    val stages = line.putObject("stages").put("job", start.jobId).putArray("stages")
    start.stageInfos.foreach { info =>
      val stage = stages.addObject().put("id", info.stageId)
      info.rddInfos.headOption.foreach(rdd => stage.put("rdd", rdd.id))
      LineageAccess.shuffleOf(info).foreach(shuffle => stage.put("shuffle", shuffle))
    }
    line
  }
}
