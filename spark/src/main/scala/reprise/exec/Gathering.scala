package reprise.exec

import org.apache.spark.SparkException
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.{CoalesceExec, SparkPlan, UnionExec}

/** Operators that only put partitions together, which is Spark's business: batches travel as handles within a task. */
private[exec] object Gathering {
  def of(node: SparkPlan, children: Seq[RDD[Long]]): RDD[Long] = node match {
    case _: UnionExec => children.head.sparkContext.union(children)
    case c: CoalesceExec => children.head.coalesce(c.numPartitions, shuffle = false)
    case other => throw SparkException.internalError(s"${other.nodeName} does not put partitions together")
  }
}
