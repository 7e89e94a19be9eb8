package reprise.ledger

import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.node.ObjectNode

import reprise.lineage.RecordingFormat

/** The records of an RDD as they are, summed up on their way. Sums are those of `core/base/row_sums.h`, over other hashes. */
private[reprise] final class SummedRecords[T](records: Iterator[T]) extends Iterator[T] {
  private var count = 0L
  private var chained = 0L
  private var sum = 0L
  private var unhashable: Option[String] = None
  private var atEnd = false
  // Records are mostly of the class of the one before.
  private var known: Class[_] = _
  private var hash: RecordHash.HashOf[Any] = _

  def rows: Long = count

  /** Of the records in their order. */
  def ordered: Long = chained

  /** Of the records as a multiset. */
  def unordered: Long = sum

  /** Why the sums say nothing, if so. */
  def reason: Option[String] = unhashable

  override def hasNext: Boolean = {
    val more = records.hasNext
    if (!more) atEnd = true
    more
  }

  override def next(): T = {
    val record = records.next()
    count += 1
    if (unhashable.isEmpty) add(record.asInstanceOf[AnyRef])
    record
  }

  private def add(record: AnyRef): Unit =
    try {
      val hash = hashOf(record)
      chained = chained * SummedRecords.chain + hash
      sum += hash
    } catch {
      case e @ (NonFatal(_) | _: StackOverflowError) => unhashable = Some(SummedRecords.reasonOf(e))
    }

  private def hashOf(record: AnyRef): Long =
    if (record eq null) RecordHash.of(null)
    else {
      val itsClass = record.getClass
      if (itsClass ne known) {
        hash = RecordHash.forClass(itsClass)
        known = itsClass
      }
      hash.of(record)
    }

  /** An entry of docs/internals/ledger-format.md. */
  def entry(of: String)(name: ObjectNode => Unit): ObjectNode = {
    val entry = RecordingFormat.node().put("of", of)
    name(entry)
    reason match {
      case Some(why) => entry.put("reason", why)
      case None =>
        entry
          .put("rows", count)
          .put("ordered", SummedRecords.hex(ordered))
          .put("unordered", SummedRecords.hex(unordered))
          .put("complete", atEnd)
    }
  }
}

private[ledger] object SummedRecords {
  private val chain = 0x9FB21C651E98DF25L

  def hex(value: Long): String = f"$value%016x"

  def reasonOf(error: Throwable): String = error match {
    case unhashable: Unhashable => unhashable.getMessage
    case _: StackOverflowError => "its objects refer to each other too deeply"
    case other => other.toString
  }
}
