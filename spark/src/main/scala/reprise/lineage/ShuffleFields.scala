package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.{Aggregator, ShuffleDependency}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.access.ShuffleChecksums

import reprise.access.LineageInternals

/** Takes a shuffle apart, and makes one with the same parts over another RDD. */
private[lineage] object ShuffleFields {
  def partsOf(shuffle: ShuffleDependency[_, _, _]): ShuffleParts = ShuffleParts(
    shuffle.partitioner,
    shuffle.serializer,
    shuffle.keyOrdering.asInstanceOf[Option[Ordering[Any]]],
    shuffle.aggregator.asInstanceOf[Option[Aggregator[Any, Any, Any]]],
    shuffle.mapSideCombine,
    LineageInternals.processor(shuffle),
    ShuffleChecksums.of(shuffle),
    ShuffleChecksums.isRetriedFully(shuffle),
    LineageInternals.keyClass(shuffle),
    LineageInternals.valueClass(shuffle),
    LineageInternals.combinerClass(shuffle))

  def dependency(parts: ShuffleParts, rdd: RDD[_], classes: RecordedLoader): ShuffleDependency[Any, Any, Any] = {
    def tag(name: String): ClassTag[Any] = ClassTag(classes.find(name))
    ShuffleChecksums.shuffleDependency(
      rdd.asInstanceOf[RDD[_ <: Product2[Any, Any]]],
      parts.partitioner,
      parts.serializer,
      parts.keyOrdering,
      parts.aggregator,
      parts.mapSideCombine,
      parts.processor,
      parts.checksums,
      parts.fullRetry)(tag(parts.keyClass), tag(parts.valueClass), parts.combinerClass.map(tag).orNull)
  }
}

private[lineage] object LoadedClasses {
  val primitives: Map[String, Class[_]] = Seq(
    classOf[Boolean], classOf[Byte], classOf[Char], classOf[Short], classOf[Int], classOf[Long], classOf[Float],
    classOf[Double], classOf[Unit]).map(c => c.getName -> c).toMap
}
