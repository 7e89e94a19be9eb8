package reprise.lineage

import java.util.Properties

import scala.collection.mutable

import org.apache.spark.{LineageAccess, SparkFirehoseListener}
import org.apache.spark.scheduler._

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
      write(start.copy(properties = allowed(start.properties)), flush = true)
    case end: SparkListenerJobEnd => if (!replays(end.jobId)) write(end, flush = true)
    case start: SparkListenerStageSubmitted =>
      if (!replayed(start.stageInfo.stageId)) write(start.copy(properties = allowed(start.properties)), flush = false)
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

  /** Settings may be secrets; these are what the log's readers ask for. */
  private def allowed(all: Properties): Properties = {
    val kept = new Properties
    if (all != null) {
      Seq("spark.sql.execution.id", "spark.sql.execution.root.id", "spark.job.description", "spark.jobGroup.id",
        "spark.rdd.scope", "callSite.short").foreach { key =>
        Option(all.getProperty(key)).foreach(kept.setProperty(key, _))
      }
    }
    kept
  }
}
