package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.{Partition, Partitioner, TaskContext}
import org.apache.spark.rdd.RDD

/**
 * The rows of an RDD, checked while they are read. A new RDD: the one it checks is as it was.
 */
private[reprise] final class AssertedRdd[T: ClassTag](parent: RDD[T], assertion: Assertion, val subject: Subject)
  extends RDD[T](parent) {
  RebuiltRdds.add(this)

  // A task may need those of other tasks.
  private val all: Array[Partition] = if (assertion.isInstanceOf[Exists]) parent.partitions else Array.empty

  @transient override val partitioner: Option[Partitioner] = parent.partitioner

  /** Where there are none no task runs, so what needs a row fails here. */
  override protected def getPartitions: Array[Partition] = {
    if (parent.partitions.isEmpty && assertion.isInstanceOf[Exists]) {
      throw subject.failure(assertion.name, None, "there are no partitions, so no records")
    }
    parent.partitions
  }

  override protected def getPreferredLocations(split: Partition): Seq[String] = parent.preferredLocations(split)

  override def compute(split: Partition, context: TaskContext): Iterator[T] = {
    val rows = firstParent[T]
    def elsewhere() = all.iterator.filter(_.index != split.index).map(rows.iterator(_, context))
    assertion.check(rows.iterator(split, context), subject, split.index, () => elsewhere())
  }

  /** Without this assertion. */
  def checked: RDD[T] = firstParent[T]

  override def toString: String = s"$parent"
}
