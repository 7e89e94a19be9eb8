package reprise.exec

import org.apache.spark.{SparkException, SparkThrowable}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.udf

import reprise.SparkSuite
import reprise.access.SparkErrors

/** Functions of the user's inside native pipelines. */
class GuestRowsSuite extends SparkSuite {

  override protected def settings: Map[String, String] = Map("spark.plugins" -> "reprise.ReprisePlugin")

  private def sums(of: String): DataFrame =
    spark.sql(s"SELECT id % 3 AS k, sum($of) AS s FROM range(0, 1000, 1, 2) GROUP BY 1 ORDER BY 1")

  /** The same rows as Spark alone gives, of a plan that has a guest. */
  private def checkGuest(query: => DataFrame): Unit = {
    val native = query
    val rows = native.collect()
    assert(native.queryExecution.executedPlan.toString.contains("RepriseGuestProject"))
    withSetting("spark.reprise.sql.enabled", "false")(assert(query.collect().sameElements(rows)))
  }

  nativeTest("a function of the user's is a guest") {
    spark.udf.register("plus_one", (n: Long) => n + 1)
    checkGuest(sums("plus_one(id)"))
    checkGuest(sums("plus_one(id) + plus_one(plus_one(id) * 2)"))
  }

  nativeTest("a function that knows null") {
    spark.udf.register("none_of_small", (n: java.lang.Long) => if (n == null || n < 10) null else n)
    checkGuest(sums("none_of_small(nullif(id, 500))"))
  }

  nativeTest("a function that is called once a row, in order") {
    spark.udf.register("drawn", udf((n: Long) => n * 7 % 11).asNondeterministic())
    checkGuest(spark.sql("SELECT sum(n), max(n) FROM (SELECT drawn(id) AS n FROM range(0, 1000, 1, 2))"))
  }

  nativeTest("what a function throws is Spark's error of it, once its row is reached") {
    spark.udf.register("fails_at_600", (n: Long) => if (n == 600) throw new IllegalStateException("six hundred") else n)
    val native = intercept[SparkException](sums("fails_at_600(id)").collect())
    // The driver throws the task's error itself since 4.0, and before as the cause of its own.
    val chain = Iterator.iterate[Throwable](native)(_.getCause).takeWhile(_ != null).toSeq
    val conditions = chain.collect { case error: SparkThrowable => SparkErrors.condition(error) }
    assert(conditions.find(_ != null).contains("FAILED_EXECUTE_UDF"))
    assert(chain.exists(_.getMessage == "six hundred"))
    val limited = "SELECT sum(n) FROM (SELECT fails_at_600(id) + 0 AS n FROM range(0, 1000, 1, 1) LIMIT 600)"
    checkGuest(spark.sql(limited))
  }

  nativeTest("a filter looks for nulls before it calls a function, wherever the test stands") {
    spark.udf.register("is_long", (s: String) => s.length > 2)
    val texts = "(SELECT id, nullif(CAST(id AS STRING), '500') AS s FROM range(0, 1000, 1, 2) LIMIT 900)"
    checkGuest(spark.sql(s"SELECT count(*) FROM $texts WHERE is_long(s) AND s IS NOT NULL"))
    checkGuest(spark.sql(s"SELECT count(*) FROM $texts WHERE is_long(s) AND id > 3 AND s IS NOT NULL AND is_long(s)"))
  }

  nativeTest("only rows that reach it are given to a function") {
    spark.udf.register("no_zero", (n: Long) => if (n == 0) throw new IllegalStateException("zero") else n)
    checkGuest(sums("if(id = 0, 0, no_zero(id))"))
    checkGuest(sums("coalesce(if(id = 0, 0, NULL), no_zero(id))"))
    checkGuest(spark.sql("SELECT count(*) FROM range(0, 1000, 1, 2) WHERE id > 0 AND no_zero(id) > 10"))
  }
}
