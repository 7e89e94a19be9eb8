package org.apache.spark.sql.execution.python.access

import java.io.DataOutputStream

import org.apache.arrow.vector.ipc.ArrowStreamWriter
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.api.python.{BasePythonRunner, PythonWorker}
import org.apache.spark.sql.catalyst.InternalRow

/** A runner whose worker gets groups of rows, each a stream of Arrow's of its own, announced by a 1; a 0 ends them. */
private[access] trait GroupsToPython extends PythonCommand { self: BasePythonRunner[Iterator[InternalRow], _] =>
  override protected def newWriter(
      env: SparkEnv,
      worker: PythonWorker,
      rows: Iterator[Iterator[InternalRow]],
      partition: Int,
      context: TaskContext): Writer = new Writer(env, worker, rows, partition, context) {
    private var group: Option[ArrowStreamWriter] = None

    override protected def writeCommand(out: DataOutputStream): Unit = writeFunctions(out)

    override def writeNextInputToStream(out: DataOutputStream): Boolean = {
      val message = messages.nextMessage()
      if (message == null) {
        out.writeInt(0)
        root.close()
        allocator.close()
        false
      } else {
        val stream = group.getOrElse(begun(out))
        out.write(message)
        pythonMetrics("pythonDataSent") += message.length
        group = if (messages.endsGroup) None else Some(stream)
        if (group.isEmpty) stream.end()
        true
      }
    }

    private def begun(out: DataOutputStream): ArrowStreamWriter = {
      out.writeInt(1)
      val stream = new ArrowStreamWriter(root, null, out)
      stream.start()
      stream
    }
  }
}
