package reprise.ledger

import java.util.HexFormat

import com.fasterxml.jackson.databind.node.ObjectNode

/**
 * The records of an RDD as they are, checksummed on their way. Checksums are those of `core/checksums/row_checksums.h`, over other hashes.
 * Of Python's values, which come in batches, each is a row.
 */
private[reprise] final class RecordChecksums[T](records: Iterator[T]) extends Iterator[T] {
  private var count = 0L
  private var chained = 0L
  private var sum = 0L
  private var unhashable: Option[String] = None
  private var atEnd = false
  // Records are mostly of the class of the one before, and no batches.
  private var known: Class[_] = _
  private var bits: RecordHash.BitsOf[Any] = _
  private var python: Option[PythonBatches] = None

  /** Records as the RDD has them. */
  def taken: Long = count

  def rows: Long = count + python.fold(0L)(_.rowsBeyond)

  /** Of the records in their order. */
  def ordered: Long = chained + python.fold(0L)(_.ordered)

  /** Of the records as a multiset. */
  def unordered: Long = sum + python.fold(0L)(_.unordered)

  /** Why the checksums say nothing, if so. */
  def reason: Option[String] = unhashable

  override def hasNext: Boolean = {
    val more = records.hasNext
    if (!more) atEnd = true
    more
  }

  override def next(): T = {
    val record = records.next()
    count += 1
    add(record.asInstanceOf[AnyRef])
    record
  }

  private def add(record: AnyRef): Unit =
    try {
      if ((record ne null) && (record.getClass eq known)) checksum(RecordHash.mixed(bits.of(record)))
      else if (unhashable.isEmpty) addOther(record)
    } catch {
      case NotChecksummed(why) =>
        unhashable = Some(why)
        known = null
    }

  private def addOther(record: AnyRef): Unit =
    if (PythonBatches.mayBe(record)) {
      if (python.isEmpty) python = Some(new PythonBatches)
      if (!python.exists(_.add(record))) checksum(RecordHash.of(record))
    } else {
      if (record ne null) {
        known = record.getClass
        bits = RecordHash.forClass(known)
      }
      checksum(RecordHash.of(record))
    }

  private def checksum(hash: Long): Unit = {
    chained = chained * RecordHash.chain + hash
    sum += hash
  }

  /** An entry of docs/internals/ledger-format.md. */
  def entry(of: String)(name: ObjectNode => Unit): ObjectNode = {
    val entry = LedgerFolder.node().put("of", of)
    name(entry)
    reason match {
      case Some(why) => entry.put("reason", why)
      case None =>
        entry
          .put("rows", rows)
          .put("ordered", RecordChecksums.hex(ordered))
          .put("unordered", RecordChecksums.hex(unordered))
          .put("complete", atEnd)
        python.map(_.whole).filter(_ > 0).foreach(entry.put("batches", _))
        entry
    }
  }
}

private[ledger] object RecordChecksums {
  def hex(value: Long): String = HexFormat.of().toHexDigits(value)
}
