package reprise.lineage

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import org.apache.spark.rdd.RDD
import org.apache.spark.serializer.KryoSerializer
import org.apache.spark.sql.functions.{col, desc}
import org.scalatest.concurrent.Eventually.{eventually, timeout}
import org.scalatest.time.{Seconds, Span}

import reprise.{EventReplayer, ReprisePlugin, SparkSuite}

/** An application that has registered its own classes with Kryo, and allows no others: it need not know the plug-in's. */
class RegisteredClassesSuite extends SparkSuite {
  private val work = Files.createTempDirectory("reprise-registered")
  private val recording = work.resolve("recording")
  private val ledgers = work.resolve("ledgers")

  override protected def settings: Map[String, String] = Map(
    "spark.serializer" -> classOf[KryoSerializer].getName,
    "spark.kryo.registrationRequired" -> "true",
    "spark.kryo.classesToRegister" -> Seq(classOf[PageView], classOf[Array[PageView]]).map(_.getName).mkString(",")) ++
    (if (hasCore) withPlugin else Map.empty)

  private def withPlugin = Map(
    "spark.plugins" -> classOf[ReprisePlugin].getName,
    "spark.reprise.lineage.path" -> recording.toString,
    "spark.reprise.ledger.path" -> ledgers.toUri.toString)

  private object asserting extends ApplicationAssertions(spark)

  private def sc = spark.sparkContext
  private lazy val visits = sc.parallelize(Seq.tabulate(20)(i => PageView(s"page$i", i / 2.0)), 3)
  private lazy val table = spark.range(0, 10, 1, 2).selectExpr("id", "string(id % 3) as name")

  private def said(body: => Any): String =
    Iterator.iterate(intercept[Throwable](body))(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString("\n")

  test("classes that nobody has registered are refused, as the setting says") {
    assert(said(sc.parallelize(Seq(Unregistered(1)), 1).collect()).contains("Class is not registered: "))
  }

  test("assertions on RDDs") {
    import asserting._
    assert(assertForall[PageView](visits)(_.seconds >= 0).count() === 20)
    assert(assertExists[PageView](visits)(_.seconds == 9).count() === 20)
    assert(assertNoNulls[PageView](visits).count() === 20)
    assert(assertReduce[PageView](visits)((a, b) => if (a.seconds < b.seconds) b else a)(_.seconds < 10).count() === 20)
    assertUnique[PageView, String](visits)(_.page)
    assertSorted[PageView, Double](visits)(_.seconds)
    assertCount[PageView](visits)(20, 20)
    assertEqual[PageView](visits, visits.repartition(2))
    assert(said(assertUnique[PageView, Int](visits)(_.seconds.toInt / 9)).contains("0 (18 records, first in partition 0)"))
    assert(said(assertSorted[PageView, Double](visits)(-_.seconds)).contains("record 1 has the key -0.5, after -0.0"))
    assert(said(assertEqual[PageView](visits, visits.filter(_.seconds > 0))).contains("PageView(page0,0.0) (1 more than in"))
  }

  test("assertions on DataFrames") {
    import asserting._
    assert(assertForall(table)(_.getLong(0) >= 0).count() === 10)
    assert(assertExists(table)(_.getLong(0) == 7).count() === 10)
    assert(assertNoNulls(table).count() === 10)
    assertUnique(table, "id")
    assertSorted(table, "id")
    assertCount(table)(10, 10)
    assertEqual(table, table.repartition(3))
    assertPartitioned(table, "id")
    assert(said(assertUnique(table, "name")).contains("[0] (4 records"))
    assert(said(assertSorted(table, desc("id"))).contains("record 1 is [1,1], after [0,0]"))
    assert(said(assertEqual(table, table.limit(9))).contains("DataFrame equal-assertion error"))
  }

  test("what changes each time is found") {
    val changing = visits.map(visit => PageView(visit.page, System.nanoTime().toDouble))
    assert(Nondeterminism.find(changing, 2).map(_.rdd) === Seq(changing))
  }

  nativeTest("queries with native exchanges") {
    val joined = table.join(spark.range(5).hint("broadcast"), "id").groupBy("name").count().orderBy(col("name"))
    assert(joined.collect().map(_.getLong(1)).toSeq === Seq(2, 2, 1))
  }

  nativeTest("the lineage is recorded, made again and asserted; and the ledger has its sums") {
    val sorted = visits.map(visit => (visit.page, visit)).sortByKey(ascending = true, 2)
    assert(sorted.count() === 20)
    val replayer = new EventReplayer(sc, recording.toString)
    assert(replayer.problems.filterNot(_.contains("Class is not registered: reprise.lineage.Unregistered")) === Nil)
    val again = replayer.rdds(sorted.id).asInstanceOf[RDD[(String, PageView)]]
    assert(replayer.assertSorted[(String, PageView), String](again)(_._1).count() === 20)
    assert(replayer.assertEqual[(String, PageView)](again, sorted).count() === 20)
    val Seq(ledger) = Files.list(ledgers).iterator.asScala.toSeq
    eventually(timeout(Span(60, Seconds))) {
      val lines = Files.readAllLines(ledger.resolve("sums.jsonl")).asScala.filter(_.contains(s""""rdd":${sorted.id},"""))
      assert(lines.map("\"rows\":(\\d+)".r.findFirstMatchIn(_).map(_.group(1).toInt)).flatten.sum >= 20)
    }
  }
}

case class PageView(page: String, seconds: Double)

case class Unregistered(number: Int)
