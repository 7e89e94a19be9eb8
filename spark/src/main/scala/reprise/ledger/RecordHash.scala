package reprise.ledger

import java.io.{DataOutputStream, ObjectOutputStream, OutputStream}

import scala.collection.immutable
import scala.jdk.CollectionConverters._
import scala.reflect.ClassTag

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

  /** Of what has an order: the hash of what came before, times this, plus the next one. */
  final val chain = 0x9FB21C651E98DF25L
  private val mix = 0xA0761D6478BD642FL

  /** The JVM's objects end where an aligned word does, so that the last one may be read beyond an array's end. */
  private val mayReadWords = Platform.BYTE_ARRAY_OFFSET % 8 == 0

  /** Twice, so that hashes of close values add up to other sums; that of 0 is not 0. */
  def mixed(value: Long): Long = {
    var hash = value ^ nullHash
    hash ^= hash >>> 32
    hash *= 0xD6E8FEB86659FD93L
    hash ^= hash >>> 32
    hash *= mix
    hash ^ (hash >>> 32)
  }

  /**
   * How records of one class are hashed. Each is code of its own, so that the compiler sees the one class of records
   * that it is for.
   */
  abstract class HashOf[-T] {
    def of(value: T): Long
  }

  def forClass(of: Class[_]): HashOf[Any] = hashes.get(of)

  /**
   * What records are mostly made of, final classes, costs a comparison each.
   *
   * @throws Unhashable for what cannot be looked at without changing it, or cannot be serialized
   */
  def of(value: Any): Long = value match {
    case null => nullHash
    case number: Int => mixed(number)
    case text: String => ofText(text)
    case number: Long => mixed(number)
    case number: Double => ofDouble(number)
    case pair: Tuple2[_, _] if pair.getClass eq classOf[Tuple2[_, _]] => ofParts(of(pair._1), of(pair._2))
    case other => hashes.get(other.getClass).of(other)
  }

  private def entry[T](hash: HashOf[T])(implicit tag: ClassTag[T]): (Class[_], HashOf[Any]) =
    tag.runtimeClass -> hash.asInstanceOf[HashOf[Any]]

  /** Pairs of numbers have classes of their own, which would box the numbers to give them as objects. */
  private def ofPairsLike[A, B](pair: (A, B))(hash: HashOf[(A, B)]): (Class[_], HashOf[Any]) =
    pair.getClass -> hash.asInstanceOf[HashOf[Any]]

  def ofParts(first: Long, second: Long): Long = mixed(first * chain + second)

  private val usedUp: HashOf[Any] = value =>
    throw new Unhashable(s"looking at a ${value.getClass.getName} would use it up")

  private val text: HashOf[Any] = value => ofText(value.toString)

  /** The first that a class is of counts. */
  private lazy val table: Seq[(Class[_], HashOf[Any])] = Seq(
    entry[java.lang.Integer](number => mixed(number.toLong)),
    entry[String](ofText(_)),
    entry[java.lang.Long](number => mixed(number)),
    entry[java.lang.Double](number => ofDouble(number)),
    entry[java.lang.Float](number => ofFloat(number)),
    entry[java.lang.Boolean](flag => mixed(if (flag) 3 else 5)),
    entry[java.lang.Short](number => mixed(number.toLong)),
    entry[java.lang.Byte](number => mixed(number.toLong)),
    entry[java.lang.Character](letter => mixed(letter.charValue.toLong)),
    ofPairsLike((0, 0))(pair => ofParts(mixed(pair._1), mixed(pair._2))),
    ofPairsLike((0, 0L))(pair => ofParts(mixed(pair._1), mixed(pair._2))),
    ofPairsLike((0, 0.0))(pair => ofParts(mixed(pair._1), ofDouble(pair._2))),
    ofPairsLike((0L, 0))(pair => ofParts(mixed(pair._1), mixed(pair._2))),
    ofPairsLike((0L, 0L))(pair => ofParts(mixed(pair._1), mixed(pair._2))),
    ofPairsLike((0L, 0.0))(pair => ofParts(mixed(pair._1), ofDouble(pair._2))),
    ofPairsLike((0.0, 0))(pair => ofParts(ofDouble(pair._1), mixed(pair._2))),
    ofPairsLike((0.0, 0L))(pair => ofParts(ofDouble(pair._1), mixed(pair._2))),
    ofPairsLike((0.0, 0.0))(pair => ofParts(ofDouble(pair._1), ofDouble(pair._2))),
    entry[(Any, Any)](pair => ofParts(of(pair._1), of(pair._2))),
    entry[Array[Byte]](bytes => ofBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)),
    entry[UnsafeRow](row => ofBytes(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)),
    entry[UTF8String](text => ofBytes(text.getBaseObject, text.getBaseOffset, text.numBytes())),
    entry[Array[Double]](ofDoubles(_)),
    entry[Array[Float]](array => ofArray(array.length)(i => ofFloat(array(i)))),
    entry[Array[Long]](array => ofArray(array.length)(i => mixed(array(i)))),
    entry[Array[Int]](array => ofArray(array.length)(i => mixed(array(i)))),
    entry[Array[Short]](array => ofSequence(array.iterator)),
    entry[Array[Char]](array => ofSequence(array.iterator)),
    entry[Array[Boolean]](array => ofSequence(array.iterator)),
    entry[Array[AnyRef]](array => ofArray(array.length)(i => of(array(i)))),
    entry[Iterator[_]](usedUp),
    entry[scala.collection.View[_]](usedUp),
    entry[immutable.LazyList[_]](usedUp),
    entry[java.util.Iterator[_]](usedUp),
    entry[scala.collection.Set[_]](set => ofUnordered(set.iterator)),
    entry[scala.collection.Map[_, _]](map => ofUnordered(map.iterator)),
    entry[scala.collection.Seq[_]](values => ofSequence(values.iterator)),
    entry[Row](row => ofArray(row.length)(i => of(row.get(i)))),
    entry[GenericInternalRow](row => ofArray(row.values.length)(i => of(row.values(i)))),
    entry[Product](new HashOfProduct),
    entry[java.util.Set[_]](set => ofUnordered(set.iterator.asScala)),
    entry[java.util.Map[_, _]](map => ofUnordered(map.entrySet.iterator.asScala.map(e => (e.getKey, e.getValue)))),
    entry[java.util.Collection[_]](values => ofSequence(values.iterator.asScala)),
    entry[java.sql.Timestamp](time => mixed(time.getTime * chain + time.getNanos)),
    entry[java.util.Date](date => mixed(date.getTime)),
    entry[java.lang.Number](text),
    entry[java.time.temporal.Temporal](text),
    entry[java.time.temporal.TemporalAmount](text),
    entry[java.util.UUID](text),
    entry[Symbol](text),
    entry[BigInt](text),
    entry[BigDecimal](text),
    entry[Enumeration#Value](text),
    entry[Enum[_]](constant => ofText(constant.name)),
    entry[Writable](writable => hashed(out => writable.write(new DataOutputStream(out)))),
    entry[CharSequence](text),
    entry[java.io.Serializable](value => hashed { out =>
      val objects = new ObjectOutputStream(out)
      objects.writeObject(value)
      objects.flush()
    }),
    entry[AnyRef](value => throw new Unhashable(s"a ${value.getClass.getName} cannot be serialized")))

  /** To ask an object for traits that it has not costs far more than to hash it. */
  private val hashes = new ClassValue[HashOf[Any]] {
    override def computeValue(named: Class[_]): HashOf[Any] =
      table.collectFirst { case (known, hash) if known.isAssignableFrom(named) => hash }.get match {
        case _: HashOfProduct => new HashOfProduct // it keeps its class's name
        case hash => hash
      }
  }

  /** A class is told by its name, so that Some(1) is not List(1). The name is mostly a constant. */
  private final class HashOfProduct extends HashOf[Any] {
    private var named = new Named("")

    override def of(value: Any): Long = {
      val product = value.asInstanceOf[Product]
      val name = product.productPrefix
      var its = named // which another thread may change
      if (its.name ne name) {
        its = new Named(name)
        named = its
      }
      mixed(its.hash + ofArray(product.productArity)(i => RecordHash.of(product.productElement(i))))
    }
  }

  private final class Named(val name: String) {
    val hash: Long = ofText(name)
  }

  def ofDouble(number: Double): Long = mixed(java.lang.Double.doubleToLongBits(number))

  private def ofFloat(number: Float): Long = mixed(java.lang.Float.floatToIntBits(number))

  private def ofText(text: String): Long = ofWords(mix + text.length, TextBytes.of(text))

  private def ofWords(seed: Long, bytes: Array[Byte]): Long = {
    var hash = seed
    var left = bytes.length
    var at = Platform.BYTE_ARRAY_OFFSET.toLong
    while (left > 8) {
      hash = bothHalves(hash ^ Platform.getLong(bytes, at))
      at += 8
      left -= 8
    }
    if (left > 0) hash ^= lastBytes(bytes, at, left)
    bothHalves(hash)
  }

  /** Up to eight, the lowest first, under a mask: a branch by their number would mostly be foretold wrongly. */
  private def lastBytes(bytes: Array[Byte], at: Long, count: Int): Long =
    if (mayReadWords) Platform.getLong(bytes, at) & (-1L >>> (64 - 8 * count))
    else (0 until count).foldLeft(0L)((word, i) => word | (Platform.getByte(bytes, at + i) & 0xffL) << (8 * i))

  /** Of a product, so that each bit matters to what comes next. */
  private def bothHalves(value: Long): Long = value * mix ^ Math.multiplyHigh(value, mix)

  def ofBytes(base: AnyRef, offset: Long, length: Int): Long =
    XXH64.hashUnsafeBytes(base, offset, length, length)

  private def ofSequence(values: Iterator[Any]): Long = {
    var hash = chain
    while (values.hasNext) hash = hash * chain + of(values.next())
    mixed(hash)
  }

  private def ofDoubles(array: Array[Double]): Long = {
    var hash = chain
    var i = 0
    while (i < array.length) {
      hash = hash * chain + ofDouble(array(i))
      i += 1
    }
    mixed(hash)
  }

  @inline private def ofArray(length: Int)(at: Int => Long): Long = {
    var hash = chain
    var i = 0
    while (i < length) {
      hash = hash * chain + at(i)
      i += 1
    }
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
