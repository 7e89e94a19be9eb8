package reprise.access;

import org.apache.spark.QueryContext;
import org.apache.spark.SparkDateTimeException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.v2.FileDataSourceV2;

import scala.Option;
import scala.collection.immutable.Map;

/** What Spark's errors are made of. */
public final class SparkErrors {
  private SparkErrors() {}

  /** The name of an error's condition; null where it has none. */
  public static String condition(SparkThrowable error) {
    return error.getCondition();
  }

  /** As this version's messages say them. */
  static java.util.Map<String, String> parameters(java.util.Map<String, String> ofCore) {
    return ofCore;
  }

  /** What a message shows of the query. */
  static String summary(QueryContext place) {
    return place.summary();
  }

  static Exception ofDateTime(
      String condition, Map<String, String> parameters, QueryContext[] context, String summary, Throwable cause) {
    return new SparkDateTimeException(condition, parameters, context, summary, Option.apply(cause));
  }

  /** Throws what a scan raises where its reader of a file fails with `e`. */
  static void raise(PartitionedFile file, SparkReading.Progress progress, Exception e) throws Throwable {
    FileDataSourceV2.attachFilePath(file::urlEncodedPath, e);
  }
}
