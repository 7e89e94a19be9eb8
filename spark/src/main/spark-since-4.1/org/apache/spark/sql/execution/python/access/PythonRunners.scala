package org.apache.spark.sql.execution.python.access

import org.apache.spark.api.python.BasePythonRunner
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{NamedExpression, PythonUDAF}
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.{ArrowAggregatePythonExec, ArrowWindowPythonExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.vectorized.ColumnarBatch

/** The runners of Python's functions over Arrow, since Spark 4.1. */
private[access] object PythonRunners {
  def of(python: PythonFunctions, batches: ArrowMessages): BasePythonRunner[Iterator[InternalRow], ColumnarBatch] =
    python.places match {
      case Some(arguments) if python.isGrouped =>
        new ColumnsRunner(python, arguments) with GroupsToPython {
          override protected val messages: ArrowMessages = batches
        }
      case Some(arguments) =>
        new ColumnsRunner(python, arguments) with MessagesToPython {
          override protected val messages: ArrowMessages = batches
        }
      case None if python.isGrouped =>
        new RowsRunner(python) with GroupsToPython {
          override protected val messages: ArrowMessages = batches
        }
      case None =>
        new RowsRunner(python) with MessagesToPython {
          override protected val messages: ArrowMessages = batches
        }
    }

  /** An aggregate by functions of Python's, and of which kind they are. */
  object Aggregate {
    def unapply(plan: SparkPlan): Option[(Seq[PythonUDAF], Int)] = plan match {
      case node: ArrowAggregatePythonExec => Some((node.udfExpressions, node.evalType))
      case _ => None
    }
  }

  /** Windows over which functions of Python's run, and of which kind these are. */
  object Window {
    def unapply(plan: SparkPlan): Option[(Seq[NamedExpression], Int)] = plan match {
      case node: ArrowWindowPythonExec => Some((node.windowExpression, node.evalType))
      case _ => None
    }
  }

  /** Under which name a worker is told whether its functions get frames. */
  val windowBounds = "window_bound_types"

  /** By what the worker's log knows the session, where it writes one. */
  def sessionOf(node: SparkPlan): Option[String] =
    Option(node.session).filter(_.sessionState.conf.pythonWorkerLoggingEnabled).map(_.sessionUUID)

  /** Whether Spark, if it is told to look, finds a map's column to be of another type than it was to be. */
  def isWrong(found: DataType, expected: DataType): Boolean =
    SQLConf.get.pysparkArrowValidateSchema && !DataType.equalsIgnoreCompatibleNullability(from = found, to = expected)

  def mismatch(name: String, expected: Seq[DataType], found: Seq[DataType]): Throwable =
    QueryExecutionErrors.arrowDataTypeMismatchError(name, expected, found)
}
