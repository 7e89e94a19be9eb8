package reprise.access;

import org.apache.spark.ShuffleDependency;

import scala.Option;

/** What Spark keeps to itself of a shuffle. */
public final class LineageInternals {
  private LineageInternals() {}

  public static Object processor(ShuffleDependency<?, ?, ?> shuffle) {
    return shuffle.shuffleWriterProcessor();
  }

  public static String keyClass(ShuffleDependency<?, ?, ?> shuffle) {
    return shuffle.keyClassName();
  }

  public static String valueClass(ShuffleDependency<?, ?, ?> shuffle) {
    return shuffle.valueClassName();
  }

  public static Option<String> combinerClass(ShuffleDependency<?, ?, ?> shuffle) {
    return shuffle.combinerClassName();
  }
}
