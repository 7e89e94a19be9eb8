package reprise.exec

import org.apache.spark.TaskContext
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

import reprise.bridge.ColumnSource

/**
 * Hands Spark's columns to the core, which says what is to be copied where. Who gives the batches may use their memory
 * again for the next one.
 */
private[exec] final class ColumnFeed(batches: Iterator[ColumnarBatch], schema: StructType, context: TaskContext)
  extends ColumnSource with KeptFailure {
  private val copies = schema.fields.map(field => ColumnCopy.of(field.dataType))
  private var batch: ColumnarBatch = _

  context.addTaskCompletionListener[Unit](_ => release(_.close()))

  override def next(): Long = caught {
    release(_.closeIfFreeable())
    if (!batches.hasNext) ColumnSource.END
    else {
      batch = batches.next()
      batch.numRows
    }
  }

  override def copyFixed(column: Int, first: Int, count: Int, width: Int, values: Long, nulls: Long): Long = caught {
    copies(column).asInstanceOf[FixedCopy].copy(batch.column(column), first, count, width, values, nulls)
  }

  override def copyBytes(column: Int, first: Int, count: Int, values: Long, capacity: Long, lengths: Long): Long = caught {
    copies(column).asInstanceOf[BytesCopy].copy(batch, column, first, count, new FilledValues(values, capacity, lengths))
  }

  /** As Spark does with a batch that it has turned into rows. */
  private def release(how: ColumnarBatch => Unit): Unit = if (batch != null) {
    val done = batch
    batch = null
    how(done)
  }
}
