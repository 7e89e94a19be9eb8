package reprise.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.access.FilePiece
import org.apache.spark.unsafe.Platform

/** How what a fragment computes is handed on. */
private[exec] sealed trait FragmentOutput[T] extends Serializable {
  def of(fragment: RunningFragment): Iterator[T]
}

/**
 * As Spark's rows. A row is valid until the next one is asked for, as with all of Spark's operators; it points into
 * the core's memory.
 */
private[exec] final case class RowOutput(fields: Int) extends FragmentOutput[InternalRow] {
  override def of(fragment: RunningFragment): Iterator[InternalRow] = new FragmentRows(fragment, fields)
}

/** As handles of batches, for another fragment of the same task. */
private[exec] case object BatchOutput extends FragmentOutput[Long] {
  override def of(fragment: RunningFragment): Iterator[Long] =
    Iterator.continually(fragment.nextBatch()).takeWhile(_ != 0)
}

/** As encoded blocks, each with the partition that it belongs to. */
private[exec] case object BlockOutput extends FragmentOutput[(Int, Array[Byte])] {
  override def of(fragment: RunningFragment): Iterator[(Int, Array[Byte])] = {
    val figures = new Array[Long](2)
    Iterator.continually(fragment.nextBlock(figures)).takeWhile(_ != null).map(block => (figures(0).toInt, block))
  }
}

/** As pieces of the files that a fragment writes. */
private[exec] case object PieceOutput extends FragmentOutput[FilePiece] {
  override def of(fragment: RunningFragment): Iterator[FilePiece] = {
    val figures = new Array[Long](2)
    Iterator.continually(fragment.nextBlock(figures)).takeWhile(_ != null).map(bytes => FilePiece(figures(1), bytes))
  }
}

/** The rows of a running fragment, one batch after the other. The same row object is given each time. */
private final class FragmentRows(fragment: RunningFragment, fields: Int) extends Iterator[InternalRow] {
  private val row = new UnsafeRow(fields)
  private val block = new Array[Long](2)
  private var rowCount = 0
  private var position = 0
  private var atEnd = false

  private val outputRows = fragment.metrics.output.get("numOutputRows")
  private val outputBytes = fragment.metrics.output.get("outputBytes")
  private val batches = fragment.metrics.output.get("numOutputBatches")
  private val time = fragment.metrics.output.get("ownTime")

  override def hasNext: Boolean = {
    while (position == rowCount && !atEnd) fetch()
    // What a closed fragment has given is gone.
    position < rowCount && fragment.isOpen
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("the fragment has no more rows")
    val offsets = block(1) + 4L * position
    val start = Platform.getInt(null, offsets)
    row.pointTo(null, block(0) + start, Platform.getInt(null, offsets + 4) - start)
    position += 1
    row
  }

  private def fetch(): Unit = fragment.synchronized {
    position = 0
    rowCount = 0
    val batch = fragment.nextBatch()
    if (batch == 0) {
      atEnd = true
    } else {
      val start = System.nanoTime()
      rowCount = fragment.toRows(batch, block)
      time.foreach(_.add(System.nanoTime() - start))
      batches.foreach(_.add(1))
      outputRows.foreach(_.add(rowCount))
      outputBytes.foreach(_.add(Platform.getInt(null, block(1) + 4L * rowCount)))
    }
  }
}
