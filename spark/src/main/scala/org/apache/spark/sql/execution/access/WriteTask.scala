package org.apache.spark.sql.execution.access

import org.apache.hadoop.fs.{FileAlreadyExistsException, Path}
import org.apache.hadoop.mapreduce.{TaskAttemptContext, TaskAttemptID, TaskID, TaskType}
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl
import org.apache.parquet.hadoop.ParquetOutputFormat
import org.apache.parquet.hadoop.util.HadoopOutputFile
import org.apache.spark.{TaskContext, TaskOutputFileAlreadyExistException}
import org.apache.spark.internal.io.{FileCommitProtocol, FileNameSpec, SparkHadoopWriterUtils}
import org.apache.spark.shuffle.FetchFailedException
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
import org.apache.spark.sql.catalyst.expressions.{Cast, Concat, Literal, ScalaUDF, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.datasources.{BucketingUtils, FileFormatDataWriter, OutputWriter, PartitioningUtils, WriteJobDescription, WriteTaskResult}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.Platform
import org.apache.spark.util.Utils

/**
 * A piece of a file that the core has encoded.
 *
 * @param rows  those that are told with this piece; -1 where a file begins, or -2 - b for one of bucket b
 * @param bytes the file's; where it begins, the UnsafeRow of its partition's values
 */
final case class FilePiece(rows: Long, bytes: Array[Byte]) {
  def beginsFile: Boolean = rows < 0
  def bucket: Option[Int] = if (rows < -1) Some((-2 - rows).toInt) else None
}

/** `FileFormatWriter.executeTask`, with files that come in pieces in the place of rows. */
object WriteTask {
  def run(
      description: WriteJobDescription,
      committer: FileCommitProtocol,
      jobTrackerId: String,
      pieces: Iterator[FilePiece]): WriteTaskResult = {
    val context = attemptOf(description, jobTrackerId, TaskContext.get())
    committer.setupTask(context)
    var writer: PieceWriter = null
    Utils.tryWithSafeFinallyAndFailureCallbacks {
      writer = new PieceWriter(description, context, committer)
      writer.write(pieces)
      writer.commit()
    }(catchBlock = if (writer != null) writer.abort() else committer.abortTask(context))
  }

  /** The time at which a write began, in the form in which Hadoop's ids hold it. */
  def jobTrackerId(): String = SparkHadoopWriterUtils.createJobTrackerID(new java.util.Date())

  private def attemptOf(description: WriteJobDescription, jobTrackerId: String, task: TaskContext): TaskAttemptContext = {
    val job = SparkHadoopWriterUtils.createJobID(jobTrackerId, task.stageId())
    val id = new TaskID(job, TaskType.MAP, task.partitionId())
    val attempt = new TaskAttemptID(id, task.taskAttemptId().toInt & Int.MaxValue)
    val conf = description.serializableHadoopConf.value
    conf.set("mapreduce.job.id", job.toString)
    conf.set("mapreduce.task.id", attempt.getTaskID.toString)
    conf.set("mapreduce.task.attempt.id", attempt.toString)
    conf.setBoolean("mapreduce.task.ismap", true)
    conf.setInt("mapreduce.task.partition", 0)
    new TaskAttemptContextImpl(conf, attempt)
  }
}

/** Spark's writer of a task, which names files, counts and commits; one file is open at a time. */
private final class PieceWriter(
    description: WriteJobDescription,
    context: TaskAttemptContext,
    committer: FileCommitProtocol)
  extends FileFormatDataWriter(description, context, committer, Map.empty) {

  /** Of the present file: the values of its partition, and its bucket. */
  private var partition: Option[UnsafeRow] = None
  private var bucket: Option[Int] = None
  private var fileCounter = 0

  def write(pieces: Iterator[FilePiece]): Unit =
    // What fails in `pieces` is the query's own error.
    while (pieces.hasNext) {
      val piece = pieces.next()
      named(if (piece.beginsFile) begin(piece.bytes, piece.bucket) else add(piece))
    }

  override def write(record: InternalRow): Unit =
    throw new UnsupportedOperationException("rows are written by the core")

  /** As `enrichWriteError` of Spark's writers. */
  private def named(body: => Unit): Unit =
    try body
    catch {
      case e: FetchFailedException => throw e
      case e: FileAlreadyExistsException if SQLConf.get.fastFailFileFormatOutput =>
        throw new TaskOutputFileAlreadyExistException(e)
      case e: Throwable =>
        val path = Option(currentWriter).fold(description.path)(_.path())
        throw QueryExecutionErrors.taskFailedWhileWritingRowsError(path, e)
    }

  private def begin(values: Array[Byte], ofBucket: Option[Int]): Unit = {
    releaseCurrentWriter()
    val row = new UnsafeRow(description.partitionColumns.length)
    row.pointTo(values, Platform.BYTE_ARRAY_OFFSET, values.length)
    if (partition.contains(row) && bucket == ofBucket) {
      fileCounter += 1
      assert(fileCounter < MAX_FILE_COUNTER, s"File counter $fileCounter is beyond max value $MAX_FILE_COUNTER")
    } else {
      if (isPartitioned && !partition.contains(row)) statsTrackers.foreach(_.newPartition(row))
      partition = Some(row)
      bucket = ofBucket
      fileCounter = 0
    }
    val path = newPath(row)
    currentWriter = new PieceFile(path, context)
    statsTrackers.foreach(_.newFile(path))
  }

  private def isPartitioned = description.partitionColumns.nonEmpty

  private def newPath(row: UnsafeRow): String = {
    val folder = if (isPartitioned) Some(folderOf(row)) else None
    folder.foreach(updatedPartitions.add)
    val location = folder.flatMap(f => description.customPartitionLocations.get(PartitioningUtils.parsePathFragment(f)))
    location match {
      case Some(absolute) => committer.newTaskTempFileAbsPath(context, absolute, name)
      case None => committer.newTaskTempFile(context, folder, name)
    }
  }

  private def name: FileNameSpec = {
    val extension = description.outputWriterFactory.getFileExtension(context)
    val number = f"c$fileCounter%03d" + extension
    bucket match {
      case Some(id) =>
        val prefix = description.bucketSpec.get.bucketFileNamePrefix(id)
        FileNameSpec(prefix, BucketingUtils.bucketIdToString(id) + "." + number)
      case None => FileNameSpec("", (if (isPartitioned) "." else "-") + number)
    }
  }

  /** "a=1/b=x" of a partition's values, as Spark's writers make it. */
  private lazy val folderOf: InternalRow => String = {
    val parts = description.partitionColumns.map { column =>
      ScalaUDF(
        ExternalCatalogUtils.getPartitionPathString _,
        StringType,
        Seq(Literal(column.name), Cast(column, StringType, Option(description.timeZoneId))))
    }
    val path = Concat(parts.flatMap(part => Seq(Literal(Path.SEPARATOR), part)).drop(1))
    val project = UnsafeProjection.create(Seq(path), description.partitionColumns)
    row => project(row).getString(0)
  }

  private def add(piece: FilePiece): Unit = {
    val file = currentWriter.asInstanceOf[PieceFile]
    file.add(piece.bytes)
    var row = 0L
    while (row < piece.rows) {
      // They count, and look at no row: see NativeWriteFilesExec.
      statsTrackers.foreach(_.newRow(file.path, InternalRow.empty))
      row += 1
    }
  }
}

/** A file of the file system that Spark writes to, made as parquet-mr makes its own. */
private final class PieceFile(override val path: String, context: TaskAttemptContext) extends OutputWriter {
  private val stream = {
    val conf = context.getConfiguration
    HadoopOutputFile.fromPath(new Path(path), conf).create(ParquetOutputFormat.getLongBlockSize(conf))
  }

  def add(bytes: Array[Byte]): Unit = stream.write(bytes)

  override def write(row: InternalRow): Unit =
    throw new UnsupportedOperationException("rows are written by the core")

  override def close(): Unit = stream.close()
}
