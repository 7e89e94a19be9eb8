package org.apache.spark.sql.execution.python.access

import java.io.DataOutputStream

import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.ipc.ArrowStreamWriter
import org.apache.spark.api.python.BasePythonRunner
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.python.BasicPythonArrowInput

/** A runner whose worker gets batches that are written already, behind the schema that Spark's writer begins with. */
private[access] trait MessagesToPython extends BasicPythonArrowInput { self: BasePythonRunner[Iterator[InternalRow], _] =>
  protected def messages: ArrowMessages

  override protected def writeNextBatchToArrowStream(
      root: VectorSchemaRoot,
      writer: ArrowStreamWriter,
      out: DataOutputStream,
      rows: Iterator[Iterator[InternalRow]]): Boolean = {
    val message = messages.nextMessage()
    if (message == null) {
      close()
      false
    } else {
      out.write(message)
      pythonMetrics("pythonDataSent") += message.length
      true
    }
  }
}
