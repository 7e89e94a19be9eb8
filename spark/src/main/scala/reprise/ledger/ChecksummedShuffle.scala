package reprise.ledger

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.access.ShuffleObserver

/** Checksums the records that an RDD gives to the writer of a shuffle. */
private[ledger] final class ChecksummedShuffle(shuffle: Int, rdd: Int) extends ShuffleObserver {
  override def write[R](records: Iterator[Any], context: TaskContext)(write: Iterator[Any] => R): R = {
    val ledger = TaskLedger.of(context)
    val checksummed = new RecordChecksums(records)
    val written = write(checksummed)
    ledger.add(checksummed.entry("shuffle")(_.put("shuffle", shuffle).put("rdd", rdd)).toString)
    written
  }
}
