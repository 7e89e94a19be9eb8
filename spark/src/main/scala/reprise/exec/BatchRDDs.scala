package reprise.exec

import scala.reflect.ClassTag

import org.apache.spark.{NarrowDependency, Partition, SparkException, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning
import org.apache.spark.sql.execution.{CoalesceExec, UnionExec}

import reprise.access.RddInternals

/**
 * Operators that only put partitions together, which is Spark's business: batches travel as handles within a task.
 * What they claim of the partitions of their output (`outputPartitioning`), operators above count on.
 */
private[exec] object BatchRDDs {
  def of(node: NativeOperatorExec, children: Seq[RDD[Long]]): RDD[Long] = node.current match {
    case _: UnionExec => union(node, children)
    case c: CoalesceExec => coalesce(c.numPartitions, children.head)
    case other => throw SparkException.internalError(s"${other.nodeName} does not put partitions together")
  }

  /** As `UnionExec` does: children that are divided alike are put together partition by partition. */
  private def union(node: NativeOperatorExec, children: Seq[RDD[Long]]): RDD[Long] = {
    val context = node.session.sparkContext
    node.outputPartitioning match {
      case _: UnknownPartitioning => context.union(children)
      case known =>
        val withPartitions = children.filter(_.getNumPartitions > 0)
        RddInternals.unionByPartition(context, withPartitions, known.numPartitions, implicitly[ClassTag[Long]])
    }
  }

  /**
   * Two RDDs with a partition for each pair of partitions of `sides`, in the order of Spark's `CartesianRDD`: the first
   * partition of the left side with each of the right one, then the second.
   */
  def paired(sides: Seq[RDD[Long]]): Seq[RDD[Long]] = {
    val right = sides(1).getNumPartitions
    val count = sides.head.getNumPartitions * right
    Seq(new RepeatedRDD(sides.head, count, _ / right), new RepeatedRDD(sides(1), count, _ % right))
  }

  /** As `CoalesceExec` does: one partition even of none. */
  def coalesce(partitions: Int, child: RDD[Long]): RDD[Long] =
    if (partitions == 1 && child.getNumPartitions == 0) child.sparkContext.parallelize(Seq.empty[Long], 1)
    else child.coalesce(partitions, shuffle = false)
}

/** The partitions of `source`, some of them several times: partition i is its partition `sourceOf(i)`. */
private final class RepeatedRDD[T: ClassTag](@transient source: RDD[T], count: Int, sourceOf: Int => Int)
  extends RDD[T](source.sparkContext, Seq(new RepeatedDependency(source, sourceOf))) {

  override protected def getPartitions: Array[Partition] = {
    val partitions = firstParent[T].partitions
    Array.tabulate(count)(i => new RepeatedPartition(i, partitions(sourceOf(i))))
  }

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    firstParent[T].preferredLocations(RepeatedRDD.sourceOf(split))

  override def compute(split: Partition, context: TaskContext): Iterator[T] =
    firstParent[T].iterator(RepeatedRDD.sourceOf(split), context)
}

private object RepeatedRDD {
  def sourceOf(split: Partition): Partition = split.asInstanceOf[RepeatedPartition].source
}

private final class RepeatedPartition(override val index: Int, val source: Partition) extends Partition

private final class RepeatedDependency[T](source: RDD[T], sourceOf: Int => Int) extends NarrowDependency[T](source) {
  override def getParents(partition: Int): Seq[Int] = Seq(sourceOf(partition))
}
