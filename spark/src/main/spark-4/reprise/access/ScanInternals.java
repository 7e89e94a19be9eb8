package reprise.access;

import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.ListingPartition;
import org.apache.spark.sql.execution.ScanFileListing;

import scala.collection.Iterator;

/** What Spark's file scan keeps {@code protected}, which Scala obeys and the JVM does not know. */
public final class ScanInternals {
  private ScanInternals() {}

  /** The files that the scan reads, after dynamic pruning too; listed at the first call. */
  public static ScanFileListing files(FileSourceScanExec scan) {
    return scan.dynamicallySelectedPartitions();
  }

  public static long numberOf(ScanFileListing files) {
    return files.totalNumberOfFiles();
  }

  public static Iterator<ListingPartition> directories(ScanFileListing files) {
    return files.filePartitionIterator();
  }

  public static boolean isOfStream(FileSourceScanExec scan) {
    return scan.stream().nonEmpty();
  }

  /** Sends what the scan has counted while it listed its files. */
  public static void sendDriverMetrics(FileSourceScanExec scan) {
    scan.sendDriverMetrics();
  }
}
