package reprise.access;

import org.apache.spark.api.python.PythonFunction;
import org.apache.spark.sql.catalyst.expressions.PythonFuncExpression;

/** What the portable form of an operator needs of Spark's private parts. */
public final class PortableInternals {
  private PortableInternals() {}

  public static boolean isPythonFunction(Object object) {
    return object instanceof PythonFunction;
  }

  /** What Python has pickled of a function. */
  public static byte[] pickled(PythonFuncExpression function) {
    scala.collection.Seq<?> command = function.func().command();
    byte[] bytes = new byte[command.length()];
    scala.collection.Iterator<?> all = command.iterator();
    for (int i = 0; i < bytes.length; i++) bytes[i] = (Byte) all.next();
    return bytes;
  }

  public static boolean usesBroadcasts(Object function) {
    return function instanceof PythonFunction && !((PythonFunction) function).broadcastVars().isEmpty();
  }
}
