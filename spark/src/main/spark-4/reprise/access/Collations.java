package reprise.access;

import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StringType$;

/** The collations of strings. */
public final class Collations {
  private Collations() {}

  /** Its name, as in SQL. */
  public static String of(StringType type) {
    return type.collationName();
  }

  public static StringType collated(String collation) {
    return StringType$.MODULE$.apply(collation);
  }
}
