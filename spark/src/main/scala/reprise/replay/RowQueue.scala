package reprise.replay

import java.io.ByteArrayOutputStream
import java.util.concurrent.{ArrayBlockingQueue, ConcurrentHashMap, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform

import reprise.bridge.RowSource

/**
 * Rows on their way from Spark's task to the core, which asks for them on another thread of the same process. Bounded:
 * the task waits while the core is busy.
 */
private[replay] final class RowQueue extends RowSource {
  import RowQueue._

  private val chunks = new ArrayBlockingQueue[Chunk](chunksMax)
  @volatile private var isClosed = false

  private var current: Chunk = Rows(Array.emptyByteArray, Array.emptyIntArray)
  private var row = 0
  private var offset = 0

  /** Called by the task. Ends early once nobody wants more rows. The rows before an error are handed on. */
  def addAll(rows: Iterator[InternalRow], schema: StructType): Unit = {
    val toUnsafe = UnsafeProjection.create(schema)
    var atEnd = false
    while (!isClosed && !atEnd) {
      val bytes = new ByteArrayOutputStream(chunkBytes)
      val lengths = mutable.ArrayBuffer.empty[Int]
      try {
        while (bytes.size < chunkBytes && lengths.length < chunkRows && !atEnd) {
          atEnd = !rows.hasNext
          if (!atEnd) {
            val unsafe = rows.next() match {
              case u: UnsafeRow => u
              case other => toUnsafe(other)
            }
            bytes.write(unsafe.getBytes)
            lengths += unsafe.getSizeInBytes
          }
        }
      } finally put(Rows(bytes.toByteArray, lengths.toArray))
    }
  }

  def end(): Unit = put(End)
  def fail(cause: Throwable): Unit = put(Failed(cause))
  def close(): Unit = isClosed = true

  private def put(chunk: Chunk): Unit =
    while (!isClosed && !chunks.offer(chunk, 50, TimeUnit.MILLISECONDS)) {}

  override def fill(to: Long, capacity: Long, lengths: Long, maxRows: Int): Int = {
    var count = 0
    var used = 0
    while (count < maxRows && advance(mayWait = count == 0)) {
      val Rows(bytes, sizes) = current
      val size = sizes(row)
      if (size > capacity - used) return if (count == 0) -size else count
      Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET + offset, null, to + used, size)
      Platform.putInt(null, lengths + 4L * count, size)
      used += size
      offset += size
      row += 1
      count += 1
    }
    count
  }

  /** Whether there is a row at the position. Rows that are there are handed on without waiting for more. */
  private def advance(mayWait: Boolean): Boolean = current match {
    case Rows(_, sizes) if row < sizes.length => true
    case _: Rows =>
      val next = if (mayWait) chunks.take() else chunks.poll()
      if (next == null) return false
      current = next
      row = 0
      offset = 0
      advance(mayWait)
    case End => false
    // What was given before is used first.
    case Failed(cause) => if (mayWait) throw cause else false
  }
}

private[replay] object RowQueue {
  private val chunkBytes = 256 * 1024
  private val chunkRows = 8192
  private val chunksMax = 8

  private sealed trait Chunk
  private final case class Rows(bytes: Array[Byte], lengths: Array[Int]) extends Chunk
  private final case class Failed(cause: Throwable) extends Chunk
  private case object End extends Chunk

  // Tasks get copies of what they are sent: they find the queue by its number.
  private val open = new ConcurrentHashMap[Long, RowQueue]
  private val lastNumber = new AtomicLong

  def register(queue: RowQueue): Long = {
    val number = lastNumber.incrementAndGet()
    open.put(number, queue)
    number
  }

  def of(number: Long): RowQueue = open.get(number)
  def forget(number: Long): Unit = open.remove(number)
}
