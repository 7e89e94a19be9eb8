package reprise.access;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/** Executions of queries and the events about them, as far as Spark keeps them to itself. */
public final class QueryEvents {
  private QueryEvents() {}

  public static void post(SparkContext context, SparkListenerEvent event) {
    context.listenerBus().post(event);
  }

  /** The number of the execution that this thread is in, or null. */
  public static Long execution(SparkContext context) {
    return number(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY()));
  }

  /** The number of the outermost execution that this thread is in, or null. */
  public static Long rootExecution(SparkContext context) {
    Long root = number(context.getLocalProperty(SQLExecution.EXECUTION_ROOT_ID_KEY()));
    return root == null ? execution(context) : root;
  }

  private static Long number(String text) {
    return text == null ? null : Long.valueOf(text);
  }

  /** Waits until the listeners have heard of all that has happened before; not for ever. */
  public static void awaitListeners(SparkContext context) {
    try {
      context.listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      // Whoever asked goes on without.
    }
  }

  /** The plan that has been carried out, with an error or without, or null. */
  public static SparkPlan plan(SparkListenerSQLExecutionEnd end) {
    return end.qe() == null ? null : end.qe().executedPlan();
  }

  /** The plan that has been carried out without an error, or null. */
  public static SparkPlan executedPlan(SparkListenerSQLExecutionEnd end) {
    boolean isGood = end.errorMessage().isEmpty() || end.errorMessage().get().isEmpty();
    return isGood ? plan(end) : null;
  }
}
