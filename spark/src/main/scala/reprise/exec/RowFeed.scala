package reprise.exec

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType

import reprise.bridge.RowSource

/** Hands Spark's rows to the core. */
private[exec] final class RowFeed(rows: Iterator[InternalRow], schema: StructType) extends RowSource {
  private lazy val toUnsafe = UnsafeProjection.create(schema)

  /** A row that did not fit. It stays valid because the iterator is not touched before it is copied. */
  private var waiting: UnsafeRow = _

  /** What the iterator has thrown: the rows before it leave first. */
  private var failure: Throwable = _
  private var isAnnounced = false

  override def fill(to: Long, capacity: Long, lengths: Long, maxRows: Int): Int = {
    val filled = new FilledRows(to, capacity, lengths)
    while (failure == null && filled.count < maxRows && (waiting != null || advance())) {
      if (!filled.add(waiting)) return filled.before(waiting)
      waiting = null
    }
    if (failure == null || filled.count > 0) filled.count
    else if (isAnnounced) throw failure
    else {
      isAnnounced = true
      RowSource.FAILS_NEXT
    }
  }

  private def advance(): Boolean =
    try {
      val more = rows.hasNext
      if (more) {
        waiting = rows.next() match {
          case unsafe: UnsafeRow => unsafe
          case other => toUnsafe(other)
        }
      }
      more
    } catch {
      case NonFatal(thrown) =>
        failure = thrown
        false
    }
}
