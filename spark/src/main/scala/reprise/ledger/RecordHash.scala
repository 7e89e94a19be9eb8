package reprise.ledger

import java.io.{DataOutputStream, ObjectOutputStream, OutputStream}

import scala.collection.immutable

import org.apache.hadoop.io.Writable
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeRow, XXH64}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** A record has no hash that is the same in every process. */
private[ledger] final class Unhashable(reason: String) extends RuntimeException(reason, null, false, false)

/**
 * Hashes of records by their values, equal in every run: never by `hashCode`, which may be the object's address. Sets
 * and maps count without order, all else in its order. Objects of other classes are hashed as Java serializes them.
 */
private[ledger] object RecordHash {
  private val nullHash = 0x9E3779B97F4A7C15L
  private val chain = 0x9FB21C651E98DF25L

  def mixed(value: Long): Long = {
    var hash = value
    hash ^= hash >>> 32
    hash *= 0xD6E8FEB86659FD93L
    hash ^= hash >>> 32
    hash *= 0xA0761D6478BD642FL
    hash ^ (hash >>> 32)
  }

  /** @throws Unhashable for what cannot be looked at without changing it, or cannot be serialized */
  def of(record: Any): Long = record match {
    case null => nullHash
    case number: Int => mixed(number)
    case number: Long => mixed(number)
    case text: String => ofText(text)
    case number: Double => ofDouble(number)
    case number: Float => ofFloat(number)
    case flag: Boolean => mixed(if (flag) 3 else 5)
    case number: Short => mixed(number)
    case number: Byte => mixed(number)
    case letter: Char => mixed(letter)
    case (first, second) => mixed(of(first) * chain + of(second))
    case bytes: Array[Byte] => ofBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)
    case row: UnsafeRow => ofBytes(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
    case text: UTF8String => ofBytes(text.getBaseObject, text.getBaseOffset, text.numBytes())
    case array: Array[_] => ofSequence(array.iterator)
    case other => ofOther(other)
  }

  private def ofOther(record: Any): Long = record match {
    case _: Iterator[_] | _: scala.collection.View[_] | _: immutable.LazyList[_] | _: java.util.Iterator[_] =>
      throw new Unhashable(s"looking at a ${record.getClass.getName} would use it up")
    case set: scala.collection.Set[_] => ofUnordered(set.iterator)
    case map: scala.collection.Map[_, _] => ofUnordered(map.iterator)
    case values: scala.collection.Seq[_] => ofSequence(values.iterator)
    case row: Row => ofSequence(row.toSeq.iterator)
    case row: GenericInternalRow => ofSequence(row.values.iterator)
    // A class is told by its name, so that Some(1) is not List(1).
    case product: Product => mixed(ofText(product.productPrefix) + ofSequence(product.productIterator))
    case set: java.util.Set[_] => ofUnordered(iterator(set))
    case map: java.util.Map[_, _] => ofUnordered(iterator(map.entrySet).map(e => (e.getKey, e.getValue)))
    case values: java.util.Collection[_] => ofSequence(iterator(values))
    case time: java.sql.Timestamp => mixed(time.getTime * chain + time.getNanos)
    case date: java.util.Date => mixed(date.getTime)
    case _: java.lang.Number | _: java.time.temporal.Temporal | _: java.time.temporal.TemporalAmount |
        _: java.util.UUID | _: Symbol | _: BigInt | _: BigDecimal | _: Enumeration#Value =>
      ofText(record.toString)
    case constant: Enum[_] => ofText(constant.name)
    case writable: Writable => hashed(out => writable.write(new DataOutputStream(out)))
    case text: CharSequence => ofText(text.toString)
    case serializable: java.io.Serializable => hashed { out =>
        val objects = new ObjectOutputStream(out)
        objects.writeObject(serializable)
        objects.flush()
      }
    case _ => throw new Unhashable(s"a ${record.getClass.getName} cannot be serialized")
  }

  private def iterator[T](values: java.lang.Iterable[T]): Iterator[T] = {
    val each = values.iterator()
    new Iterator[T] {
      override def hasNext: Boolean = each.hasNext
      override def next(): T = each.next()
    }
  }

  private def ofDouble(number: Double): Long = mixed(java.lang.Double.doubleToLongBits(number))

  private def ofFloat(number: Float): Long = mixed(java.lang.Float.floatToIntBits(number))

  private def ofText(text: String): Long = {
    var hash = nullHash + text.length
    var i = 0
    while (i < text.length) {
      hash = hash * chain + text.charAt(i)
      i += 1
    }
    mixed(hash)
  }

  private def ofBytes(base: AnyRef, offset: Long, length: Int): Long =
    XXH64.hashUnsafeBytes(base, offset, length, length)

  private def ofSequence(values: Iterator[Any]): Long = {
    var hash = chain
    values.foreach(value => hash = hash * chain + of(value))
    mixed(hash)
  }

  private def ofUnordered(values: Iterator[Any]): Long = {
    var sum = 0L
    var count = 0
    values.foreach { value =>
      sum += of(value)
      count += 1
    }
    mixed(sum * chain + count)
  }

  private def hashed(write: OutputStream => Unit): Long = {
    val out = new HashingStream
    try write(out)
    catch { case e: java.io.IOException => throw new Unhashable(e.toString) }
    out.hash
  }

  private final class HashingStream extends OutputStream {
    private var state = nullHash

    def hash: Long = mixed(state)

    override def write(byte: Int): Unit = state = state * chain + (byte & 0xff) + 1

    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
      if (length > 0) {
        state = state * chain + XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET + offset, length, length)
      }
  }
}
