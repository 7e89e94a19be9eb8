package reprise.access;

import java.io.FileNotFoundException;
import java.util.HashMap;

import org.apache.spark.QueryContext;
import org.apache.spark.SparkDateTimeException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.SparkUpgradeException;
import org.apache.spark.sql.catalyst.trees.SQLQueryContext;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.SchemaColumnConvertNotSupportedException;

import scala.collection.immutable.Map;

/** What Spark's errors are made of. */
public final class SparkErrors {
  private SparkErrors() {}

  /** The name of an error's condition; null where it has none. */
  public static String condition(SparkThrowable error) {
    return error.getErrorClass();
  }

  /** As this version's messages say them. */
  static java.util.Map<String, String> parameters(java.util.Map<String, String> ofCore) {
    if (!"Overflow in sum of decimals".equals(ofCore.get("message"))) return ofCore;
    java.util.Map<String, String> said = new HashMap<>(ofCore);
    said.put("alternative", "");
    return said;
  }

  /** What a message shows of the query. */
  static String summary(QueryContext place) {
    return ((SQLQueryContext) place).summary();
  }

  static Exception ofDateTime(
      String condition, Map<String, String> parameters, QueryContext[] context, String summary, Throwable cause) {
    Exception error = new SparkDateTimeException(condition, parameters, context, summary);
    error.initCause(cause);
    return error;
  }

  /**
   * Throws what a scan raises where its reader of a file fails with `e`. As `FileScanRDD`: it names the file where the
   * first batch fails, and lets pass what fails before and behind that.
   */
  static void raise(PartitionedFile file, SparkReading.Progress progress, Exception e) throws Throwable {
    if (progress == SparkReading.Progress.OPENING && e instanceof FileNotFoundException) {
      throw QueryExecutionErrors.readCurrentFileNotFoundError((FileNotFoundException) e);
    } else if (progress != SparkReading.Progress.FIRST_BATCH || e instanceof SparkUpgradeException) {
      throw e;
    } else if (e.getCause() instanceof SparkUpgradeException) {
      throw e.getCause();
    }
    String path = file.urlEncodedPath();
    if (e instanceof SchemaColumnConvertNotSupportedException) {
      SchemaColumnConvertNotSupportedException wrong = (SchemaColumnConvertNotSupportedException) e;
      throw QueryExecutionErrors.unsupportedSchemaColumnConvertError(
          path, wrong.getColumn(), wrong.getLogicalType(), wrong.getPhysicalType(), wrong);
    }
    throw QueryExecutionErrors.cannotReadFilesError(e, path);
  }
}
