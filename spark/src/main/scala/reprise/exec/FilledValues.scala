package reprise.exec

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** What one call of [[reprise.bridge.ColumnSource]]`.copyBytes` copies to the core's memory. */
private[exec] final class FilledValues(to: Long, capacity: Long, lengths: Long) {
  private var used = 0L

  /** How many values, nulls among them. */
  private var count = 0

  /** Bytes of the value that did not fit. */
  private var needed = 0L

  def result: Long = if (count > 0) count else -needed

  def addNull(): Unit = {
    Platform.putInt(null, lengths + 4L * count, -1)
    count += 1
  }

  /** False where the value does not fit. */
  def add(base: AnyRef, offset: Long, size: Int): Boolean = {
    val fits = size <= capacity - used
    if (fits) {
      Platform.copyMemory(base, offset, null, to + used, size)
      Platform.putInt(null, lengths + 4L * count, size)
      used += size
      count += 1
    } else {
      needed = size
    }
    fits
  }

  def add(text: UTF8String): Boolean = add(text.getBaseObject, text.getBaseOffset, text.numBytes)
  def add(bytes: Array[Byte]): Boolean = add(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)
}
