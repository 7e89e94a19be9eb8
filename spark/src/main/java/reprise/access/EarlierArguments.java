package reprise.access;

import java.util.Map;

/** Arguments of Spark's operators and expressions that an earlier version of Spark takes in another form. */
public final class EarlierArguments {
  private EarlierArguments() {}

  /** Classes that an earlier Spark lacks, and which member of theirs it takes as an argument of that name. */
  public static final Map<String, String> BY_CLASS =
      // Spark 4.0 takes how overflow is treated alone, and how decimals are rounded from the settings.
      Map.of("org.apache.spark.sql.catalyst.expressions.NumericEvalContext", "evalMode");
}
