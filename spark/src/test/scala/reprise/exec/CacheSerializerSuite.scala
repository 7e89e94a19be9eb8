package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.columnar.{DefaultCachedBatch, DefaultCachedBatchSerializer, InMemoryRelation, PartitionStatistics}
import org.apache.spark.sql.types.{ArrayType, MapType, StructType}
import org.apache.spark.storage.StorageLevel

import reprise.SparkSuite

/** The batches of a cached table that the core writes, beside those that Spark makes of the same rows. */
class CacheSerializerSuite extends SparkSuite {

  override protected def settings: Map[String, String] = Map("spark.plugins" -> "reprise.ReprisePlugin")

  private def batches(rows: RDD[InternalRow], query: DataFrame, serializer: DefaultCachedBatchSerializer): Seq[DefaultCachedBatch] = {
    val plan = query.queryExecution.executedPlan
    serializer
      .convertInternalRowToCachedBatch(rows, plan.output, StorageLevel.MEMORY_ONLY, plan.conf)
      .collect()
      .toSeq
      .map(_.asInstanceOf[DefaultCachedBatch])
  }

  /** The bounds and counts of a batch; bounds of nested values, of which there are none, as nulls. */
  private def statistics(query: DataFrame, batch: DefaultCachedBatch): Seq[Any] =
    new PartitionStatistics(query.queryExecution.executedPlan.output).schema.zipWithIndex.map { case (field, i) =>
      field.dataType match {
        case _: ArrayType | _: MapType | _: StructType => assert(batch.stats.isNullAt(i)); null
        case _ if batch.stats.isNullAt(i) => null
        case dataType => batch.stats.get(i, dataType)
      }
    }

  /** @return how many batches there are */
  private def check(text: String): Int = {
    val query = spark.sql(text)
    val rows = query.queryExecution.executedPlan.execute()
    assert(rows.isInstanceOf[FragmentRDD[_]], query.queryExecution.executedPlan)
    val native = batches(rows, query, new CacheSerializer)
    val expected = batches(rows, query, new DefaultCachedBatchSerializer)
    assert(native.map(_.numRows) == expected.map(_.numRows), text)
    native.zip(expected).foreach { case (ours, theirs) =>
      assert(ours.stats.isInstanceOf[UnsafeRow])
      assert(statistics(query, ours) == statistics(query, theirs), text)
      assert(ours.sizeInBytes == theirs.sizeInBytes)
      query.queryExecution.executedPlan.output.indices.foreach { i =>
        assert(ours.buffers(i).sameElements(theirs.buffers(i)), s"column $i of $text")
      }
    }
    native.length
  }

  /** As after a context without the plug-in that has cached something in this JVM. */
  override def beforeAll(): Unit = {
    val other = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    other.range(3).cache().count()
    other.stop()
    super.beforeAll()
  }

  /** A value of each type, null where `empty` says so. */
  private def ofEachType(of: String, empty: String): String = {
    val values = Seq(
      s"$of % 2 = 0",
      s"cast($of % 100 as tinyint)",
      s"cast($of % 1000 as smallint)",
      s"cast($of as int)",
      s"cast($of as bigint)",
      s"cast($of as float) / 3",
      s"cast($of as double) / 7",
      s"cast($of as decimal(9,2))",
      s"cast($of as decimal(30,4)) * 1000000000000",
      s"concat('a', $of)",
      s"cast(concat('b', $of) as binary)",
      s"date_add(date'1970-01-01', cast($of % 20000 as int))",
      s"timestamp_micros($of * 1000003)",
      s"cast(timestamp_micros($of * 1000003) as timestamp_ntz)",
      s"make_ym_interval(0, cast($of as int))",
      s"make_dt_interval(0, 0, 0, $of)",
      s"make_interval(0, cast($of % 12 as int), 0, 1, 0, 0, $of)",
      s"array($of, null, 1)",
      s"map('k', $of)",
      s"named_struct('a', $of, 'b', array('x'))")
    values.zipWithIndex.map { case (value, i) => s"if($empty, null, $value) AS c$i" }.mkString(", ")
  }

  /** The sort, which changes nothing, is native whatever makes the values. */
  private def over(of: String, empty: String, rows: Int) =
    s"SELECT ${ofEachType(of, empty)}, id, null AS void FROM range(0, $rows, 1, 2) SORT BY id * 2"

  nativeTest("values of each type, that grow, repeat, are few, and are many") {
    val few = "id % 7"
    val runs = "(id div 100)"
    val scattered = "(id * 1103515245 + 12345) % 1000003 * if(id % 2 = 0, 1, -1)"
    for (of <- Seq("id", few, runs, scattered); empty <- Seq("false", "id % 3 = 1", "true")) {
      assert(check(over(of, empty, 3000)) == 2)
    }
    assert(check("SELECT cast(null as int) a, cast(null as string) b, cast(null as decimal(30,2)) c FROM range(0, 10, 1, 2)") == 2)
    assert(check("SELECT id FROM range(0, 10, 1, 2) WHERE id < 0") == 0)
  }

  nativeTest("numbers of the ends of their ranges") {
    check(
      """SELECT if(id % 3 = 0, cast('NaN' as double), if(id % 3 = 1, cast('-Infinity' as double), -0.0D)) a,
        |  if(id % 2 = 0, cast('NaN' as float), cast('Infinity' as float)) b,
        |  if(id % 2 = 0, 9223372036854775807, -9223372036854775808) c, if(id % 2 = 0, 2147483647, -2147483648) d,
        |  cast(if(id % 2 = 0, '99999999999999999999999999999999999999', '-99999999999999999999999999999999999999') as decimal(38,0)) e,
        |  id * 127 f, id * 128 g, -id * 128 h, cast(-id * 127 as int) i, '' j, if(id % 2 = 0, 'é', '') k
        |FROM range(0, 1000, 1, 1)""".stripMargin)
  }

  nativeTest("batches of few rows, of large values, and without compression") {
    withSetting("spark.sql.inMemoryColumnarStorage.batchSize", "7")(assert(check(over("id % 4", "id % 5 = 0", 100)) == 16))
    assert(check("SELECT id, repeat(cast(id as string), 200000) AS large FROM range(0, 60, 1, 1)") > 4)
    withSetting("spark.sql.inMemoryColumnarStorage.compressed", "false")(check(over("id % 4", "id % 5 = 0", 100)))
    withSetting("spark.sql.inMemoryColumnarStorage.batchSize", "100000") {
      assert(check("SELECT id, cast(id as string) s, id % 30000 AS d FROM range(0, 70000, 1, 1)") == 1)
    }
  }

  /** Whether the core has made the batches that are kept of the query. */
  private def isFilledByCore(query: DataFrame): Boolean = {
    val cached = query.queryExecution.withCachedData.collectFirst { case relation: InMemoryRelation => relation }.get
    val batches = cached.cacheBuilder.cachedColumnBuffers.collect().toSeq.map(_.asInstanceOf[DefaultCachedBatch])
    batches.nonEmpty && batches.forall(_.stats.isInstanceOf[UnsafeRow])
  }

  nativeTest("a cached table is filled by the core, and read by either side") {
    val query = spark.sql("SELECT id, concat('v', id % 10) AS v FROM range(0, 30000, 1, 3) WHERE id % 2 = 0").cache()
    val groups = query.groupBy("v").count().cache()
    try {
      def read = query.where("id BETWEEN 100 AND 20000 AND v > 'v3'").groupBy("v").count().sort("v").collect()
      def readGroups = groups.sort("v").collect()
      val native = (read, readGroups)
      assert(isFilledByCore(query) && isFilledByCore(groups))
      assert(native._1.length == 3 && native._2.length == 5)
      withSetting("spark.reprise.sql.enabled", "false") {
        assert(read.sameElements(native._1) && readGroups.sameElements(native._2))
      }
    } finally {
      groups.unpersist(blocking = true)
      query.unpersist(blocking = true)
    }
  }
}
