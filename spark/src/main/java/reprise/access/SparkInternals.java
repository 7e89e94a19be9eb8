package reprise.access;

import java.util.Map;

import org.apache.spark.QueryContext;
import org.apache.spark.SparkArithmeticException;
import org.apache.spark.SparkArrayIndexOutOfBoundsException;
import org.apache.spark.SparkException;
import org.apache.spark.SparkNumberFormatException;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.SparkUpgradeException;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.InputMetrics;

/** What Spark keeps {@code private[spark]}, which Scala obeys and the JVM does not know. */
public final class SparkInternals {
  private SparkInternals() {}

  /** The classes of Spark's exceptions that have an error condition. */
  public enum Kind { ARITHMETIC, ARRAY_INDEX, DATE_TIME, NUMBER_FORMAT, RUNTIME, UPGRADE, OTHER }

  /**
   * Spark's own exception of an error condition.
   *
   * @param coreCondition as the core names it
   * @param place what it shows of the query, or null
   * @throws RuntimeException if Spark does not know the condition, or it has other parameters
   */
  public static Exception exception(
      Kind kind, String coreCondition, Map<String, String> parameters, QueryContext place, Throwable cause) {
    String condition = ErrorConditions.named(coreCondition);
    QueryContext[] context = place == null ? new QueryContext[0] : new QueryContext[] {place};
    String summary = place == null ? "" : SparkErrors.summary(place);
    scala.collection.immutable.Map<String, String> named =
        ScalaCollections.asScala(SparkErrors.parameters(OverflowMessages.parameters(condition, parameters)));
    switch (kind) {
      case ARITHMETIC:
        return withCause(new SparkArithmeticException(condition, named, context, summary), cause);
      case ARRAY_INDEX:
        return withCause(
            new SparkArrayIndexOutOfBoundsException(condition, named, context, summary), cause);
      case DATE_TIME:
        return SparkErrors.ofDateTime(condition, named, context, summary, cause);
      case NUMBER_FORMAT:
        return withCause(new SparkNumberFormatException(condition, named, context, summary), cause);
      case RUNTIME:
        return new SparkRuntimeException(condition, named, cause, context, summary);
      case UPGRADE:
        return new SparkUpgradeException(condition, named, cause);
      default:
        return new SparkException(condition, named, cause);
    }
  }

  private static Exception withCause(Exception exception, Throwable cause) {
    if (exception.getCause() == null) exception.initCause(cause);
    return exception;
  }

  /** Throws Spark's TaskKilledException if the task was killed. */
  public static void killTaskIfInterrupted(TaskContext context) {
    context.killTaskIfInterrupted();
  }

  public static void addInput(TaskContext context, long bytes, long records) {
    InputMetrics input = context.taskMetrics().inputMetrics();
    input.incBytesRead(bytes);
    input.incRecordsRead(records);
  }
}
