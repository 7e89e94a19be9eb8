package reprise.lineage

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, FileNotFoundException, InputStream, IOException}
import java.nio.file.{Files, StandardCopyOption}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import com.fasterxml.jackson.databind.JsonNode
import com.github.luben.zstd.ZstdInputStream
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import reprise.bridge.Secrets
import reprise.event.EventFiles

private[reprise] final case class RecordedParent(rdd: Int, shuffle: Option[Int])

/** @param object where it is, unless there is a reason why not */
private[reprise] final case class RecordedRdd(
    id: Int,
    typeName: String,
    name: Option[String],
    callSite: String,
    callSiteLong: String,
    partitions: Int,
    parents: Seq[RecordedParent],
    blob: Option[Blob],
    splits: Option[Blob],
    reason: Option[String]) {

  /** `#1: MapPartitionsRDD map at <console>:14`. A call site of Spark Connect's has several lines. */
  def text: String = s"#$id: $typeName ${callSite.replaceAll("\\s+", " ")}"
}

private[reprise] final case class RecordedShuffle(id: Int, rdd: Int, blob: Option[Blob], reason: Option[String])
private[reprise] final case class RecordedBroadcast(id: Long, blob: Option[Blob], reason: Option[String])

/** @param action what runs on each partition */
private[reprise] final case class RecordedJob(
    id: Int,
    rdd: Int,
    partitions: Seq[Int],
    callSite: String,
    properties: Map[String, String],
    action: Option[Blob],
    reason: Option[String])

/** @param shuffle what it writes; none where it is the last stage of its job */
private[reprise] final case class RecordedStage(id: Int, job: Int, rdd: Int, shuffle: Option[Int])

/** What a task of a job's last stage gave to the driver. @param text the beginning of what its `toString` says */
private[reprise] final case class RecordedResult(task: Long, text: String, blob: Option[Blob], reason: Option[String])

/**
 * Reads a recording, whose application may still be running, up to where it is whole.
 *
 * @throws IllegalArgumentException where there is no recording, or one of another format
 */
private[reprise] final class RecordingReader(val path: String, hadoop: Configuration) {
  private val named = new Path(path)
  private val files = EventFiles.fileSystem(named, hadoop)
  val folder: Path = files.makeQualified(named)

  var header: JsonNode = RecordingFormat.node()
  /** In the order in which they were recorded: parents first. */
  val rdds = mutable.LinkedHashMap.empty[Int, RecordedRdd]
  val shuffles = mutable.HashMap.empty[Int, RecordedShuffle]
  val broadcasts = mutable.HashMap.empty[Long, RecordedBroadcast]
  val jobs = mutable.LinkedHashMap.empty[Int, RecordedJob]
  val stages = mutable.LinkedHashMap.empty[Int, RecordedStage]
  val classes = mutable.LinkedHashMap.empty[String, Blob]
  /** By task; only where the application was asked to keep them. */
  val results = mutable.HashMap.empty[Long, RecordedResult]
  private val submissions = mutable.HashMap.empty[Long, JsonNode]
  private var position = 0L
  private var lineNumber = 0

  /** Where the recording is torn or damaged: nothing behind it is read. */
  var damage: Option[String] = None

  refresh()
  if (header.size() == 0) {
    throw new IllegalArgumentException(
      s"$path: ${RecordingFormat.lines} has no whole first line: ${damage.getOrElse("it is empty")}")
  }

  def applicationId: String = header.path("id").asText

  /** Takes in what has been added since. */
  def refresh(): Unit = if (damage.forall(_.endsWith(RecordingReader.tornEnd))) {
    damage = None
    val added = tail()
    var start = 0
    while (damage.isEmpty && start < added.length) {
      val end = added.indexOf('\n'.toByte, start)
      lineNumber += 1
      if (end < 0) {
        damage = Some(s"$path: ${RecordingFormat.lines} line $lineNumber ${RecordingReader.tornEnd}")
      } else RecordingFormat.parse(added.slice(start, end)) match {
        case Some(line) =>
          take(line)
          position += end + 1 - start
          start = end + 1
        case None =>
          damage = Some(
            s"$path: ${RecordingFormat.lines} line $lineNumber is damaged; what was recorded before it is read")
      }
      if (damage.isDefined) lineNumber -= 1
    }
  }

  private def tail(): Array[Byte] =
    try
      Using.resource(files.open(new Path(folder, RecordingFormat.lines))) { in =>
        in.seek(position)
        in.readAllBytes()
      }
    catch {
      case e: FileNotFoundException =>
        throw new IllegalArgumentException(s"$path is no recording: it has no file ${RecordingFormat.lines}", e)
    }

  private def take(line: JsonNode): Unit = {
    val kind = line.fieldNames().next()
    val content = line.get(kind)
    kind match {
      case "recording" =>
        val format = content.get("format").asInt
        if (format != RecordingFormat.version) {
          throw new IllegalArgumentException(
            s"$path has the format $format; this version of Reprise reads ${RecordingFormat.version}")
        }
        header = content
      case "rdd" => takeRdd(content)
      case "shuffle" =>
        val id = content.get("id").asInt
        shuffles(id) =
          RecordedShuffle(id, content.get("rdd").asInt, Blob.read(content.get("object")), text(content, "reason"))
      case "broadcast" =>
        val id = content.get("id").asLong
        broadcasts(id) = RecordedBroadcast(id, Blob.read(content.get("object")), text(content, "reason"))
      case "class" => Blob.read(content.get("object")).foreach(classes(content.get("file").asText) = _)
      case "submission" => submissions(content.get("number").asLong) = content
      case "started" =>
        submissions.remove(content.get("submission").asLong).foreach { submission =>
          val id = content.get("job").asInt
          jobs(id) = RecordedJob(
            id,
            submission.get("rdd").asInt,
            submission.get("partitions").elements.asScala.map(_.asInt).toIndexedSeq,
            submission.get("callSite").asText,
            submission.path("properties").properties.asScala.map(p => p.getKey -> p.getValue.asText)
              .filter(_._2 != Secrets.hidden).toMap,
            Blob.read(submission.get("action")),
            text(submission, "reason"))
        }
      case "result" =>
        val task = content.get("task").asLong
        results(task) = RecordedResult(
          task, content.path("text").asText, Blob.read(content.get("object")), text(content, "reason"))
      case "stages" =>
        content.get("stages").elements.asScala.filter(_.has("rdd")).foreach { stage =>
          val id = stage.get("id").asInt
          stages(id) = RecordedStage(
            id, content.get("job").asInt, stage.get("rdd").asInt, Option(stage.get("shuffle")).map(_.asInt))
        }
      case _ => () // of a later version that adds to this format
    }
  }

  private def takeRdd(content: JsonNode): Unit = {
    val id = content.get("id").asInt
    rdds(id) = RecordedRdd(
      id,
      content.get("type").asText,
      text(content, "name"),
      content.get("callSite").asText,
      content.get("callSiteLong").asText,
      content.path("partitions").asInt,
      content.path("parents").elements.asScala
        .map(p => RecordedParent(p.get("rdd").asInt, Option(p.get("shuffle")).map(_.asInt)))
        .toIndexedSeq,
      Blob.read(content.get("object")),
      Blob.read(content.get("splits")),
      text(content, "reason"))
  }

  private def text(node: JsonNode, name: String): Option[String] =
    Option(node.get(name)).filterNot(_.isNull).map(_.asText)

  /** The bytes of an object, decompressed. IOException where they are not what was recorded. */
  def open(blob: Blob, what: String): InputStream = {
    if (blob.bytes > Int.MaxValue - 16) throw new IOException(s"$path: $what is larger than 2 GiB")
    val bytes = new Array[Byte](blob.bytes.toInt)
    try Using.resource(files.open(new Path(folder, RecordingFormat.objects)))(_.readFully(blob.offset, bytes))
    catch {
      case e: java.io.EOFException => throw new IOException(s"$path: ${RecordingFormat.objects} ends before $what", e)
    }
    if (RecordingFormat.checksum(bytes) != blob.checksum) {
      throw new IOException(s"$path: ${RecordingFormat.objects} is damaged where $what is, at ${blob.offset}")
    }
    new ZstdInputStream(new ByteArrayInputStream(bytes))
  }

  def bytes(blob: Blob, what: String): Array[Byte] = Using.resource(open(blob, what)) { in =>
    val out = new ByteArrayOutputStream
    in.transferTo(out)
    out.toByteArray
  }

  /** The event log, as a file of this machine. */
  def localEvents(): java.io.File = {
    val log = new Path(folder, RecordingFormat.events)
    if (folder.toUri.getScheme == "file") new java.io.File(log.toUri.getPath)
    else {
      val copy = java.io.File.createTempFile("reprise-events", "")
      copy.deleteOnExit()
      Using.resource(files.open(log))(Files.copy(_, copy.toPath, StandardCopyOption.REPLACE_EXISTING))
      copy
    }
  }
}

private object RecordingReader {
  val tornEnd = "is torn: it was being written when the recording was read, or its application died"
}
