package reprise.ledger

import java.io.{DataOutputStream, OutputStream}

import scala.collection.immutable
import scala.jdk.CollectionConverters._
import scala.reflect.ClassTag

import org.apache.hadoop.io.Writable
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeRow, XXH64}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import reprise.access.LazyCollections

/** A record has no hash that is the same in every process. */
private[ledger] final class Unhashable(reason: String) extends RuntimeException(reason, null, false, false)

/**
 * Hashes of records by their values, equal in every run: never by `hashCode`, which may be the object's address. Sets
 * and maps count without order, all else in its order. Objects of other classes are hashed as Java serializes them,
 * lazy vals left out.
 */
private[ledger] object RecordHash {
  private final val golden = 0x9E3779B97F4A7C15L
  private final val mix = 0xA0761D6478BD642FL
  private final val nullBits = 0x8EBC6AF09C88C6E3L

  /** Of what has an order: the hash of what came before, times this, plus the next one. */
  final val chain = 0x9FB21C651E98DF25L

  /**
   * How records of one class are told apart. Each is code of its own, so that the compiler sees the one class of records
   * that it is for.
   */
  abstract class BitsOf[-T] {
    /** Other values have others, but close values may have close ones: not to be added up before they are mixed. */
    def of(value: T): Long
  }

  def forClass(of: Class[_]): BitsOf[Any] = known.get(of)

  /**
   * Fit for checksums.
   *
   * @throws Unhashable for what cannot be looked at without changing it, or cannot be serialized
   */
  def of(value: Any): Long = mixed(bits(value))

  def ofParts(first: Long, second: Long): Long = mixed(folded(first, second))

  /** Twice, so that hashes of close values add up to other checksums; that of 0 is not 0. */
  def mixed(value: Long): Long = {
    var hash = value ^ golden
    hash ^= hash >>> 32
    hash *= 0xD6E8FEB86659FD93L
    hash ^= hash >>> 32
    hash *= mix
    hash ^ (hash >>> 32)
  }

  /** One of two, by both halves of a product, so that each bit of them matters to all. */
  private def folded(first: Long, second: Long): Long = {
    val a = first ^ golden
    val b = second ^ mix
    a * b ^ Math.multiplyHigh(a, b)
  }

  /** What records are mostly made of, final classes, costs a comparison each. */
  private def bits(value: Any): Long = value match {
    case null => nullBits
    case number: Int => number
    case text: String => ofText(text)
    case number: Long => number
    case number: Double => ofDouble(number)
    case pair: Tuple2[_, _] if pair.getClass eq classOf[Tuple2[_, _]] => folded(bits(pair._1), bits(pair._2))
    case numbers: Array[Double] => ofDoubles(numbers)
    case numbers: Array[Float] => ofFloats(numbers)
    case numbers: Array[Long] => ofLongs(numbers)
    case numbers: Array[Int] => ofInts(numbers)
    case other => known.get(other.getClass).of(other)
  }

  private def entry[T](bits: BitsOf[T])(implicit tag: ClassTag[T]): (Class[_], BitsOf[Any]) =
    tag.runtimeClass -> bits.asInstanceOf[BitsOf[Any]]

  /** Pairs of numbers have classes of their own, which would box the numbers to give them as objects. */
  private def ofPairsLike[A, B](pair: (A, B))(bits: BitsOf[(A, B)]): (Class[_], BitsOf[Any]) =
    pair.getClass -> bits.asInstanceOf[BitsOf[Any]]

  private val usedUp: BitsOf[Any] = value =>
    throw new Unhashable(s"looking at a ${value.getClass.getName} would use it up")

  private val text: BitsOf[Any] = value => ofText(value.toString)

  /** The first that a class is of counts. */
  @annotation.nowarn("cat=deprecation")
  private lazy val table: Seq[(Class[_], BitsOf[Any])] = LazyCollections.classes.map(_ -> usedUp) ++ Seq(
    entry[java.lang.Integer](number => number.toLong),
    entry[String](ofText(_)),
    entry[java.lang.Long](number => number),
    entry[java.lang.Double](number => ofDouble(number)),
    entry[java.lang.Float](number => ofFloat(number)),
    entry[java.lang.Boolean](flag => if (flag) 3 else 5),
    entry[java.lang.Short](number => number.toLong),
    entry[java.lang.Byte](number => number.toLong),
    entry[java.lang.Character](letter => letter.charValue.toLong),
    ofPairsLike((0, 0))(pair => folded(pair._1, pair._2)),
    ofPairsLike((0, 0L))(pair => folded(pair._1, pair._2)),
    ofPairsLike((0, 0.0))(pair => folded(pair._1, ofDouble(pair._2))),
    ofPairsLike((0L, 0))(pair => folded(pair._1, pair._2)),
    ofPairsLike((0L, 0L))(pair => folded(pair._1, pair._2)),
    ofPairsLike((0L, 0.0))(pair => folded(pair._1, ofDouble(pair._2))),
    ofPairsLike((0.0, 0))(pair => folded(ofDouble(pair._1), pair._2)),
    ofPairsLike((0.0, 0L))(pair => folded(ofDouble(pair._1), pair._2)),
    ofPairsLike((0.0, 0.0))(pair => folded(ofDouble(pair._1), ofDouble(pair._2))),
    entry[(Any, Any)](pair => folded(bits(pair._1), bits(pair._2))),
    entry[Array[Byte]](bytes => ofBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)),
    entry[UnsafeRow](row => ofBytes(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)),
    entry[UTF8String](text => ofBytes(text.getBaseObject, text.getBaseOffset, text.numBytes())),
    entry[Array[Double]](ofDoubles(_)),
    entry[Array[Float]](ofFloats(_)),
    entry[Array[Long]](ofLongs(_)),
    entry[Array[Int]](ofInts(_)),
    entry[Array[Short]](array => ofSequence(array.iterator)),
    entry[Array[Char]](array => ofSequence(array.iterator)),
    entry[Array[Boolean]](array => ofSequence(array.iterator)),
    entry[Array[AnyRef]](array => ofArray(array.length)(i => bits(array(i)))),
    entry[Iterator[_]](usedUp),
    entry[immutable.Stream[_]](usedUp), // may be endless
    entry[java.util.Iterator[_]](usedUp),
    entry[scala.collection.Set[_]](set => ofUnordered(set.iterator)),
    entry[scala.collection.Map[_, _]](map => ofUnordered(map.iterator)),
    entry[scala.collection.Seq[_]](values => ofSequence(values.iterator)),
    entry[Row](row => ofArray(row.length)(i => bits(row.get(i)))),
    entry[GenericInternalRow](row => ofArray(row.values.length)(i => bits(row.values(i)))),
    entry[Product](new BitsOfProduct),
    entry[java.util.Set[_]](set => ofUnordered(set.iterator.asScala)),
    entry[java.util.Map[_, _]](map => ofUnordered(map.entrySet.iterator.asScala.map(e => (e.getKey, e.getValue)))),
    entry[java.util.Collection[_]](values => ofSequence(values.iterator.asScala)),
    entry[java.sql.Timestamp](time => folded(time.getTime, time.getNanos)),
    entry[java.util.Date](date => date.getTime),
    entry[java.lang.Number](text),
    entry[java.time.temporal.Temporal](text),
    entry[java.time.temporal.TemporalAmount](text),
    entry[java.util.UUID](text),
    entry[Symbol](text),
    entry[BigInt](text),
    entry[BigDecimal](text),
    entry[Enumeration#Value](text),
    entry[Enum[_]](constant => ofText(constant.name)),
    entry[Writable](writable => written(out => writable.write(new DataOutputStream(out)))),
    entry[CharSequence](text),
    entry[java.io.Serializable](value => written { out =>
      val objects = new StrictObjects(out)
      objects.writeObject(value)
      objects.flush()
    }),
    entry[AnyRef](value => throw new Unhashable(s"a ${value.getClass.getName} cannot be serialized")))

  /** To ask an object for traits that it has not costs far more than to hash it. */
  private val known = new ClassValue[BitsOf[Any]] {
    override def computeValue(named: Class[_]): BitsOf[Any] =
      table.collectFirst { case (of, bits) if of.isAssignableFrom(named) => bits }.get match {
        case _: BitsOfProduct => new BitsOfProduct // it keeps its class's name
        case bits => bits
      }
  }

  /** A class is told by its name, so that Some(1) is not List(1). The name is mostly a constant. */
  private final class BitsOfProduct extends BitsOf[Any] {
    private var named = new Named("")

    override def of(value: Any): Long = {
      val product = value.asInstanceOf[Product]
      val name = product.productPrefix
      var its = named // which another thread may change
      if (its.name ne name) {
        its = new Named(name)
        named = its
      }
      its.bits + ofArray(product.productArity)(i => bits(product.productElement(i)))
    }
  }

  private final class Named(val name: String) {
    val bits: Long = ofText(name)
  }

  /** All that are no numbers are one. */
  def ofDouble(number: Double): Long = java.lang.Double.doubleToLongBits(number)

  private def ofFloat(number: Float): Long = java.lang.Float.floatToIntBits(number)

  private def ofText(text: String): Long = {
    val bytes = TextBytes.of(text)
    ofWords(chain + text.length, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)
  }

  /**
   * Sixteen bytes a step, and no step waits for the one before.
   *
   * @param from where they start, as Platform counts
   */
  def ofWords(seed: Long, bytes: Array[Byte], from: Long, length: Int): Long = {
    val end = from + length
    if (length == 0) seed
    else if (length <= 16) {
      // A branch by their number would mostly be foretold wrongly.
      val size = math.min(length, 8)
      folded(seed ^ wordTo(bytes, from + size, size), wordTo(bytes, end, size))
    } else {
      var sum = seed
      var key = seed
      var at = from
      while (end - at > 16) {
        sum += folded(key ^ Platform.getLong(bytes, at), Platform.getLong(bytes, at + 8))
        key += golden
        at += 16
      }
      sum + folded(key ^ Platform.getLong(bytes, end - 16), Platform.getLong(bytes, end - 8))
    }
  }

  /** Up to eight bytes, the lowest first. What is read before them is the array's own too, or its header. */
  private def wordTo(bytes: Array[Byte], end: Long, count: Int): Long =
    Platform.getLong(bytes, end - 8) >>> (64 - 8 * count)

  private def ofBytes(base: AnyRef, offset: Long, length: Int): Long =
    XXH64.hashUnsafeBytes(base, offset, length, length)

  private def ofSequence(values: Iterator[Any]): Long = {
    var sum = mix
    var key = chain
    var count = 0
    while (values.hasNext) {
      val first = bits(values.next())
      if (values.hasNext) {
        sum += folded(key ^ first, bits(values.next()))
        count += 2
      } else {
        sum += folded(key ^ first, 0)
        count += 1
      }
      key += golden
    }
    sum + count
  }

  /** As a sequence: two by two, each two with a key by their place, so that no product waits for the one before. */
  @inline private def ofArray(length: Int)(at: Int => Long): Long = {
    var sum = mix + length
    var key = chain
    var i = 1
    while (i < length) {
      sum += folded(key ^ at(i - 1), at(i))
      key += golden
      i += 2
    }
    if (i == length) sum + folded(key ^ at(i - 1), 0) else sum
  }

  /** As any array, but read as the words that they are, unless some are no numbers. */
  private def ofDoubles(array: Array[Double]): Long = {
    var sum = mix + array.length
    var key = chain
    var highest = 0L // negative where an exponent is that of infinities and of what is no number
    var at = Platform.DOUBLE_ARRAY_OFFSET.toLong
    var left = array.length
    while (left >= 2) {
      val first = Platform.getLong(array, at)
      val second = Platform.getLong(array, at + 8)
      sum += folded(key ^ first, second)
      highest |= beyondFinite(first) | beyondFinite(second)
      key += golden
      at += 16
      left -= 2
    }
    if (left > 0) {
      val last = Platform.getLong(array, at)
      sum += folded(key ^ last, 0)
      highest |= beyondFinite(last)
    }
    if (highest < 0) ofArray(array.length)(i => ofDouble(array(i))) else sum
  }

  private def beyondFinite(bits: Long): Long = (bits & Long.MaxValue) + (1L << 52)

  private def ofFloats(array: Array[Float]): Long = ofArray(array.length)(i => ofFloat(array(i)))

  private def ofLongs(array: Array[Long]): Long = ofArray(array.length)(i => array(i))

  private def ofInts(array: Array[Int]): Long = ofArray(array.length)(i => array(i).toLong)

  private def ofUnordered(values: Iterator[Any]): Long = {
    var sum = 0L
    var count = 0
    values.foreach { value =>
      sum += of(value)
      count += 1
    }
    folded(sum, count)
  }

  private def written(write: OutputStream => Unit): Long = {
    val out = new HashingStream
    try write(out)
    catch { case e: java.io.IOException => throw new Unhashable(e.toString) }
    out.bits
  }

  private final class HashingStream extends OutputStream {
    private var state = golden

    def bits: Long = state

    override def write(byte: Int): Unit = state = state * chain + (byte & 0xff) + 1

    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
      if (length > 0) {
        state = state * chain + XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET + offset, length, length)
      }
  }
}
