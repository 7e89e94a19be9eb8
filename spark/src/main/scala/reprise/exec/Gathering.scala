package reprise.exec

import scala.reflect.ClassTag

import org.apache.spark.SparkException
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning
import org.apache.spark.sql.execution.{CoalesceExec, UnionExec}

import reprise.shims.RddInternals

/**
 * Operators that only put partitions together, which is Spark's business: batches travel as handles within a task.
 * What they claim of the partitions of their output (`outputPartitioning`), operators above count on.
 */
private[exec] object Gathering {
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

  /** As `CoalesceExec` does: one partition even of none. */
  private def coalesce(partitions: Int, child: RDD[Long]): RDD[Long] =
    if (partitions == 1 && child.getNumPartitions == 0) child.sparkContext.parallelize(Seq.empty[Long], 1)
    else child.coalesce(partitions, shuffle = false)
}
