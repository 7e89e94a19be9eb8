package reprise.ledger

import java.io.ObjectOutputStream
import java.nio.ByteBuffer
import java.time.{Instant, LocalDate}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.io.{IntWritable, Text}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{Metadata, MetadataBuilder}
import org.scalatest.funsuite.AnyFunSuite

private final class Unlinked extends Serializable {
  private def writeObject(out: ObjectOutputStream): Unit = throw new NoClassDefFoundError("Absent")
}

private trait Cubed {
  def number: Int
  lazy val cube: Int = number * number * number
}

private class Squared(val number: Int) extends Serializable {
  lazy val square: Int = number * number
}

private final class Lazy(number: Int) extends Squared(number) with Cubed

class RecordHashSuite extends AnyFunSuite {
  private case class Point(x: Int, y: Int)
  private case class Other(x: Int, y: Int)

  /** Made anew at each call, so that nothing is equal by being the same object. */
  private def records: Seq[Any] = Seq(
    null,
    1,
    2,
    "one",
    "",
    1.5,
    -0.0,
    0.0,
    1.5f,
    true,
    false,
    'x',
    (1, "a"),
    ("a", 1),
    (1, 2, 3),
    Point(1, 2),
    Point(2, 1),
    Other(1, 2),
    Some(1),
    None,
    List(1, 2),
    List(2, 1),
    Vector(List(1), List(2)),
    Vector(List(1, 2)),
    Set(1, 2, 3),
    Map("a" -> 1, "b" -> 2),
    Array(1.0, 2.0),
    Array(2.0, 1.0),
    Array(1.0),
    Array(1.0, 0.0),
    Array(1.0, 0.0, 0.0),
    Array(1.0, 2.0, 3.0, 4.0),
    Array(3.0, 4.0, 1.0, 2.0),
    Array(1.0, Double.NaN),
    Array(Double.PositiveInfinity, 1.0),
    Array.empty[Double],
    Array[Byte](1, 2, 3),
    Array(Array(1), Array(3)),
    Row(1, "a", null),
    java.util.List.of(7, 8),
    java.util.Map.of("k", 1),
    new java.math.BigDecimal("1.10"),
    BigDecimal("3.7"),
    LocalDate.of(2020, 2, 29),
    Instant.ofEpochSecond(5, 6),
    new java.sql.Timestamp(12345L),
    java.util.concurrent.TimeUnit.DAYS,
    java.util.UUID.fromString("00000000-0000-0001-0000-000000000002"),
    new Text("text"),
    new IntWritable(77),
    new Plain(1, "a"),
    new Plain(2, "a"))

  test("equal records have equal hashes, others do not") {
    val hashes = records.map(RecordHash.of)
    assert(hashes === records.map(RecordHash.of))
    val same = hashes.zip(records).groupBy(_._1).values.filter(_.length > 1).map(_.map(_._2))
    assert(same.toSeq === Nil)
  }

  test("hashes are those of other versions, with which ledgers are compared") {
    val known = Seq(
      1 -> 0xfe596658f7e04b67L,
      "größer" -> 0x714c75d878b58f6bL,
      "größer als €" -> 0xaf53aa28aa5846aeL,
      (1, 2) -> 0x8f2550c340054ee6L,
      (1: Any, 2: Any) -> 0x8f2550c340054ee6L,
      (1, 2, 3) -> 0xb38bd42b4c6e9ef8L,
      Array(1.0, 2.0) -> 0xfc8f28a0f6cb72f5L,
      Array("a", null) -> 0xd460b1f5676daf13L,
      List(1, 2) -> 0xe7a03018356ed892L,
      Array(1, 2) -> 0xe7a03018356ed892L,
      Set(1, 2, 3) -> 0x7980872500b581bcL,
      Map("a" -> 1) -> 0x4ff9bd5c48013577L,
      Some(1) -> 0xa9bb664fb0e3256cL,
      Row(1, "a", null) -> 0x842b5d1da7a78d93L,
      BigDecimal("3.7") -> 0xea3569c3faed65f5L)
    known.foreach { case (record, hash) => assert(RecordHash.of(record) === hash, record) }
  }

  test("sets and maps count without order") {
    val one = scala.collection.mutable.LinkedHashMap("a" -> 1, "b" -> 2, "c" -> 3)
    val other = scala.collection.mutable.LinkedHashMap("c" -> 3, "a" -> 1, "b" -> 2)
    assert(RecordHash.of(one) === RecordHash.of(other))
    assert(RecordHash.of(scala.collection.mutable.LinkedHashSet(1, 2)) ===
      RecordHash.of(scala.collection.mutable.LinkedHashSet(2, 1)))
  }

  test("a pair of numbers, which has a class of its own, is as any pair of them") {
    def hash[A, B](a: A, b: B) = RecordHash.of((a, b)) // not of the class
    val own = Seq[Any]((1, 2), (1, 2L), (1, 2.5), (1L, 2), (1L, 2L), (1L, 2.5), (1.5, 2), (1.5, 2L), (1.5, 2.5), ('a', true))
    val any = Seq(hash(1, 2), hash(1, 2L), hash(1, 2.5), hash(1L, 2), hash(1L, 2L), hash(1L, 2.5)) ++
      Seq(hash(1.5, 2), hash(1.5, 2L), hash(1.5, 2.5), hash('a', true))
    assert(own.forall(_.getClass ne classOf[(_, _)]))
    assert(own.map(RecordHash.of) === any)
  }

  test("sums of other records differ, as close as these are") {
    def assertAllDiffer(hashes: Seq[Long]) = {
      val checksums = for (i <- hashes.indices; j <- 0 to i) yield hashes(i) + hashes(j)
      assert(checksums.distinct.length === checksums.length)
    }
    assertAllDiffer((-200 to 200).map(RecordHash.of))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(n / 8.0)))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(s"record ${n % 2} of $n")))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(n.toString)))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(("word", n))))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(Array(n * 0.5))))
    assertAllDiffer(for (a <- -10 to 10; b <- -10 to 10) yield RecordHash.of((a * 0.5, b * 0.5)))
  }

  test("sums differ where also those of squares and cubes of the records are equal") {
    val (even, odd) = (0 to 15).partition(Integer.bitCount(_) % 2 == 0)
    (1 to 3).foreach(power => assert(even.map(math.pow(_, power)).sum === odd.map(math.pow(_, power)).sum))
    val records = Seq[Int => Any](n => n, n => n.toDouble, n => ('a' + n).toChar.toString, n => (n, 1), n => ("word", n))
    records.foreach(record => assert(even.map(n => RecordHash.of(record(n))).sum !== odd.map(n => RecordHash.of(record(n))).sum))
  }

  test("the letters of a text are the same, however it keeps them") {
    val texts = (0 to 40).map("größer als vierzig Buchstaben ist dies, ÿ".take) ++ Seq("€", "\u6261", "ab", "a\ud800b", "\ud83d\ude00")
    texts.foreach(text => assert(TextBytes.of(text).toSeq === TextBytes.copied(text).toSeq, text))
    assert(texts.map(RecordHash.of).distinct.length === texts.length)
  }

  test("a lazy val counts for nothing, whether it has been asked for or not") {
    val (fresh, asked) = (new Lazy(3), new Lazy(3))
    assert(asked.square === 9 && asked.cube === 27)
    assert(RecordHash.of(fresh) === RecordHash.of(asked))
    assert(RecordHash.of(Some(fresh)) === RecordHash.of(Some(asked)))
    assert(RecordHash.of(List(fresh).asJava) === RecordHash.of(List(asked).asJava))
    assert(RecordHash.of(fresh) !== RecordHash.of(new Lazy(4)))
    val (one, other) = (new MetadataBuilder().putLong("a", 1).build(), new MetadataBuilder().putLong("a", 1).build())
    assert(one.hashCode === new MetadataBuilder().putLong("a", 1).build().hashCode)
    assert(RecordHash.of(one) === RecordHash.of(other))
    assert(RecordHash.of(one) !== RecordHash.of(Metadata.empty))
  }

  test("all NaNs are one") {
    val odd = java.lang.Double.longBitsToDouble(0x7ff8000000000001L)
    assert(RecordHash.of(odd) === RecordHash.of(Double.NaN))
    assert(RecordHash.of(Array(odd, 1.0)) === RecordHash.of(Array(Double.NaN, 1.0)))
    assert(RecordHash.of(Array(1.0, -1.0, odd)) === RecordHash.of(Array(1.0, -1.0, Double.NaN)))
  }

  test("an array of numbers is as a sequence of them") {
    val numbers = Seq(1.5, -0.0, Double.NaN, Double.NegativeInfinity, Double.MaxValue, -1e-300, 7.0)
    (0 to numbers.length).map(numbers.take).foreach { some =>
      val hash = RecordHash.of(some)
      assert(RecordHash.of(some.toArray) === hash)
      assert(RecordHash.of(some.toArray[Any]) === hash)
      assert(RecordHash.of(some.toList) === hash)
    }
  }

  test("what would be used up, or cannot be serialized, has no hash") {
    def reason(record: Any) = intercept[Unhashable](RecordHash.of(record)).getMessage
    val used = Iterator(1, 2)
    assert(reason(used).endsWith("would use it up"))
    assert(used.toSeq === Seq(1, 2))
    LazyValues.all.foreach(values => assert(reason(values).endsWith("would use it up")))
    assert(reason(Stream.continually(1): @annotation.nowarn("cat=deprecation")).contains("Stream"))
    assert(reason(ByteBuffer.allocate(1)).endsWith("cannot be serialized"))
    assert(reason(Tuple1(new Thread)).endsWith("cannot be serialized"))
    val checksummed = new RecordChecksums(Iterator(1, new Unlinked, 3))
    assert(checksummed.length === 3)
    assert(checksummed.reason.exists(_.contains("NoClassDefFoundError: Absent")))
  }
}

private class Plain(val x: Int, val y: String) extends Serializable
