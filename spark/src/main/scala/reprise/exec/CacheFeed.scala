package reprise.exec

import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch

import reprise.bridge.{CacheSource, ColumnSource}

/** Hands the batches of a cached table to the core as they are. @param columns which of the table's are read */
private[exec] final class CacheFeed(batches: Iterator[CachedBatch], columns: Array[Int]) extends CacheSource with KeptFailure {
  private var batch: DefaultCachedBatch = _

  override def next(): Long = caught {
    if (!batches.hasNext) ColumnSource.END
    else {
      batch = batches.next().asInstanceOf[DefaultCachedBatch]
      batch.numRows
    }
  }

  override def column(column: Int): Array[Byte] = batch.buffers(columns(column))
}
