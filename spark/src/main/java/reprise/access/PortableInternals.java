package reprise.access;

import org.apache.spark.api.python.PythonFunction;
import org.apache.spark.sql.catalyst.expressions.PythonFuncExpression;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StringType$;

/** What the portable form of an operator needs of Spark's private parts. */
public final class PortableInternals {
  private PortableInternals() {}

  /** The name of a collation, as in SQL. */
  public static String collation(StringType type) {
    return type.collationName();
  }

  public static StringType collated(String collation) {
    return StringType$.MODULE$.apply(collation);
  }

  public static boolean isPythonFunction(Object object) {
    return object instanceof PythonFunction;
  }

  /** What Python has pickled of a function. */
  public static byte[] pickled(PythonFuncExpression function) {
    scala.collection.immutable.Seq<?> command = function.func().command();
    byte[] bytes = new byte[command.length()];
    scala.collection.Iterator<?> all = command.iterator();
    for (int i = 0; i < bytes.length; i++) bytes[i] = (Byte) all.next();
    return bytes;
  }

  public static boolean usesBroadcasts(Object function) {
    return function instanceof PythonFunction && !((PythonFunction) function).broadcastVars().isEmpty();
  }
}
