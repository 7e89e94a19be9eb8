package reprise.access;

import org.apache.spark.api.python.PythonFunction;
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

  public static boolean usesBroadcasts(Object function) {
    return function instanceof PythonFunction && !((PythonFunction) function).broadcastVars().isEmpty();
  }
}
