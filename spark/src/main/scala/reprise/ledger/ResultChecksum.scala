package reprise.ledger

import org.apache.spark.TaskContext

/** What a job does with each partition of its RDD, with checksums of what it reads and gives. */
private[ledger] final class ResultChecksum[T, U](action: (TaskContext, Iterator[T]) => U, rdd: Int)
  extends ((TaskContext, Iterator[T]) => U)
  with Serializable {

  override def apply(context: TaskContext, records: Iterator[T]): U = {
    val ledger = TaskLedger.of(context)
    val checksummed = new RecordChecksums(records)
    val result = action(context, checksummed)
    val entry = checksummed.entry("result")(_.put("rdd", rdd))
    if (!isCollected(result, checksummed)) {
      try entry.put("value", RecordChecksums.hex(RecordHash.of(result)))
      catch { case NotChecksummed(_) => () }
    }
    ledger.add(entry.toString)
    result
  }

  /** What was read, whose checksums are known. */
  private def isCollected(result: U, read: RecordChecksums[T]): Boolean = result match {
    case _: Unit => true
    case records: Array[_] =>
      records.length == read.taken && {
        val again = new RecordChecksums(records.iterator)
        again.foreach(_ => ())
        again.reason == read.reason && again.ordered == read.ordered
      }
    case _ => false
  }
}
