package org.apache.spark.sql.execution.access

import scala.reflect.ClassTag

import org.apache.spark.{Aggregator, Partitioner, ShuffleDependency}
import org.apache.spark.rdd.RDD
import org.apache.spark.serializer.Serializer
import org.apache.spark.shuffle.ShuffleWriteProcessor

/** The rows of a shuffle get no checksums in this version. */
object ShuffleChecksums {
  type Checksum = AnyRef

  def of(shuffle: ShuffleDependency[_, _, _]): Array[Checksum] = Array.empty

  def isRetriedFully(shuffle: ShuffleDependency[_, _, _]): Boolean = false

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
      processor.asInstanceOf[ShuffleWriteProcessor])(key, value, combiner)
}
