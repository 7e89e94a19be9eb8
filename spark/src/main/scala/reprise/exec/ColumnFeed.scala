package reprise.exec

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

import reprise.bridge.ColumnSource

/**
 * Hands Spark's columns to the core, which says what is to be copied where. Who gives the batches may use their memory
 * again for the next one.
 */
private[exec] final class ColumnFeed(batches: Iterator[ColumnarBatch], schema: StructType, context: TaskContext)
  extends ColumnSource {
  private val copies = schema.fields.map(field => ColumnCopy.of(field.dataType))
  private var batch: ColumnarBatch = _
  private var failure: Throwable = _

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

  override def raise(): Unit = throw failure

  /** As Spark does with a batch that it has turned into rows. */
  private def release(how: ColumnarBatch => Unit): Unit = if (batch != null) {
    val done = batch
    batch = null
    how(done)
  }

  private def caught(answer: => Long): Long =
    try answer
    catch {
      case NonFatal(thrown) =>
        failure = thrown
        ColumnSource.FAILED
    }
}
