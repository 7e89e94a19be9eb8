package reprise.access;

import java.util.Map;

/** Arguments of Spark's operators and expressions that an earlier version of Spark takes in another form. */
public final class EarlierArguments {
  private EarlierArguments() {}

  /** Classes that an earlier Spark lacks, and which member of theirs it takes as an argument of that name. */
  public static final Map<String, String> BY_CLASS =
      // Spark 4.0 takes how overflow is treated alone, and how decimals are rounded from the settings.
      Map.of("org.apache.spark.sql.catalyst.expressions.NumericEvalContext", "evalMode");

  private static final String EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions.";
  private static final String EXECUTION = "org.apache.spark.sql.execution.";

  /** Arguments that an earlier Spark lacks, by class and name, and the value that says what it does anyway. */
  public static final Map<String, Object> IMPLIED = Map.of(
      // Spark 4.2: a broadcast join over parts of a skewed partition, and lists that keep nulls.
      EXECUTION + "joins.BroadcastHashJoinExec.isSkewJoin", false,
      EXPRESSIONS + "aggregate.CollectList.ignoreNulls", true,
      EXPRESSIONS + "aggregate.CollectSet.ignoreNulls", true,
      // Spark 4.3: both sides of an exchange at a time, leaves that run as one task, null keys anywhere, checked rounding.
      EXECUTION + "exchange.ShuffleExchangeExec.pipelined", false,
      EXECUTION + "FileSourceScanExec.markedForSingleTaskExecution", false,
      EXECUTION + "LocalTableScanExec.useSingleTask", false,
      EXECUTION + "ExpandExec.useSingleTask", false,
      "org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution.allowNullKeySpreading", false,
      EXPRESSIONS + "Ceil.failOnError", false,
      EXPRESSIONS + "Floor.failOnError", false);
}
