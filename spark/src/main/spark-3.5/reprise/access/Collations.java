package reprise.access;

import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StringType$;

/** The collations of strings, of which this version has one. */
public final class Collations {
  private Collations() {}

  private static final String BINARY = "UTF8_BINARY";

  /** Its name, as in SQL. */
  public static String of(StringType type) {
    return BINARY;
  }

  public static StringType collated(String collation) {
    if (collation.equals(BINARY)) return StringType$.MODULE$;
    throw new IllegalArgumentException("this version of Spark has no collation " + collation);
  }
}
