package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.{Partition, Partitioner}
import org.apache.spark.rdd.RDD

/**
 * The records of an RDD, with something around their computation. A new RDD: the one below is as it was.
 *
 * @param subject what errors name: the RDD of the user's below
 */
private[reprise] abstract class SurroundedRdd[T: ClassTag](below: RDD[T], val subject: Subject) extends RDD[T](below) {
  RebuiltRdds.add(this)

  @transient override val partitioner: Option[Partitioner] = below.partitioner

  override protected def getPartitions: Array[Partition] = firstParent[T].partitions

  override protected def getPreferredLocations(split: Partition): Seq[String] = firstParent[T].preferredLocations(split)

  override def toString: String = firstParent[T].toString
}
