package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.{Aggregator, Partitioner}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.serializer.Serializer
import org.apache.spark.sql.execution.access.ShuffleChecksums.Checksum

// What stands in a recorded object where another recorded thing is meant. Changing one of these classes makes
// recordings unreadable: raise RecordingFormat.version.

@SerialVersionUID(1L) final case class RddReference(id: Int)

@SerialVersionUID(1L) final case class ShuffleReference(id: Int)

@SerialVersionUID(1L) final case class BroadcastReference(id: Long)

/** Partition `index` of another RDD. */
@SerialVersionUID(1L) final case class PartitionReference(rdd: Int, index: Int)

/**
 * Those transient fields of an object that it needs to be sent to executors again.
 *
 * @param fields by declaring class and name
 */
@SerialVersionUID(1L) final case class TransientsOf(value: AnyRef, fields: Array[(String, String, AnyRef)])

/** A shuffle dependency without its RDD and without the number and the handle that one application gave it. */
@SerialVersionUID(1L) final case class ShuffleParts(
    partitioner: Partitioner,
    serializer: Serializer,
    keyOrdering: Option[Ordering[Any]],
    aggregator: Option[Aggregator[Any, Any, Any]],
    mapSideCombine: Boolean,
    processor: AnyRef,
    checksums: Array[Checksum],
    fullRetry: Boolean,
    keyClass: String,
    valueClass: String,
    combinerClass: Option[String])

/** A broadcast of Python's: the number that its functions know it by, over a broadcast of this application. */
private[lineage] final class RebuiltBroadcast(number: Long, inner: Broadcast[Any])
  extends Broadcast[Any](number)(ClassTag.Any) {
  override protected def getValue(): Any = inner.value
  override protected def doUnpersist(blocking: Boolean): Unit = inner.unpersist(blocking)
  override protected def doDestroy(blocking: Boolean): Unit = inner.destroy()
}
