package reprise.access;

import java.util.Arrays;

import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;

import scala.collection.Iterator;

/** What Spark's file scan keeps {@code protected}, which Scala obeys and the JVM does not know. */
public final class ScanInternals {
  private ScanInternals() {}

  /** The files that the scan reads, after dynamic pruning too; listed at the first call. */
  public static PartitionDirectory[] files(FileSourceScanExec scan) {
    return scan.dynamicallySelectedPartitions();
  }

  public static long numberOf(PartitionDirectory[] files) {
    return Arrays.stream(files).mapToLong(directory -> directory.files().size()).sum();
  }

  public static Iterator<PartitionDirectory> directories(PartitionDirectory[] files) {
    return ScalaCollections.asScala(Arrays.asList(files).iterator());
  }

  /** This version's scans do not tell. */
  public static boolean isOfStream(FileSourceScanExec scan) {
    return false;
  }

  /** Sends what the scan has counted while it listed its files. */
  public static void sendDriverMetrics(FileSourceScanExec scan) {
    scan.sendDriverMetrics();
  }
}
