package reprise.access;

import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.SQLPartitioningAwareUnionRDD;

import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/** RDDs that Spark keeps to itself. */
public final class RddInternals {
  private RddInternals() {}

  /** Partition i is the partitions i of all of `rdds`, one after the other; each has none or `partitions`. */
  public static <T> RDD<T> unionByPartition(
      SparkContext context, Seq<RDD<T>> rdds, int partitions, ClassTag<T> type) {
    return new SQLPartitioningAwareUnionRDD<>(context, rdds, partitions, type);
  }
}
