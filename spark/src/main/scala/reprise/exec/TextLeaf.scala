package reprise.exec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.io.compress.{CompressionCodec, CompressionCodecFactory}
import org.apache.hadoop.util.ReflectionUtils
import org.apache.spark.{Partition, SparkException, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD, PartitionedFile}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

import scala.jdk.CollectionConverters._

import reprise.access.SparkInternals
import reprise.bridge.PieceSource

/**
 * Splits of text files, parts of which the core leaves to Spark's own reader.
 *
 * @param source     Spark's scan
 * @param compressed ends of names of files that only Spark reads
 * @param conf       by which those are read that do not lie on a local file system; none where all do
 */
private[exec] final case class TextLeaf(
    @transient source: RDD[InternalRow],
    columns: StructType,
    partitionSchema: StructType,
    compressed: Seq[String],
    conf: Option[Broadcast[SerializableConfiguration]])
  extends RddLeaf[InternalRow] {

  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput = {
    val files = partition.asInstanceOf[FilePartition]
    val scan = parent.get.asInstanceOf[RDD[InternalRow]]
    val pieces = new PieceRows(scan, files, StructType(columns ++ partitionSchema), context)
    FileInput(files, columns, partitionSchema, conf.map(_.value.value), Some(TextParts(pieces, isCompressed)))
  }

  override protected def input(rows: Iterator[InternalRow]): LeafInput =
    throw SparkException.internalError("the files of a scan are read by its splits")

  private def isCompressed(file: PartitionedFile): Boolean = compressed.exists(file.toPath.getName.endsWith(_))
}

private[exec] object TextLeaf {

  def of(scan: FileSourceScanExec): TextLeaf = {
    val files = scan.inputRDD match {
      case files: FileScanRDD => files
      case other => throw SparkException.internalError(s"a scan whose files cannot be found: ${other.getClass.getName}")
    }
    val relation = scan.relation
    val conf = relation.sparkSession.sessionState.newHadoopConfWithOptions(relation.options)
    val needed = FileLeaf.shared(files.filePartitions, scan.session.sparkContext)(conf)
    TextLeaf(files, scan.requiredSchema, relation.partitionSchema, endsOfCompressed(conf), needed)
  }

  /** As `CompressionCodecFactory.getCodec` looks for them. */
  private def endsOfCompressed(conf: Configuration): Seq[String] =
    CompressionCodecFactory.getCodecClasses(conf).asScala.toSeq.map { codec =>
      ReflectionUtils.newInstance(codec, conf).asInstanceOf[CompressionCodec].getDefaultExtension
    }
}

/** What Spark reads of a scan's files. @param isForSpark whether that is all of a file */
private[exec] final case class TextParts(pieces: PieceSource, isForSpark: PartitionedFile => Boolean)

/** Parts of a task's files as Spark's scan reads them. @param schema its rows' */
private final class PieceRows(scan: RDD[InternalRow], files: FilePartition, schema: StructType, context: TaskContext)
  extends PieceSource {
  private var rows: RowFeed = _

  override def read(file: Int, start: Long, length: Long): Unit = {
    val piece = files.files(file).copy(start = start, length = length)
    rows = new RowFeed(scan.compute(FilePartition(files.index, Array(piece)), context), schema)
  }

  override def fill(to: Long, capacity: Long, lengths: Long, maxRows: Int): Int = {
    val filled = rows.fill(to, capacity, lengths, maxRows)
    // Spark has counted them as read, and so does the core's operator.
    if (filled > 0) SparkInternals.addInput(context, 0, -filled.toLong)
    filled
  }
}
