package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD

/** The records of an RDD, checked while they are read. */
private[reprise] final class AssertedRdd[T: ClassTag](below: RDD[T], assertion: Assertion, about: Subject)
  extends SurroundedRdd[T](below, about) {

  // A task may need those of other tasks.
  private val all: Array[Partition] = if (assertion.isInstanceOf[Exists]) below.partitions else Array.empty

  /** Where there are none no task runs, so what needs a row fails here. */
  override protected def getPartitions: Array[Partition] = {
    val splits = super.getPartitions
    if (splits.isEmpty && assertion.isInstanceOf[Exists]) {
      throw subject.failure(assertion.name, None, "there are no partitions, so no records")
    }
    splits
  }

  override def compute(split: Partition, context: TaskContext): Iterator[T] = {
    val rows = firstParent[T]
    def elsewhere() = all.iterator.filter(_.index != split.index).map(rows.iterator(_, context))
    assertion.check(rows.iterator(split, context), subject, split.index, () => elsewhere())
  }

  /** Without this assertion. */
  def checked: RDD[T] = firstParent[T]
}
