package reprise.ledger

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.access.ShuffleObserver

/** Sums up the records that an RDD gives to the writer of a shuffle. */
private[ledger] final class SummedShuffle(shuffle: Int, rdd: Int) extends ShuffleObserver {
  override def write[R](records: Iterator[Any], context: TaskContext)(write: Iterator[Any] => R): R = {
    val ledger = TaskLedger.of(context)
    val summed = new SummedRecords(records)
    val written = write(summed)
    ledger.add(summed.entry("shuffle")(_.put("shuffle", shuffle).put("rdd", rdd)).toString)
    written
  }
}
