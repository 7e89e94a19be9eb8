package reprise.exec

import java.util.concurrent.CancellationException

import org.apache.spark.{TaskContext, TaskKilledException}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.unsafe.Platform

import reprise.bridge.{CoreErrors, Native, NativeLibrary, RowSource}
import reprise.shims.SparkInternals

private[exec] object FragmentRows {

  /** Starts a fragment in this task; the task's end closes it, whichever way the task ends. */
  def open(
      fragment: String,
      fields: Int,
      task: String,
      inputs: Seq[LeafInput],
      metrics: FragmentMetrics,
      context: TaskContext): Iterator[InternalRow] = {
    NativeLibrary.ensureLoaded()
    val feeds = inputs.collect { case RowInput(feed) => feed: RowSource }.toArray
    val handle = CoreErrors.translated(Native.open(fragment, task, feeds, () => context.isInterrupted()))
    val rows = new FragmentRows(handle, fields, metrics, context)
    context.addTaskCompletionListener[Unit](rows.close(_))
    rows
  }
}

/**
 * The rows of a running fragment, one native batch after the other. The same row object is given each time.
 *
 * Spark may take rows on another thread than the task's (Python's writer, say), so that the task can end while a batch
 * is being computed: calls to the core and the end exclude each other.
 */
private final class FragmentRows(handle: Long, fields: Int, metrics: FragmentMetrics, context: TaskContext)
  extends Iterator[InternalRow] {

  private val row = new UnsafeRow(fields)
  private val block = new Array[Long](2)
  private var rowCount = 0
  private var position = 0
  private var atEnd = false
  private var closed = false

  private val reported = new Array[Long](metrics.core.length)
  private val figures = new Array[Long](metrics.core.length)
  private val outputRows = metrics.toRow.get("numOutputRows")
  private val outputBytes = metrics.toRow.get("outputBytes")
  private val batches = metrics.toRow.get("numOutputBatches")
  private val time = metrics.toRow.get("ownTime")

  override def hasNext: Boolean = {
    while (position == rowCount && !atEnd) fetch()
    position < rowCount
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("the fragment has no more rows")
    val offsets = block(1) + 4L * position
    val start = Platform.getInt(null, offsets)
    row.pointTo(null, block(0) + start, Platform.getInt(null, offsets + 4) - start)
    position += 1
    row
  }

  /** The next batch as rows. */
  private def fetch(): Unit = synchronized {
    SparkInternals.killTaskIfInterrupted(context)
    position = 0
    rowCount = 0
    val batch = if (closed) 0L else translated(Native.next(handle))
    if (batch == 0) {
      atEnd = true
    } else {
      // Before the rows are made, which are valid until the next call.
      report()
      val start = System.nanoTime()
      rowCount = translated(Native.toRows(handle, batch, block))
      count(time, System.nanoTime() - start)
      count(batches, 1)
      count(outputRows, rowCount)
      count(outputBytes, Platform.getInt(null, block(1) + 4L * rowCount))
    }
  }

  def close(context: TaskContext): Unit = synchronized {
    if (!closed) {
      closed = true
      atEnd = true
      position = rowCount
      try report()
      finally translated(Native.close(handle, context.isFailed() || context.isInterrupted()))
    }
  }

  /** Adds what the core has counted since the last time. */
  private def report(): Unit = {
    translated(Native.metrics(handle, figures))
    metrics.scans.foreach { scan =>
      SparkInternals.addInput(context, growth(scan.bytes), growth(scan.rows))
    }
    metrics.core.indices.foreach { i =>
      metrics.core(i).add(growth(i))
      reported(i) = figures(i)
    }
  }

  private def growth(i: Int): Long = if (i < 0) 0 else figures(i) - reported(i)

  private def count(metric: Option[SQLMetric], amount: Long): Unit = metric.foreach(_.add(amount))

  private def translated[T](call: => T): T =
    try CoreErrors.translated(call)
    catch {
      case _: CancellationException =>
        SparkInternals.killTaskIfInterrupted(context)
        throw new TaskKilledException("cancelled")
    }
}
