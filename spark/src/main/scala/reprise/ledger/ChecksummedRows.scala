package reprise.ledger

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform

import reprise.bridge.{Native, NativeLibrary}

/**
 * The rows of an operator of Spark's as they are, checksummed by the core on their way.
 *
 * @param request what the core wants to know of the operator: the member "ledger" of its verdict
 * @param query   the token of its query
 */
private[reprise] final class ChecksummedRows(
    rows: Iterator[InternalRow],
    schema: StructType,
    request: String,
    query: String,
    context: TaskContext)
  extends Iterator[InternalRow]
  with Logging {
  private lazy val toUnsafe = UnsafeProjection.create(schema)
  private val ledger = TaskLedger.of(context)
  private val lengths = Platform.allocateMemory(4L * ChecksummedRows.rowsMax)
  private var capacity = ChecksummedRows.bytes
  private var buffer = Platform.allocateMemory(capacity)
  private var used = 0L
  private var count = 0
  private var checksums = {
    NativeLibrary.ensureLoaded()
    Native.openRowChecksums(request)
  }
  context.addTaskCompletionListener[Unit](_ => end(isComplete = false))

  override def hasNext: Boolean = {
    val more = rows.hasNext
    if (!more) end(isComplete = true)
    more
  }

  override def next(): InternalRow = {
    val row = rows.next()
    add(row match {
      case unsafe: UnsafeRow => unsafe
      case other => toUnsafe(other)
    })
    row
  }

  // The task may end while another thread of it still reads.
  private def add(row: UnsafeRow): Unit = synchronized {
    if (checksums != 0) guarded {
      val size = row.getSizeInBytes
      if (count == ChecksummedRows.rowsMax || used + size > capacity) flush()
      if (size > capacity) {
        Platform.freeMemory(buffer)
        capacity = size
        buffer = Platform.allocateMemory(capacity)
      }
      row.writeToMemory(null, buffer + used)
      Platform.putInt(null, lengths + 4L * count, size)
      used += size
      count += 1
    }
  }

  private def flush(): Unit = if (count > 0) {
    Native.addRows(checksums, buffer, lengths, count)
    used = 0
    count = 0
  }

  private def end(isComplete: Boolean): Unit = synchronized {
    if (checksums != 0) {
      guarded {
        flush()
        ledger.add(close(isComplete))
      }
    }
  }

  /** A query does not fail by its ledger. */
  private def guarded(body: => Unit): Unit =
    try body
    catch {
      case NonFatal(e) =>
        logWarning("reprise: the ledger lacks an operator of this task", e)
        try if (checksums != 0) close(isComplete = false)
        catch { case NonFatal(_) => () }
    }

  private def close(isComplete: Boolean): String = {
    val open = checksums
    checksums = 0
    Platform.freeMemory(buffer)
    Platform.freeMemory(lengths)
    Native.closeRowChecksums(open, query, isComplete)
  }
}

private object ChecksummedRows {
  private val rowsMax = 4096
  private val bytes = 256L * 1024
}
