package reprise.exec

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** What one call of [[reprise.bridge.RowSource]]`.fill` copies to the core's memory. */
private[exec] final class FilledRows(to: Long, capacity: Long, lengths: Long) {
  private var used = 0L

  /** How many rows. */
  var count = 0

  /** False where the row does not fit. */
  def add(row: UnsafeRow): Boolean = {
    val size = row.getSizeInBytes
    val fits = size <= capacity - used
    if (fits) {
      row.writeToMemory(null, to + used)
      Platform.putInt(null, lengths + 4L * count, size)
      used += size
      count += 1
    }
    fits
  }

  /** What the call returns before a row that did not fit. */
  def before(row: UnsafeRow): Int = if (count == 0) -row.getSizeInBytes else count
}
