package reprise.scan

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

import reprise.SparkSuite
import reprise.exec.NativeExec

/** Tables of several layouts in one folder of a file system, and their answers with the plug-in and without. */
trait RemoteTables extends AdaptiveSparkPlanHelper { self: SparkSuite =>

  /** The folder's URI. */
  protected def root: String

  /** The folder that they are written to, if they are brought to the other one afterwards. */
  protected def written: String = root

  private val queries = Seq(
    "select k, count(*), sum(id), max(s) from flat where id > 17 group by k order by k",
    "select p, q, count(*), sum(id) from parted where p < 3 and q != 'b %/' group by p, q order by p, q",
    "select count(*), sum(length(s)), min(d) from small",
    "select id, s, d from groups where id between 30010 and 30020 order by id",
    "select count(*), sum(id), sum(length(s)) from wide",
    "select a.k, sum(b.id) from flat a join groups b on a.id = b.id group by a.k order by a.k",
    "select count(*) from parted",
    "select id from flat where k = 3 limit 5")

  private val tables = Seq("flat", "small", "parted", "groups", "wide")

  protected def writeTables(): Unit = {
    val rows = spark.range(0, 40000, 1, 2).selectExpr(
      "id",
      "id % 7 as k",
      "repeat(string(id * 31 % 1000), 3) as s",
      "cast(id as decimal(15, 2)) / 7 as d")
    write("flat", rows)
    write("small", rows.repartition(40))
    rows.selectExpr("*", "k as p", "concat(substr('abc', int(k % 3) + 1, 1), ' %/') as q")
      .write.partitionBy("p", "q").parquet(s"$written/parted")
    // In bytes: Spark 3.5's library for Parquet counts no rows of a group.
    rows.coalesce(1).write.option("parquet.block.size", 120000).parquet(s"$written/groups")
    // Chunks of more bytes than one request reads.
    write("wide", spark.range(0, 600, 1, 1).selectExpr("id", "repeat(sha2(string(id), 512), 200) as s"))
  }

  protected def nameTables(): Unit =
    tables.foreach(table => spark.read.parquet(s"$root/$table").createOrReplaceTempView(table))

  private def write(table: String, rows: DataFrame): Unit =
    rows.write.option("compression", "none").parquet(s"$written/$table")

  protected def natives(df: DataFrame): Seq[NativeExec] =
    collectWithSubqueries(executed(df)) {
      case native: NativeExec => native
    }

  protected def scansNatively(df: DataFrame): Boolean = natives(df).exists(_.nodeName == "RepriseParquetScan")

  protected def alone[T](body: => T): T = withSetting("spark.reprise.sql.enabled", "false")(body)

  /** Lines, some of which the core leaves to Spark, in several splits of a file. */
  protected def writeLines(): Unit =
    spark.range(0, 40000, 1, 1)
      .selectExpr("id", "if(id % 9000 = 5, 'a \"b\"', repeat(string(id), 8)) as s", "id / 8 as x")
      .write.option("header", "true").csv(s"$root/lines")

  protected def lines: DataFrame =
    spark.read.schema("id bigint, s string, x double").option("header", "true").csv(s"$root/lines")

  protected def compareLines(): Unit = withSetting("spark.sql.files.maxPartitionBytes", "400000") {
    def sums = lines.selectExpr("count(*)", "sum(id)", "sum(length(s))", "max(x)")
    val df = sums
    assert(df.collect().toSeq == alone(sums.collect().toSeq))
    assert(natives(df).exists(_.nodeName == "RepriseCsvScan"))
  }

  /** ORC of many stripes. */
  protected def writeStripes(): Unit =
    spark.range(0, 40000, 1, 1)
      .selectExpr("id", "if(id % 9 = 5, null, repeat(string(id), 8)) as s", "timestamp_seconds(id) as at")
      .write.option("orc.stripe.size", "100000").orc(s"$root/stripes")

  protected def compareStripes(): Unit = withSetting("spark.sql.files.maxPartitionBytes", "200000") {
    Seq("id >= 0", "id between 20000 and 20010").foreach { condition =>
      def sums = spark.read.orc(s"$root/stripes").where(condition)
        .selectExpr("count(*)", "sum(id)", "sum(length(s))", "max(at)")
      val df = sums
      assert(df.collect().toSeq == alone(sums.collect().toSeq))
      val scan = natives(df).find(_.nodeName == "RepriseOrcScan").get
      assert(scan.metrics("sparkBytesRead").value == 0)
    }
  }

  /** Asks all queries with the plug-in and without. */
  protected def compareAll(): Unit = queries.foreach { query =>
    val expected = alone(spark.sql(query).collect().toSeq)
    val df = spark.sql(query)
    assert(df.collect().toSeq == expected, query)
    assert(scansNatively(df), query)
  }
}
