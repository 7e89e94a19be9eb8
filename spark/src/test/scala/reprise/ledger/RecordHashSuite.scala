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
      1 -> 0x81c770e595bc1000L,
      "größer als €" -> 0xd95e75c5c80081beL,
      (1, 2) -> 0xd24b872942e8c9f4L,
      (1: Any, 2: Any) -> 0xd24b872942e8c9f4L,
      (1, 2, 3) -> 0x0d6bf83709b309ccL,
      Array(1.0, 2.0) -> 0x90219eff0e34d2f6L,
      Array("a", null) -> 0xf95b691cee41242cL,
      List(1, 2) -> 0x87d972a74207d359L,
      Array(1, 2) -> 0x87d972a74207d359L,
      Set(1, 2, 3) -> 0xb51cbdaf5d10b9d1L,
      Map("a" -> 1) -> 0xfb83acaeb0922c98L,
      Some(1) -> 0x9bc79c5fc516dc92L,
      Row(1, "a", null) -> 0xe2c165c97b1810ebL,
      BigDecimal("3.7") -> 0x45ee0d630c78d971L)
    known.foreach { case (record, hash) => assert(RecordHash.of(record) === hash, record) }
  }

  test("sets and maps count without order") {
    val one = scala.collection.mutable.LinkedHashMap("a" -> 1, "b" -> 2, "c" -> 3)
    val other = scala.collection.mutable.LinkedHashMap("c" -> 3, "a" -> 1, "b" -> 2)
    assert(RecordHash.of(one) === RecordHash.of(other))
    assert(RecordHash.of(scala.collection.mutable.LinkedHashSet(1, 2)) ===
      RecordHash.of(scala.collection.mutable.LinkedHashSet(2, 1)))
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
