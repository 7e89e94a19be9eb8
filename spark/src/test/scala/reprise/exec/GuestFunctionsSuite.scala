package reprise.exec

import org.apache.spark.SparkException
import org.apache.spark.sql.{DataFrame, Encoder, Encoders}
import org.apache.spark.sql.expressions.Aggregator
import org.apache.spark.sql.functions.udaf

import reprise.SparkSuite

/** Aggregate functions of the user's inside native aggregates. */
class GuestFunctionsSuite extends SparkSuite {

  override protected def settings: Map[String, String] = Map("spark.plugins" -> "reprise.ReprisePlugin")

  /** The same rows as Spark alone gives, of a native aggregate. */
  private def checkNative(query: => DataFrame): Unit = {
    val native = query
    val rows = native.collect()
    val plan = native.queryExecution.executedPlan.toString.linesIterator.takeWhile(!_.contains("== Initial Plan ==")).mkString("\n")
    assert(plan.contains("RepriseObjectHashAggregate") && !plan.contains("- ObjectHashAggregate"), plan)
    withSetting("spark.reprise.sql.enabled", "false")(assert(query.collect().sameElements(rows)))
  }

  nativeTest("a function of the user's over groups, and over all rows") {
    spark.udf.register("widest", udaf(Widest, Encoders.scalaLong))
    checkNative(spark.sql("SELECT id % 3 AS k, widest(id), count(*) FROM range(0, 1000, 1, 3) GROUP BY 1 ORDER BY 1"))
    checkNative(spark.sql("SELECT widest(nullif(id, 7)) FROM range(0, 1000, 1, 3)"))
    checkNative(spark.sql("SELECT sum(w) FROM (SELECT id % 20000 AS k, widest(id) AS w FROM range(0, 40000, 1, 2) GROUP BY 1)"))
  }

  nativeTest("an aggregator of a typed Dataset") {
    val session = spark
    import session.implicits._
    def query = spark.range(0, 1000, 1, 3).as[Long].groupByKey(_ % 4).agg(Widest.toColumn).toDF().sort("key")
    val rows = query.collect()
    withSetting("spark.reprise.sql.enabled", "false")(assert(query.collect().sameElements(rows)))
  }

  nativeTest("what a function throws is Spark's error of it") {
    spark.udf.register("never_600", udaf(Never600, Encoders.scalaLong))
    def query = spark.sql("SELECT id % 3 AS k, never_600(id) FROM range(0, 1000, 1, 2) GROUP BY 1")
    def told: Seq[String] = {
      val thrown = intercept[SparkException](query.collect())
      Iterator.iterate[Throwable](thrown)(_.getCause).takeWhile(_ != null).map(e => s"${e.getClass.getName}").toSeq
    }
    val native = told
    withSetting("spark.reprise.sql.enabled", "false")(assert(told == native))
  }
}

/** The largest distance between two values, by way of an object. */
final case class Ends(low: Long, high: Long, count: Long)

object Widest extends Aggregator[Long, Ends, Long] {
  override def zero: Ends = Ends(Long.MaxValue, Long.MinValue, 0)
  override def reduce(b: Ends, a: Long): Ends = Ends(math.min(b.low, a), math.max(b.high, a), b.count + 1)
  override def merge(a: Ends, b: Ends): Ends = Ends(math.min(a.low, b.low), math.max(a.high, b.high), a.count + b.count)
  override def finish(b: Ends): Long = if (b.count == 0) -1 else (b.high - b.low) * 1000 + b.count
  override def bufferEncoder: Encoder[Ends] = Encoders.product[Ends]
  override def outputEncoder: Encoder[Long] = Encoders.scalaLong
}

object Never600 extends Aggregator[Long, Long, Long] {
  override def zero: Long = 0
  override def reduce(b: Long, a: Long): Long = if (a == 600) throw new IllegalStateException("six hundred") else a + b
  override def merge(a: Long, b: Long): Long = a + b
  override def finish(b: Long): Long = b
  override def bufferEncoder: Encoder[Long] = Encoders.scalaLong
  override def outputEncoder: Encoder[Long] = Encoders.scalaLong
}
