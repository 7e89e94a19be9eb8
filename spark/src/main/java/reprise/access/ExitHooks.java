package reprise.access;

import org.apache.spark.util.ShutdownHookManager;
import scala.runtime.BoxedUnit;

/** What is still to be done when the JVM is told to end. */
public final class ExitHooks {
  /** Before Spark deletes its directories and Hadoop closes its file systems. */
  private static final int PRIORITY = 90;

  private ExitHooks() {}

  /** @return what {@link #remove} takes */
  public static Object add(Runnable hook) {
    return ShutdownHookManager.addShutdownHook(
        PRIORITY,
        () -> {
          hook.run();
          return BoxedUnit.UNIT;
        });
  }

  /** Whether the JVM is ending. */
  public static boolean isExiting() {
    return ShutdownHookManager.inShutdown();
  }

  public static void remove(Object hook) {
    ShutdownHookManager.removeShutdownHook(hook);
  }
}
