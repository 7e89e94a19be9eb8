package org.apache.spark.sql.execution.python.access

import org.apache.spark.api.python.{BasePythonRunner, PythonEvalType}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{NamedExpression, PythonUDAF}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.{
  AggregateInPandasExec,
  ArrowPythonRunner,
  ArrowPythonWithNamedArgumentRunner,
  WindowInPandasExec
}
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Spark 4.0's runners of Python's functions over Arrow. */
private[access] object PythonRunners {
  def of(python: PythonFunctions, batches: ArrowMessages): BasePythonRunner[Iterator[InternalRow], ColumnarBatch] = {
    import python._
    places match {
      case Some(arguments) =>
        new ArrowPythonWithNamedArgumentRunner(
          functions, evalType, arguments, schema, timeZone, false, settings, metrics, artifacts, profiler)
          with MessagesToPython {
          override protected val messages: ArrowMessages = batches
        }
      case None =>
        new ArrowPythonRunner(
          functions, evalType, Array(offsets), schema, timeZone, false, settings, metrics, artifacts, None)
          with MessagesToPython {
          override protected val messages: ArrowMessages = batches
        }
    }
  }

  /** An aggregate by functions of Python's, and of which kind they are. */
  object Aggregate {
    def unapply(plan: SparkPlan): Option[(Seq[PythonUDAF], Int)] = plan match {
      case node: AggregateInPandasExec => Some((node.udfExpressions, PythonEvalType.SQL_GROUPED_AGG_PANDAS_UDF))
      case _ => None
    }
  }

  /** Windows over which functions of Python's run, and of which kind these are. */
  object Window {
    def unapply(plan: SparkPlan): Option[(Seq[NamedExpression], Int)] = plan match {
      case node: WindowInPandasExec => Some((node.windowExpression, PythonEvalType.SQL_WINDOW_AGG_PANDAS_UDF))
      case _ => None
    }
  }

  /** Under which name a worker is told whether its functions get frames. */
  val windowBounds = "pandas_window_bound_types"

  /** This version's workers write no logs of sessions. */
  def sessionOf(node: SparkPlan): Option[String] = None

  /** This version does not look. */
  def isWrong(found: DataType, expected: DataType): Boolean = false

  def mismatch(name: String, expected: Seq[DataType], found: Seq[DataType]): Throwable =
    new AssertionError(
      "assertion failed: Invalid schema from arrow-enabled Python UDTF: expected " +
        s"${expected.mkString(", ")}, got ${found.mkString(", ")}")
}
