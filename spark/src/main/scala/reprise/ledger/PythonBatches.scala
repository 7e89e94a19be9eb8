package reprise.ledger

import scala.collection.mutable

/**
 * Checksums of Python's values among an RDD's records, where they come in batches: the bytes of a pickle, alone or, in a
 * shuffle, beside the number of a partition. Each value is a row.
 */
private[ledger] final class PythonBatches {
  private val items = new PickledItems
  // In a shuffle Python fills the batches of all partitions at once: only within one has their order a meaning.
  private val chains = mutable.LongMap.empty[Long]
  private var sum = 0L
  private var beyond = 0L
  private var unopened = 0L

  /** How many more rows than records. */
  def rowsBeyond: Long = beyond

  /** Rows that are whole batches, since they can't be taken apart. */
  def whole: Long = unopened

  def unordered: Long = sum

  def ordered: Long = chains.foldLeft(0L) { case (all, (key, chained)) => all + RecordHash.ofParts(key, chained) }

  /** @return whether the record was a batch */
  def add(record: AnyRef): Boolean = record match {
    case batch: Array[Byte] if PickledItems.isPickle(batch) =>
      add(PythonBatches.alone, batch)(item => item)
      true
    case (partition, batch: Array[Byte]) if PickledItems.isPickle(batch) =>
      val hash = RecordHash.of(partition)
      add(hash, batch)(item => RecordHash.ofParts(hash, item))
      true
    case _ => false
  }

  private def add(key: Long, batch: Array[Byte])(hashOf: Long => Long): Unit = {
    var chained = chains.getOrElse(key, 0L)
    def checksum(item: Long): Unit = {
      val hash = hashOf(item)
      chained = chained * RecordHash.chain + hash
      sum += hash
    }
    if (items.read(batch)) {
      (0 until items.length).foreach(i => checksum(items(i)))
      beyond += items.length - 1
    } else {
      unopened += 1
      checksum(RecordHash.of(batch))
    }
    chains(key) = chained
  }
}

private[ledger] object PythonBatches {
  private val alone = 0L

  /** Whether records of its class are worth a look. */
  def mayBe(record: AnyRef): Boolean = record match {
    case _: Array[Byte] | (_, _: Array[Byte]) => true
    case _ => false
  }
}
