package reprise.ledger

import java.nio.ByteBuffer
import java.time.{Instant, LocalDate}

import org.apache.hadoop.io.{IntWritable, Text}
import org.apache.spark.sql.Row
import org.scalatest.funsuite.AnyFunSuite

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
      "größer" -> 0xfbc13c6a81c577e5L,
      "größer als €" -> 0x906894ce98e955ceL,
      (1, 2) -> 0x4f607a463525d5fcL,
      (1: Any, 2: Any) -> 0x4f607a463525d5fcL,
      (1, 2, 3) -> 0x857dd6c4c41bf5c0L,
      Array(1.0, 2.0) -> 0x522ba938cf8ec5f7L,
      Array("a", null) -> 0xf0f91b8737c11f8dL,
      List(1, 2) -> 0x43d4c5dace914bfeL,
      Array(1, 2) -> 0x43d4c5dace914bfeL,
      Set(1, 2, 3) -> 0x9f221971cbd8732cL,
      Map("a" -> 1) -> 0xbf98c1af29d38a1eL,
      Some(1) -> 0xafbf63b0c55dde0cL,
      Row(1, "a", null) -> 0x7d21ed6ff774f999L,
      BigDecimal("3.7") -> 0xc212dac6808cba54L)
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
      val sums = for (i <- hashes.indices; j <- 0 to i) yield hashes(i) + hashes(j)
      assert(sums.distinct.length === sums.length)
    }
    assertAllDiffer((-200 to 200).map(RecordHash.of))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(n / 8.0)))
    assertAllDiffer((-200 to 200).map(n => RecordHash.of(s"record ${n % 2} of $n")))
    assertAllDiffer(for (a <- -10 to 10; b <- -10 to 10) yield RecordHash.of((a * 0.5, b * 0.5)))
  }

  test("the letters of a text are the same, however it keeps them") {
    val texts = (0 to 40).map("größer als vierzig Buchstaben ist dies, ÿ".take) ++ Seq("€", "\u6261", "ab", "a\ud800b", "\ud83d\ude00")
    texts.foreach(text => assert(TextBytes.of(text).toSeq === TextBytes.copied(text).toSeq, text))
    assert(texts.map(RecordHash.of).distinct.length === texts.length)
  }

  test("all NaNs are one") {
    val odd = java.lang.Double.longBitsToDouble(0x7ff8000000000001L)
    assert(RecordHash.of(odd) === RecordHash.of(Double.NaN))
  }

  test("what would be used up, or cannot be serialized, has no hash") {
    def reason(record: Any) = intercept[Unhashable](RecordHash.of(record)).getMessage
    val used = Iterator(1, 2)
    assert(reason(used).endsWith("would use it up"))
    assert(used.toSeq === Seq(1, 2))
    assert(reason(LazyList(1)).contains("LazyList"))
    assert(reason(ByteBuffer.allocate(1)).endsWith("cannot be serialized"))
    assert(reason(Tuple1(new Thread)).endsWith("cannot be serialized"))
  }
}

private class Plain(val x: Int, val y: String) extends Serializable
