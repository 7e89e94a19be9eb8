package org.apache.spark.sql.execution.python.access

import java.io.DataOutputStream

import org.apache.spark.api.python.BasePythonRunner
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.python.{ArrowPythonRunner, ArrowPythonWithNamedArgumentRunner}
import org.apache.spark.sql.execution.python.EvalPythonExec.ArgumentMetadata

/** Spark's runner of functions whose arguments are columns, as this version makes it. */
private[access] abstract class ColumnsRunner(python: PythonFunctions, arguments: Array[Array[ArgumentMetadata]])
  extends ArrowPythonWithNamedArgumentRunner(
    python.functions, python.evalType, arguments, python.schema, python.timeZone, false, python.settings,
    python.metrics, python.artifacts, python.session)

/** That of a function whose arguments are rows. */
private[access] abstract class RowsRunner(python: PythonFunctions)
  extends ArrowPythonRunner(
    python.functions, python.evalType, Array(python.offsets), python.schema, python.timeZone, false, python.settings,
    python.metrics, python.artifacts, python.session)

/** What a worker is told before its rows come. */
private[access] trait PythonCommand extends MessagesToPython { self: BasePythonRunner[Iterator[InternalRow], _] =>

  /** Its settings, the profiler's among them, are written with what else all workers get. */
  protected def writeFunctions(out: DataOutputStream): Unit = writeUDF(out)
}
