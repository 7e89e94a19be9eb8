package org.apache.spark.sql.execution.access

import scala.reflect.ClassTag

import org.apache.spark.{Aggregator, Partitioner, ShuffleDependency}
import org.apache.spark.rdd.RDD
import org.apache.spark.serializer.Serializer
import org.apache.spark.shuffle.ShuffleWriteProcessor
import org.apache.spark.shuffle.checksum.RowBasedChecksum

/** The checksums that the rows of a shuffle get, by which Spark finds a map that gives others in a retry. */
object ShuffleChecksums {
  type Checksum = RowBasedChecksum

  def of(shuffle: ShuffleDependency[_, _, _]): Array[Checksum] = shuffle.rowBasedChecksums

  def isRetriedFully(shuffle: ShuffleDependency[_, _, _]): Boolean = shuffle.checksumMismatchFullRetryEnabled

  def shuffleDependency(
      rdd: RDD[_ <: Product2[Any, Any]],
      partitioner: Partitioner,
      serializer: Serializer,
      keyOrdering: Option[Ordering[Any]],
      aggregator: Option[Aggregator[Any, Any, Any]],
      mapSideCombine: Boolean,
      processor: AnyRef,
      checksums: Array[Checksum],
      fullRetry: Boolean)(
      key: ClassTag[Any],
      value: ClassTag[Any],
      combiner: ClassTag[Any]): ShuffleDependency[Any, Any, Any] =
    new ShuffleDependency[Any, Any, Any](
      rdd, partitioner, serializer, keyOrdering, aggregator, mapSideCombine,
      processor.asInstanceOf[ShuffleWriteProcessor], checksums, fullRetry)(key, value, combiner)
}
