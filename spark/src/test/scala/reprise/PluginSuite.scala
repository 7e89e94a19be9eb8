package reprise

import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicLong

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageSubmitted, SparkListenerTaskEnd, StageInfo}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.access.LineageAccess
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

import reprise.access.SparkErrors
import reprise.exec.NativeExec
import reprise.serialize.LoreTag

/** The plug-in with the core below it; cancelled where no library is given with `-Dreprise.library.path`. */
class PluginSuite extends SparkSuite with AdaptiveSparkPlanHelper {

  override protected def settings: Map[String, String] = Map("spark.plugins" -> classOf[ReprisePlugin].getName)

  override def beforeAll(): Unit = if (hasCore) {
    val folder = Files.createTempDirectory("reprise-test").resolve("t").toString
    spark.range(0, 10000, 1, 2).selectExpr("id", "id % 7 as k", "string(id) as s").write.parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("t")
  }

  /** All native operators, those of subqueries included. */
  private def natives(df: DataFrame): Seq[NativeExec] =
    collectWithSubqueries(executed(df)) { case n: NativeExec => n }

  private def ran(query: String): DataFrame = {
    val df = spark.sql(query)
    df.collect()
    df
  }

  private val adaptiveOrNot = Seq("true", "false")

  nativeTest("native operators give what Spark gives") {
    val query = "select k, count(*), sum(id), max(s) from t where id > 17 group by k order by k"
    val alone = withSetting("spark.reprise.sql.enabled", "false")(spark.sql(query).collect().toSeq)
    adaptiveOrNot.foreach { adaptive =>
      withSetting("spark.sql.adaptive.enabled", adaptive) {
        val df = spark.sql(query)
        assert(df.collect().toSeq == alone)
        val names = natives(df).map(_.nodeName).toSet
        assert(Set("RepriseParquetScan", "RepriseFilter", "RepriseHashAggregate").subsetOf(names))
      }
    }
  }

  nativeTest("figures of operators and of tasks") {
    var df: DataFrame = null
    val (records, bytes) = inputOf { df = ran("select s from t where k = 3 and length(s) > 0") }
    val scan = natives(df).find(_.nodeName == "RepriseParquetScan").get
    assert(scan.metrics("numOutputRows").value == 10000)
    assert(scan.metrics("numFiles").value == 2)
    assert(scan.metrics("bytesRead").value > 0)
    assert(natives(df).find(_.nodeName == "RepriseFilter").get.metrics("numOutputRows").value == 1429)
    assert((records, bytes) == (10000, scan.metrics("bytesRead").value))
  }

  nativeTest("a native range counts records as Spark's does, and no bytes") {
    val query = "select id + 1 from range(0, 1000, 1, 2) where id % 3 = 0"
    val native = inputOf(assert(natives(ran(query)).exists(_.nodeName == "RepriseRange")))
    assert(native == inputOf(withSetting("spark.reprise.sql.enabled", "false")(ran(query))))
    assert(native == (1000, 0))
  }

  /** Records and bytes that the tasks of `run` have read, by Spark's own figures. */
  private def inputOf(run: => Unit): (Long, Long) = {
    val records = new AtomicLong
    val bytes = new AtomicLong
    val listener = new SparkListener {
      override def onTaskEnd(end: SparkListenerTaskEnd): Unit = {
        records.addAndGet(end.taskMetrics.inputMetrics.recordsRead)
        bytes.addAndGet(end.taskMetrics.inputMetrics.bytesRead)
      }
    }
    spark.sparkContext.addSparkListener(listener)
    run
    LineageAccess.awaitListeners(spark.sparkContext)
    spark.sparkContext.removeSparkListener(listener)
    (records.get, bytes.get)
  }

  nativeTest("RDDs and stages are called by the user's lines, as Spark calls them") {
    def sites(enabled: String): (Set[String], Set[String]) = {
      val stages = new ConcurrentLinkedQueue[StageInfo]
      val listener = new SparkListener {
        override def onStageSubmitted(submitted: SparkListenerStageSubmitted): Unit = stages.add(submitted.stageInfo)
      }
      spark.sparkContext.addSparkListener(listener)
      withSetting("spark.sql.adaptive.enabled", "false") {
        withSetting("spark.reprise.sql.enabled", enabled) {
          spark.sql("select k, count(*) from t where id > 3 group by k order by k").collect()
          spark.sql("select s from t order by id limit 3").collect()
          spark.sql("select id from t union all select a.id from t a join t b on a.id = b.k").foreach(_ => ())
        }
      }
      LineageAccess.awaitListeners(spark.sparkContext)
      spark.sparkContext.removeSparkListener(listener)
      val submitted = stages.asScala.toSet
      (submitted.map(_.name), submitted.flatMap(_.rddInfos.map(_.callSite)))
    }
    val (stages, rdds) = sites("true")
    assert((stages, rdds) == sites("false"))
    assert(stages.count(_.matches("(collect|foreach) at PluginSuite.scala:\\d+")) == 3)
  }

  nativeTest("a limit stops a fragment early, and rows of a batch stay apart") {
    assert(spark.sql("select id, s from t where id >= 5000 limit 3").collect().length == 3)
    assert(spark.sql("select id from t where id > 1").toLocalIterator().next().getLong(0) > 1)
    assert(spark.sql("select s from t where id > 1").collect().map(_.getString(0)).toSet.size == 9998)
  }

  nativeTest("exchanges are reused as without Reprise") {
    val query = "with a as (select k, sum(id) as x from t where id > 3 group by k) " +
      "select * from a join a as b using (k)"
    adaptiveOrNot.foreach { adaptive =>
      withSetting("spark.sql.adaptive.enabled", adaptive) {
        def reused = collect(executed(ran(query))) { case r: ReusedExchangeExec => r }.length
        assert(reused == withSetting("spark.reprise.sql.enabled", "false")(reused))
        assert(reused > 0)
      }
    }
  }

  nativeTest("numbers are unique in a query with subqueries, and shown") {
    val query = "select count(*) from t where id > (select avg(id) from t where k = 1) and k < (select max(k) from t)"
    adaptiveOrNot.foreach { adaptive =>
      withSetting("spark.sql.adaptive.enabled", adaptive) {
        val operators = natives(ran(query))
        val numbers = operators.map(LoreTag.of(_).get.loreId)
        assert(numbers.distinct == numbers, s"adaptive=$adaptive: $numbers")
        assert(operators.map(LoreTag.of(_).get.query).distinct.length == 1)
        operators.foreach(o => assert(o.simpleString(100).contains(s"[loreId=${LoreTag.of(o).get.loreId}]")))
      }
    }
  }

  nativeTest("the text of a scan goes by the settings that Spark's scans go by") {
    def scan: SparkPlan = natives(spark.sql("select id from t where s > 'secret-0123456789'"))
      .find(_.nodeName == "RepriseParquetScan")
      .get
    def text: String = scan.simpleString(25).replaceAll("#\\d+L?", "#")
    withSetting("spark.sql.adaptive.enabled", "false") {
      withSetting("spark.sql.maxMetadataStringLength", "1000") {
        assert(text.matches(
          "RepriseParquetScan file:/\\S+/t, columns=2, pruning=\\[isnotnull\\(s#\\), \\(s# > secret-0123456789\\)\\] \\[loreId=\\d+\\]"))
      }
      withSetting("spark.sql.maxMetadataStringLength", "1000") {
        val files = spark.read.parquet(spark.table("t").inputFiles.toSeq: _*)
        assert(natives(files.filter("id > 3")).exists(_.simpleString(25).contains("RepriseParquetScan (2 paths)[file:/")))
      }
      withSetting("spark.sql.maxMetadataStringLength", "9") {
        assert(text.matches("RepriseParquetScan file:/\\.\\.\\., columns=2, pruning=\\[isnot\\.\\.\\. \\[loreId=\\d+\\]"))
        assert(scan.verboseStringWithOperatorId().matches("(?s).*RepriseParquetScan.*/t, columns=2, .*secret-0123456789.*"))
      }
      // What the pattern finds is not there any more when it would have been cut.
      withSetting("spark.sql.redaction.string.regex", "secret-\\d{10}") {
        (4 to 60).foreach { length =>
          withSetting("spark.sql.maxMetadataStringLength", length.toString)(assert(!text.contains("secret-")))
        }
        assert(!scan.verboseStringWithOperatorId().contains("secret-"))
      }
    }
  }

  nativeTest("an error in a task is Spark's own") {
    val failure = intercept[Throwable](spark.sql("select 9223372036854775807 + id from t").collect())
    val causes = Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).toSeq
    val condition = causes.collectFirst { case t: SparkThrowable if SparkErrors.condition(t) != null => SparkErrors.condition(t) }
    assert(condition.contains("ARITHMETIC_OVERFLOW"), causes.mkString("\n"))
  }

  nativeTest("a wrong setting is the user's error") {
    withSetting("spark.reprise.sql.explian", "ALL") {
      val e = intercept[IllegalArgumentException](spark.sql("select id from t where id > 3").collect())
      assert(e.getMessage.contains("spark.reprise.sql.explain"))
    }
  }
}
