package reprise.exec

import org.apache.hadoop.conf.Configuration
import org.apache.spark.SparkException
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD, PartitionedFile}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import reprise.access.ScanInternals
import reprise.access.SparkTypes.FileListing

/** The splits of a scan's files, as Spark makes them. */
private[exec] object ScanSplits {

  def of(scan: FileSourceScanExec): IndexedSeq[FilePartition] = new WithoutReader(scan).inputRDD match {
    case files: FileScanRDD => files.filePartitions.toIndexedSeq.map(FileConstants.of(scan).addedTo)
    case other =>
      throw SparkException.internalError(s"a scan whose files cannot be found: ${other.getClass.getName}")
  }

  /** Spark makes the splits together with its own reader, for which it broadcasts Hadoop's whole configuration; the
   *  native scan needs neither. What the scan itself has listed and counts stays the scan's. */
  private final class WithoutReader(scan: FileSourceScanExec) extends ScanOfOtherFormat(scan, NoReader) {
    @transient override lazy val selectedPartitions: FileListing = scan.selectedPartitions
    @transient override lazy val dynamicallySelectedPartitions: FileListing = ScanInternals.files(scan)
    override def sendDriverMetrics(): Unit = ScanInternals.sendDriverMetrics(scan)
  }

  private object NoReader extends ParquetFileFormat {
    override def buildReaderWithPartitionValues(
        session: SparkSession,
        dataSchema: StructType,
        partitionSchema: StructType,
        requiredSchema: StructType,
        filters: Seq[Filter],
        options: Map[String, String],
        conf: Configuration): PartitionedFile => Iterator[InternalRow] =
      file => throw SparkException.internalError(s"Spark's reader was asked for ${file.urlEncodedPath}")
  }
}
