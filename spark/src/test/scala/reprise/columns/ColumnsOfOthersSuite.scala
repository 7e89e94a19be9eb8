package reprise.columns

import java.util.concurrent.TimeUnit

import scala.util.Try

import org.apache.spark.SparkException
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.ColumnarToRowExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

import reprise.{ReprisePlugin, SparkSuite}
import reprise.exec.FragmentInputExec
import reprise.serialize.CachedTable

/** Columns that a connector gives enter the core as they are. */
class ColumnsOfOthersSuite extends SparkSuite with AdaptiveSparkPlanHelper {
  override protected def settings: Map[String, String] = Map("spark.plugins" -> classOf[ReprisePlugin].getName)

  private def tableOf(options: (String, String)*): DataFrame =
    spark.read.format(classOf[ColumnsOfOthers].getName).options(options.toMap).load()

  /** Spark itself leaves open what it holds when a task fails or wants no more. */
  private def noneOpen[T](body: => T): T = {
    val open = ColumnsOfOthers.openIn(ColumnsOfOthers.run.incrementAndGet())
    val result = body
    ColumnsOfOthers.run.incrementAndGet()
    // A job is over as soon as one of its tasks has failed: the others may still run.
    val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30)
    while (open.get != 0 && System.nanoTime() < deadline) Thread.sleep(20)
    assert(open.get == 0)
    result
  }

  private def off[T](body: => T): T = withSetting("spark.reprise.sql.enabled", "false")(body)

  private def inputs(df: DataFrame): Seq[FragmentInputExec] =
    collect(executed(df)) { case input: FragmentInputExec if input.supportsColumnar => input }

  private def rowsOf(df: DataFrame): Seq[String] = df.collect().map(_.toString).toSeq.sorted

  /** Of the same rows, but an aggregate, which is worth it to run natively. */
  private def distinct(df: DataFrame): DataFrame = df.distinct()

  private val columns = ColumnsOfOthers.columns.fieldNames.toSeq

  nativeTest("vectors of all kinds give the rows that Spark has of them") {
    def all = distinct(tableOf())
    val native = all
    assert(noneOpen(rowsOf(native)) == off(rowsOf(all)))
    val Seq(input) = inputs(native)
    assert(input.nodeName == "RepriseColumnsToNative")
    assert(input.metrics("numOutputRows").value == 2 * ColumnsOfOthers.sizes.sum)
    assert(collect(executed(native)) { case rows: ColumnarToRowExec => rows }.isEmpty)
  }

  nativeTest("aggregates over each column, and over none") {
    columns.filter(_ != "pair").foreach { column =>
      def grouped = tableOf().selectExpr(s"$column as v", "id % 5 as k").groupBy("k").agg(Map("v" -> "max", "*" -> "count"))
      assert(rowsOf(grouped) == off(rowsOf(grouped)), column)
    }
    def count = tableOf().selectExpr("count(*)")
    assert(rowsOf(count) == off(rowsOf(count)))
  }

  nativeTest("small batches of the core") {
    def all = distinct(tableOf())
    val expected = off(rowsOf(all))
    withSetting("spark.reprise.sql.batchRows", "3")(assert(rowsOf(all) == expected))
    withSetting("spark.reprise.sql.batchBytes", "200")(assert(rowsOf(all) == expected))
  }

  nativeTest("a value that throws, and a batch") {
    Seq("failing" -> "1000500", "breaking" -> "2", "breaking" -> "0").foreach { option =>
      def message(run: => Any): String = {
        val Some(error: SparkException) = Try(run).failed.toOption
        Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).toSeq.last.getMessage
      }
      def all = distinct(tableOf(option))
      val native = noneOpen(message(all.collect()))
      assert(native == off(message(all.collect())))
      assert(native.contains("fails") || native.contains("breaks"), native)
    }
  }

  nativeTest("a limit that is full before the error never meets it") {
    Seq("failing" -> "3000", "breaking" -> "3").foreach { option =>
      def first: Array[Row] = tableOf(option).coalesce(1).where("own is null or own >= 0").limit(2500).selectExpr("sum(id)").collect()
      assert(noneOpen(first).toSeq == off(first).toSeq)
    }
  }

  nativeTest("a cached table is read as the cache keeps it, and no more of it than Spark reads") {
    spark.range(0, 40000, 1, 2).selectExpr("id", "concat('text ', id % 10) as text").cache().createOrReplaceTempView("kept")
    def read(): (Seq[String], Long) = {
      val df = spark.sql("select text, count(*), sum(id) from kept where id > 35000 group by text")
      val rows = rowsOf(df)
      val scan = collect(executed(df)) { case CachedTable(scan) => scan }.head
      assert(inputs(df).map(_.nodeName).distinct.forall(_ == "RepriseColumnsToNative"))
      (rows, scan.metrics("numOutputRows").value)
    }
    try Seq("true", "false").foreach { adaptive =>
      withSetting("spark.sql.adaptive.enabled", adaptive)(assert(read() == off(read())))
    }
    finally spark.catalog.clearCache()
  }
}
