package reprise.exec

import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.FileFormat

/** The same scan as if its files were of another format. */
private[exec] abstract class ScanOfOtherFormat(scan: FileSourceScanExec, format: FileFormat)
  extends FileSourceScanExec(
    scan.relation.copy(fileFormat = format)(scan.relation.sparkSession),
    scan.stream,
    scan.output,
    scan.requiredSchema,
    scan.partitionFilters,
    scan.optionalBucketSet,
    scan.optionalNumCoalescedBuckets,
    scan.dataFilters,
    scan.tableIdentifier,
    scan.disableBucketedScan)
