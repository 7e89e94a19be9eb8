package reprise.exec

import java.util.TimeZone

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.io.compress.{CompressionCodec, CompressionCodecFactory}
import org.apache.hadoop.util.ReflectionUtils
import org.apache.spark.{Partition, SparkException, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD, PartitionedFile, TextBasedFileFormat}
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.{ParquetFileFormat, ParquetUtils}
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructType, TimestampType}
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.SerializableConfiguration

import scala.jdk.CollectionConverters._

import reprise.access.SparkInternals
import reprise.bridge.PieceSource

/**
 * Splits of files, parts of which the core leaves to Spark's own reader.
 *
 * @param source       Spark's scan
 * @param isVectorized whether that gives batches
 * @param constants    what its rows have of the files: the core gets it with the splits, and Spark's rows have it
 * @param whole        the files of which it leaves all
 * @param conf         by which those are read that do not lie on a local file system; none where all do
 */
private[exec] final case class PieceLeaf(
    @transient source: RDD[InternalRow],
    isVectorized: Boolean,
    columns: StructType,
    constants: FileConstants,
    whole: SparksFiles,
    conf: Option[Broadcast[SerializableConfiguration]])
  extends RddLeaf[InternalRow] {

  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput = {
    val files = partition.asInstanceOf[FilePartition]
    val scan = parent.get.asInstanceOf[RDD[InternalRow]]
    val pieces = new PieceRows(scan, isVectorized, files, StructType(columns ++ constants.schema), context)
    FileInput(constants.addedTo(files), columns, constants.schema, conf.map(_.value.value), Some(FilePieces(pieces, whole.has(_))))
  }

  override protected def input(rows: Iterator[InternalRow]): LeafInput =
    throw SparkException.internalError("the files of a scan are read by its splits")
}

private[exec] object PieceLeaf {

  /** Whether the core leaves parts of a scan's files to Spark: of Parquet, those whose ids and names cross. */
  def isFor(scan: FileSourceScanExec): Boolean = scan.relation.fileFormat match {
    case _: TextBasedFileFormat | _: OrcFileFormat => true
    case _: ParquetFileFormat => ParquetUtils.hasFieldIds(scan.requiredSchema)
    case _ => false
  }

  def of(scan: FileSourceScanExec): PieceLeaf = {
    val files = scan.inputRDD match {
      case files: FileScanRDD => files
      case other => throw SparkException.internalError(s"a scan whose files cannot be found: ${other.getClass.getName}")
    }
    val relation = scan.relation
    val conf = relation.sparkSession.sessionState.newHadoopConfWithOptions(relation.options)
    val whole = relation.fileFormat match {
      case _: OrcFileFormat if hasInstants(scan.requiredSchema) =>
        FilesOfZone(TimeZone.getDefault.getID)
      case _: OrcFileFormat | _: ParquetFileFormat => NamedFiles(Nil)
      case _ => NamedFiles(endsOfCompressed(conf))
    }
    val needed = FileLeaf.shared(files.filePartitions, scan.session.sparkContext)(conf)
    PieceLeaf(files, scan.supportsColumnar, scan.requiredSchema, FileConstants.of(scan), whole, needed)
  }

  private def hasInstants(read: DataType): Boolean = read match {
    case TimestampType => true
    case struct: StructType => struct.exists(field => hasInstants(field.dataType))
    case ArrayType(element, _) => hasInstants(element)
    case MapType(key, value, _) => hasInstants(key) || hasInstants(value)
    case _ => false
  }

  /** As `CompressionCodecFactory.getCodec` looks for them. */
  private def endsOfCompressed(conf: Configuration): Seq[String] =
    CompressionCodecFactory.getCodecClasses(conf).asScala.toSeq.map { codec =>
      ReflectionUtils.newInstance(codec, conf).asInstanceOf[CompressionCodec].getDefaultExtension
    }
}

/** Files that only Spark reads. */
private[exec] sealed trait SparksFiles {
  def has(file: PartitionedFile): Boolean
}

private final case class NamedFiles(ends: Seq[String]) extends SparksFiles {
  override def has(file: PartitionedFile): Boolean = ends.exists(file.toPath.getName.endsWith(_))
}

/** All, where this process has another time zone than the one that was planned for. */
private final case class FilesOfZone(id: String) extends SparksFiles {
  override def has(file: PartitionedFile): Boolean = TimeZone.getDefault.getID != id
}

/** What Spark reads of a scan's files. @param isForSpark whether that is all of a file */
private[exec] final case class FilePieces(pieces: PieceSource, isForSpark: PartitionedFile => Boolean)

/** Parts of a task's files as Spark's scan reads them. @param schema its rows' */
private final class PieceRows(
    scan: RDD[InternalRow],
    isVectorized: Boolean,
    files: FilePartition,
    schema: StructType,
    context: TaskContext)
  extends PieceSource {
  private var rows: RowFeed = _

  override def read(file: Int, start: Long, length: Long): Unit = {
    val piece = files.files(file).copy(start = start, length = length)
    val read = scan.compute(FilePartition(files.index, Array(piece)), context)
    rows = new RowFeed(if (isVectorized) PieceRows.single(read) else read, schema)
  }

  override def fill(to: Long, capacity: Long, lengths: Long, maxRows: Int): Int = {
    val filled = rows.fill(to, capacity, lengths, maxRows)
    // Spark has counted them as read, and so does the core's operator.
    if (filled > 0) SparkInternals.addInput(context, 0, -filled.toLong)
    filled
  }
}

private object PieceRows {

  /** The rows of batches that stand for rows. */
  private def single(batches: Iterator[InternalRow]): Iterator[InternalRow] =
    batches.asInstanceOf[Iterator[ColumnarBatch]].flatMap(_.rowIterator.asScala)
}
