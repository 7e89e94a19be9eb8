package reprise.exec

import org.apache.hadoop.conf.Configuration
import org.apache.spark.SparkException
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.ScanFileListing
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD, PartitionedFile}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType

import reprise.access.ScanInternals

/** The splits of a scan's files, as Spark makes them. */
private[exec] object ScanSplits {

  def of(scan: FileSourceScanExec): IndexedSeq[FilePartition] = new WithoutReader(scan).inputRDD match {
    case files: FileScanRDD => files.filePartitions.toIndexedSeq
    case other =>
      throw SparkException.internalError(s"a scan whose files cannot be found: ${other.getClass.getName}")
  }

  /** Spark makes the splits together with its own reader, for which it broadcasts Hadoop's whole configuration; the
   *  native scan needs neither. What the scan itself has listed and counts stays the scan's. */
  private final class WithoutReader(scan: FileSourceScanExec)
    extends FileSourceScanExec(
      scan.relation.copy(fileFormat = NoReader)(scan.relation.sparkSession),
      scan.stream,
      scan.output,
      scan.requiredSchema,
      scan.partitionFilters,
      scan.optionalBucketSet,
      scan.optionalNumCoalescedBuckets,
      scan.dataFilters,
      scan.tableIdentifier,
      scan.disableBucketedScan) {

    @transient override lazy val selectedPartitions: ScanFileListing = scan.selectedPartitions
    @transient override lazy val dynamicallySelectedPartitions: ScanFileListing = ScanInternals.files(scan)
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
