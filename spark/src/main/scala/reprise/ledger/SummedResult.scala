package reprise.ledger

import org.apache.spark.TaskContext

/** What a job does with each partition of its RDD, with sums of what it reads and gives. */
private[ledger] final class SummedResult[T, U](action: (TaskContext, Iterator[T]) => U, rdd: Int)
  extends ((TaskContext, Iterator[T]) => U)
  with Serializable {

  override def apply(context: TaskContext, records: Iterator[T]): U = {
    val ledger = TaskLedger.of(context)
    val summed = new SummedRecords(records)
    val result = action(context, summed)
    val entry = summed.entry("result")(_.put("rdd", rdd))
    if (!isCollected(result, summed)) {
      try entry.put("value", SummedRecords.hex(RecordHash.of(result)))
      catch { case NotSummed(_) => () }
    }
    ledger.add(entry.toString)
    result
  }

  /** What was read, whose sums are known. */
  private def isCollected(result: U, read: SummedRecords[T]): Boolean = result match {
    case _: Unit => true
    case records: Array[_] =>
      records.length == read.taken && {
        val again = new SummedRecords(records.iterator)
        again.foreach(_ => ())
        again.reason == read.reason && again.ordered == read.ordered
      }
    case _ => false
  }
}
