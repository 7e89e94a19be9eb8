package reprise.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import reprise.bridge.GuestGroupSource

/** The buffers of an aggregate function of Spark's, for the groups that the core has found. */
private[exec] final class GuestGroups(function: GuestFunction) extends GuestGroupSource {
  private lazy val calls = function.calls
  private lazy val row = new UnsafeRow(function.reads.fold(0)(_.length))
  private lazy val other = new UnsafeRow(function.function.aggBufferAttributes.length)
  private var buffers = new Array[InternalRow](0)

  private var next = 0
  private var until = 0
  private var results = false

  /** What did not fit. */
  private var waiting: UnsafeRow = _

  override def clear(): Unit = buffers = new Array[InternalRow](0)

  override def update(rows: Long, offsets: Long, groups: Long, count: Int): Unit =
    forEach(row, rows, offsets, count)(i => calls.update(buffer(groupOf(groups, i)), row))

  override def merge(rows: Long, offsets: Long, groups: Long, count: Int): Unit =
    forEach(other, rows, offsets, count)(i => calls.merge(buffer(groupOf(groups, i)), other))

  private def forEach(at: UnsafeRow, rows: Long, offsets: Long, count: Int)(add: Int => Unit): Unit = {
    var start = Platform.getInt(null, offsets)
    var i = 0
    while (i < count) {
      val end = Platform.getInt(null, offsets + 4L * (i + 1))
      at.pointTo(null, rows + start, end - start)
      add(i)
      start = end
      i += 1
    }
  }

  private def groupOf(groups: Long, i: Int): Int = if (groups == 0) 0 else Platform.getInt(null, groups + 4L * i)

  private def buffer(group: Int): InternalRow = {
    if (group >= buffers.length) buffers = java.util.Arrays.copyOf(buffers, math.max(group + 1, 2 * buffers.length))
    if (buffers(group) == null) buffers(group) = calls.initial()
    buffers(group)
  }

  override def begin(from: Int, until: Int, results: Boolean): Unit = {
    next = from
    this.until = until
    this.results = results
    waiting = null
  }

  override def fill(to: Long, capacity: Long, lengths: Long, maxRows: Int): Int = {
    val filled = new FilledRows(to, capacity, lengths)
    while (filled.count < maxRows && (waiting != null || next < until)) {
      if (waiting == null) {
        waiting = if (results) calls.result(buffer(next)) else calls.handedOn(buffer(next))
        next += 1
      }
      if (!filled.add(waiting)) return filled.before(waiting)
      waiting = null
    }
    filled.count
  }
}
