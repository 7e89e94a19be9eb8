package reprise.lineage

import java.io.{File, RandomAccessFile}
import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.JsonNode

import reprise.access.ElementNames

/**
 * A task that has ended.
 *
 * @param reason of a task that failed or was killed: the exception's class and message, or Spark's word
 * @param result the beginning of what the task gave, as text, where the recording keeps it
 */
final case class RecordedTask(
    id: Long,
    stage: Int,
    stageAttempt: Int,
    partition: Int,
    attempt: Int,
    executor: String,
    host: String,
    durationMs: Long,
    isSuccessful: Boolean,
    exception: Option[String],
    reason: Option[String],
    result: Option[String] = None) {

  /** With the names of what the numbers are. */
  override def toString: String =
    ElementNames.of(this).zip(productIterator.toIndexedSeq).map { case (name, value) => s"$name=$value" }.mkString("RecordedTask(", ", ", ")")
}

/** The tasks of a recording's event log, and which RDDs each stage computes. */
private[reprise] final class RecordedTasks {
  val tasks = mutable.ArrayBuffer.empty[RecordedTask]
  val rddsOfStage = mutable.HashMap.empty[Int, Set[Int]]
  private var position = 0L

  /** Takes in what has been added since. */
  def refresh(log: File): Unit = Using.resource(new RandomAccessFile(log, "r")) { file =>
    file.seek(position)
    val added = new Array[Byte](math.min(file.length - position, Int.MaxValue - 16).toInt)
    file.readFully(added)
    var start = 0
    var end = added.indexOf('\n'.toByte, start)
    while (end >= 0) {
      take(new String(added, start, end - start, UTF_8))
      position += end + 1 - start
      start = end + 1
      end = added.indexOf('\n'.toByte, start)
    }
  }

  private def take(line: String): Unit =
    try {
      if (line.startsWith("{\"Event\":\"SparkListenerTaskEnd\"")) takeTask(RecordingFormat.json.readTree(line))
      else if (line.startsWith("{\"Event\":\"SparkListenerJobStart\"")) takeJob(RecordingFormat.json.readTree(line))
    } catch { case _: JsonProcessingException => () } // `reprise tasks` reports damaged lines

  private def takeJob(event: JsonNode): Unit = event.path("Stage Infos").elements.asScala.foreach { stage =>
    rddsOfStage(stage.get("Stage ID").asInt) =
      stage.path("RDD Info").elements.asScala.map(_.get("RDD ID").asInt).toSet
  }

  private def takeTask(event: JsonNode): Unit = {
    val info = event.get("Task Info")
    val end = event.get("Task End Reason")
    val kind = end.get("Reason").asText
    val exception = Option(end.get("Class Name")).map(_.asText)
    tasks += RecordedTask(
      info.get("Task ID").asLong,
      event.get("Stage ID").asInt,
      event.get("Stage Attempt ID").asInt,
      info.path("Partition ID").asInt(info.get("Index").asInt),
      info.get("Attempt").asInt,
      info.get("Executor ID").asText,
      info.get("Host").asText,
      info.get("Finish Time").asLong - info.get("Launch Time").asLong,
      kind == "Success",
      exception,
      if (kind == "Success") None
      else Some((exception.getOrElse(kind) +: RecordedTasks.textsOf(end)).mkString(": ")))
  }
}

private object RecordedTasks {

  /** What the kinds of ends say: of exceptions, fetches that failed, tasks that were killed, executors that were lost. */
  private val texts = Seq("Description", "Message", "Kill Reason", "Loss Reason")

  private def textsOf(end: JsonNode): Seq[String] =
    texts.flatMap(text => Option(end.get(text))).filterNot(_.isNull).map(_.asText)
}
