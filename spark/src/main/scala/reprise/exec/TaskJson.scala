package reprise.exec

import java.io.StringWriter

import com.fasterxml.jackson.core.{JsonFactory, JsonGenerator}
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.datasources.PartitionedFile

import reprise.bridge.TaskSettings
import reprise.trace.TraceFolders

/** Writes the task's description, as docs/internals/core-interface.md says. */
private[exec] object TaskJson {
  private val factory = new JsonFactory()

  /** What `Native.open` gets for the leaves, in their order. */
  def sources(inputs: Seq[LeafInput]): Array[AnyRef] = inputs.flatMap(sourcesOf).toArray[AnyRef]

  private def sourcesOf(input: LeafInput): Seq[AnyRef] = input match {
    case files: FileInput => files.store.toSeq ++ files.pieces.map(_.pieces)
    case RowInput(source, _, _) => Seq(source)
    case ColumnInput(source) => Seq(source)
    case CacheInput(source) => Seq(source)
    case BlockInput(source, _) => Seq(source)
    case BatchInput(source) => Seq(source)
    case ArrowInput(source) => Seq(source)
    case NoInput => Nil
  }

  def write(
      partition: Int,
      settings: TaskSettings,
      inputs: Seq[LeafInput],
      cache: Option[CacheLayout],
      context: TaskContext): String = {
    val text = new StringWriter()
    val out = factory.createGenerator(text)
    out.writeStartObject()
    out.writeNumberField("stage", context.stageId())
    out.writeNumberField("partition", partition)
    out.writeNumberField("attempt", context.taskAttemptId())
    out.writeFieldName("settings")
    out.writeRawValue(settings.text)
    writeProcess(out, settings.traces)
    cache.foreach { layout =>
      out.writeObjectFieldStart("cache")
      out.writeNumberField("rows", layout.rows)
      out.writeBooleanField("compressed", layout.isCompressed)
      out.writeEndObject()
    }
    out.writeArrayFieldStart("leaves")
    var source = 0
    inputs.foreach { input =>
      out.writeStartObject()
      input match {
        case input: FileInput =>
          writeFiles(out, ReadFiles(input.files, input.partitionSchema), input.isForSpark)
          if (input.store.isDefined) out.writeNumberField("store", source)
          if (input.pieces.isDefined) out.writeNumberField("pieces", source + input.store.size)
        case RowInput(_, broadcast, from) =>
          out.writeNumberField("rows", source)
          broadcast.foreach(out.writeNumberField("broadcast", _))
          from.foreach(writeFiles(out, _))
        case _: ColumnInput | _: CacheInput => out.writeNumberField("columns", source)
        case BlockInput(_, broadcast) =>
          out.writeNumberField("blocks", source)
          broadcast.foreach(out.writeNumberField("broadcast", _))
        case _: BatchInput => out.writeNumberField("batches", source)
        case _: ArrowInput => out.writeNumberField("arrow", source)
        case NoInput =>
      }
      source += sourcesOf(input).length
      out.writeEndObject()
    }
    out.writeEndArray()
    out.writeEndObject()
    out.close()
    text.toString
  }

  /** As whom this process traces; the start of the application is the same for all of its processes. */
  private def writeProcess(out: JsonGenerator, traces: Option[String]): Unit = {
    val environment = SparkEnv.get
    out.writeObjectFieldStart("process")
    out.writeStringField("application", environment.conf.get("spark.app.id", ""))
    out.writeStringField("executor", environment.executorId)
    out.writeNumberField("startMs", environment.conf.getLong("spark.app.startTime", 0))
    traces.flatMap(TraceFolders.localFolderOf).foreach(out.writeStringField("traces", _))
    out.writeEndObject()
  }

  private def writeFiles(
      out: JsonGenerator,
      read: ReadFiles,
      isForSpark: PartitionedFile => Boolean = _ => false): Unit = {
    lazy val toUnsafe = UnsafeProjection.create(read.partitionColumns)
    out.writeArrayFieldStart("files")
    read.files.files.foreach { file =>
      out.writeStartObject()
      writeFile(out, file, toUnsafe(_).getBytes)
      if (isForSpark(file)) out.writeBooleanField("forSpark", true)
      out.writeEndObject()
    }
    out.writeEndArray()
  }

  private def writeFile(out: JsonGenerator, file: PartitionedFile, bytes: InternalRow => Array[Byte]): Unit = {
    out.writeStringField("path", file.urlEncodedPath)
    out.writeNumberField("start", file.start)
    out.writeNumberField("length", file.length)
    if (file.fileSize > 0) out.writeNumberField("size", file.fileSize)
    if (file.modificationTime > 0) out.writeNumberField("modified", file.modificationTime)
    if (file.partitionValues.numFields > 0) {
      out.writeBinaryField("partitionValues", bytes(file.partitionValues))
    }
  }
}
