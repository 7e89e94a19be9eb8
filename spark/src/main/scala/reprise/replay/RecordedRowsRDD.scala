package reprise.replay

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import reprise.bridge.{CoreErrors, Native, NativeLibrary}

/** A partition of what was recorded. @param recorded its number in the dump */
private final case class RecordedPartition(index: Int, recorded: Int) extends Partition

/**
 * The recorded rows of an input, read by the core.
 *
 * @param recorded the numbers in the dump of this RDD's partitions
 * @param attempt  the attempt that recorded them, below 0 the committed one
 */
private[replay] final class RecordedRowsRDD(
    context: SparkContext,
    folder: String,
    stream: Int,
    fields: Int,
    recorded: IndexedSeq[Int],
    attempt: Long)
  extends RDD[InternalRow](context, Nil) {

  override protected def getPartitions: Array[Partition] =
    recorded.indices.map(i => RecordedPartition(i, recorded(i)): Partition).toArray

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    NativeLibrary.ensureLoaded()
    val partition = split.asInstanceOf[RecordedPartition].recorded
    val handle = CoreErrors.translated(Native.openRecord(folder, stream, partition, attempt))
    context.addTaskCompletionListener[Unit](_ => Native.close(handle, false))
    new RecordedRows(handle, fields)
  }
}

/** The rows of a record. The same row object is given each time, and it points into the core's memory. */
private final class RecordedRows(handle: Long, fields: Int) extends Iterator[InternalRow] {
  private val row = new UnsafeRow(fields)
  private val block = new Array[Long](2)
  private var rowCount = 0
  private var position = 0
  private var atEnd = false

  override def hasNext: Boolean = {
    while (position == rowCount && !atEnd) {
      position = 0
      rowCount = 0
      val batch = CoreErrors.translated(Native.next(handle))
      if (batch == 0) atEnd = true else rowCount = CoreErrors.translated(Native.toRows(handle, batch, block))
    }
    position < rowCount
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("the record has no more rows")
    val offsets = block(1) + 4L * position
    val start = Platform.getInt(null, offsets)
    row.pointTo(null, block(0) + start, Platform.getInt(null, offsets + 4) - start)
    position += 1
    row
  }
}
