package reprise.access;

import org.apache.spark.sql.internal.SQLConf;

/** How much Spark broadcasts at most. */
public final class BroadcastLimit {
  private BroadcastLimit() {}

  public static long bytes(SQLConf conf) {
    return conf.maxBroadcastTableSizeInBytes();
  }
}
