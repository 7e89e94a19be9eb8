package reprise.lineage

import scala.reflect.ClassTag

import reprise.SparkSuite

/** Over records that are no plain values, of RDDs of the application; needs neither a recording nor the core. */
class ReplayAssertionsSuite extends SparkSuite {
  private object asserting extends ApplicationAssertions(spark)
  import asserting._

  private def sc = spark.sparkContext

  private def fails(name: String, found: String)(body: => Any): Unit = {
    val said = Iterator.iterate(intercept[Throwable](body))(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString("\n")
    assert(said.contains(s"RDD $name-assertion error:\n  RDD type: "))
    assert(said.contains(found))
  }

  private def equalAndOnce[T: ClassTag](make: () => Seq[T]): Unit = {
    val rows = sc.parallelize(make(), 2)
    // Made anew, so that no record is equal to itself by being the same object.
    assert(assertEqual[T](rows, sc.parallelize(make().reverse, 3)).count() === make().size)
    assertUnique[T, T](rows)(identity)
    fails("unique", "2 records, first in partition 0")(assertUnique[T, T](sc.parallelize(make().take(1) ++ make(), 1))(identity))
    fails("equal", "(1 less than in")(assertEqual[T](sc.parallelize(make().drop(1), 2), sc.parallelize(make(), 2)))
  }

  test("records are equal by what they hold: arrays, NaN, nulls, options") {
    equalAndOnce(() => Seq(Array("a", null), Array("b"), Array.empty[String]))
    equalAndOnce(() => Seq((Double.NaN, 1), (0.5, 1)))
    equalAndOnce(() => Seq(("k", Array(1, 2)), (null, Array(1)), ("k", null)))
    equalAndOnce(() => Seq(Measured("a", Float.NaN, Array[Byte](1)), Measured(null, 0f, null)))
    equalAndOnce(() => Seq(Some(Double.NaN), None, null, Some(1.0)))
    equalAndOnce(() => Seq(List(Array(Double.NaN)), Vector(), null))
    assertEqual[(Double, Int)](sc.parallelize(Seq((-0.0, 1))), sc.parallelize(Seq((0.0, 1))))
    fails("equal", "Array(1, 2) (1 more than in")(
      assertEqual[Array[Int]](sc.parallelize(Seq(Array(1, 2))), sc.parallelize(Seq(Array(2, 1)))))
  }

  test("a class's own equals decides") {
    assertEqual[Folded](sc.parallelize(Seq(Folded("A"))), sc.parallelize(Seq(Folded("a"))))
    fails("unique", "2 records")(assertUnique[Folded, Folded](sc.parallelize(Seq(Folded("A"), Folded("a"))))(identity))
  }

  test("nulls within sequences and arrays are nulls, wherever they stand") {
    Seq(0, 1).foreach { place =>
      fails("no-nulls", "offending records: 1 of 1")(
        assertNoNulls[Seq[String]](sc.parallelize(Seq(List("a", "b").updated(place, null)), 1)).count())
      fails("no-nulls", "offending records: 1 of 1\n    Array(")(
        assertNoNulls[Array[String]](sc.parallelize(Seq(Array("a", "b").updated(place, null)), 1)).count())
    }
    assert(assertNoNulls[Array[Int]](sc.parallelize(Seq(Array(1), Array.empty[Int]))).count() === 2)
    assert(assertNoNulls[Option[Int]](sc.parallelize(Seq(None, Some(1)))).count() === 2)
  }

  test("an assertion that stands on an RDD does not speak for the next one") {
    val standing = assertForall[Int](sc.parallelize(Seq(3, 1, 2, 2), 1))(_ > 5)
    assertCount[Int](standing)(4, 4)
    fails("count", "4 records, expected 5 to 6")(assertCount[Int](standing)(5, 6))
    fails("sorted", "record 1 has the key 1, after 3")(assertSorted[Int, Int](standing)(identity))
    fails("unique", "2 (2 records")(assertUnique[Int, Int](standing)(identity))
    assertEqual[Int](standing, standing)
    fails("forall", "offending records: 4 of 4")(standing.count())
  }

  test("an RDD without partitions has no record that exists, and all else holds of it") {
    val nothing = sc.emptyRDD[Int]
    fails("exists", "there are no partitions, so no records")(assertExists[Int](nothing)(_ => true).collect())
    assert(assertForall[Int](nothing)(_ => false).collect().isEmpty)
    assert(assertReduce[Int](nothing)(_ + _)(_ => false).collect().isEmpty)
    assertUnique[Int, Int](nothing)(identity)
    assertSorted[Int, Int](nothing)(identity)
    assertEqual[Int](nothing, sc.parallelize(Seq.empty[Int], 4))
    assertCount[Int](nothing)(0, 0)
    fails("count", "0 records, expected 1 to 2")(assertCount[Int](nothing)(1, 2))
  }
}

case class Measured(name: String, value: Float, bytes: Array[Byte])

case class Folded(name: String) {
  override def equals(that: Any): Boolean = that match {
    case Folded(other) => name.equalsIgnoreCase(other)
    case _ => false
  }
  override def hashCode: Int = name.toLowerCase.hashCode
}
