package org.apache.spark.sql.execution.python.access

import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Never made: this version of Spark writes to Python's workers on a thread of its own, on which a fragment cannot run,
 * so that the core's rules leave Python's functions to it.
 */
sealed abstract class PythonFunctions extends Serializable {
  def givesFields: Boolean
  def run(messages: ArrowMessages, context: TaskContext): Iterator[ColumnarBatch]
  def check(batch: ColumnarBatch): Unit
}

object PythonFunctions {
  def of(node: SparkPlan, places: Seq[Seq[Int]], metrics: Map[String, SQLMetric]): PythonFunctions =
    throw SparkException.internalError(s"${node.nodeName} beside a fragment")
}
