package reprise.exec

import java.nio.{ByteBuffer, ByteOrder}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.access.FilePiece
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch
import org.apache.spark.unsafe.Platform

/** How what a fragment computes is handed on. */
private[exec] sealed trait FragmentOutput[T] extends Serializable {
  def of(fragment: RunningFragment): Iterator[T]

  /** How rows leave that leave as batches of a cached table. */
  def cache: Option[CacheLayout] = None
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

/** How rows are cut into the batches of a cached table, and kept. @param rows at most so many, and one at least */
private[exec] final case class CacheLayout(rows: Int, isCompressed: Boolean)

/** As batches of a cached table, in Spark's own format. */
private[exec] final case class CacheOutput(layout: CacheLayout, columns: Int) extends FragmentOutput[CachedBatch] {
  override def cache: Option[CacheLayout] = Some(layout)

  override def of(fragment: RunningFragment): Iterator[CachedBatch] = {
    val figures = new Array[Long](2)
    val counted = Seq("numOutputRows", "numOutputBatches", "outputBytes").map(fragment.metrics.output.get)
    Iterator.continually(fragment.nextBlock(figures)).takeWhile(_ != null).map { bytes =>
      val rows = figures(1).toInt
      counted.zip(Seq(rows, 1, bytes.length)).foreach { case (metric, count) => metric.foreach(_.add(count)) }
      batch(rows, ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()))
    }
  }

  /** The columns one after the other, and their statistics as a row. */
  private def batch(rows: Int, bytes: ByteBuffer): CachedBatch = {
    def next(): Array[Byte] = {
      val piece = new Array[Byte](bytes.getInt())
      bytes.get(piece)
      piece
    }
    val buffers = Array.fill(columns)(next())
    val kept = next()
    val statistics = new UnsafeRow(columns * CacheOutput.fieldsOfColumn)
    statistics.pointTo(kept, kept.length)
    DefaultCachedBatch(rows, buffers, statistics)
  }
}

private object CacheOutput {

  /** Least and greatest value, nulls, values and bytes. */
  private val fieldsOfColumn = 5
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
