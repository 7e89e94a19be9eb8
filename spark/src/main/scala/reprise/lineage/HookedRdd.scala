package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD

/** The records of an RDD as the user's hooks hand them on. */
private[reprise] final class HookedRdd[T: ClassTag](below: RDD[T], hooks: ComputeHooks[T], about: Subject)
  extends SurroundedRdd[T](below, about) {

  override def compute(split: Partition, context: TaskContext): Iterator[T] = {
    hooks.preCompute(split, context)
    hooks.postCompute(firstParent[T].iterator(split, context), split, context)
  }
}
