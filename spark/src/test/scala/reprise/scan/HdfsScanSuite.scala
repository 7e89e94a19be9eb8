package reprise.scan

import java.nio.file.Files

import org.apache.hadoop.fs.Path

import reprise.{HdfsCluster, ReprisePlugin}

/** Scans of tables in a name node and data node that run beside the test. */
class HdfsScanSuite extends HdfsCluster with RemoteTables {

  override protected def settings: Map[String, String] =
    Map("spark.plugins" -> classOf[ReprisePlugin].getName, "spark.reprise.memory.debug" -> "true")

  override protected def root: String = s"${files.getUri}/tables"

  override def beforeAll(): Unit = if (hasCore) {
    writeTables()
    nameTables()
  }

  nativeTest("tables in HDFS are read natively, as Spark reads them")(compareAll())

  nativeTest("tables in HDFS are read natively by Spark's second interface of sources") {
    withSetting("spark.sql.sources.useV1SourceList", "") {
      def sums = spark.read.parquet(s"$root/parted").selectExpr("count(*)", "sum(p)", "sum(length(q))", "sum(id)")
      val df = sums
      assert(df.collect().toSeq == alone(sums.collect().toSeq))
      assert(scansNatively(df))
    }
  }

  nativeTest("lines in HDFS are read natively, as Spark reads them") {
    writeLines()
    compareLines()
  }

  nativeTest("ORC in HDFS is read natively, as Spark reads it") {
    writeStripes()
    compareStripes()
  }

  nativeTest("a dump of the scan is not replayed without Spark, one of the operator above is") {
    val folder = Files.createTempDirectory("reprise-scan-dump").resolve("dump")
    withSetting("spark.reprise.lore.idsToDump", "FileSourceScan#0[*], Filter#0[*]") {
      withSetting("spark.reprise.lore.perQuery", "false") {
        withSetting("spark.reprise.lore.dumpPath", folder.toUri.toString) {
          assert(spark.sql("select id from flat where k = 3").collect().length == 5714)
        }
      }
    }
    val said = folder.toFile.list.sorted.map(operator => replay(folder.resolve(operator).toString))
    assert(said.count(_._1 == 0) == 1)
    val refused = said.find(_._1 != 0).get._2
    assert(refused.contains(s"cannot read $root/flat/part-"))
    assert(refused.contains("replay the dump of the operator above the scan"))
  }

  nativeTest("a file that is written again has its new rows") {
    val folder = s"$root/rewritten"
    def write(rows: Long): Unit = {
      spark.range(rows).coalesce(1).write.mode("overwrite").parquet(folder)
      val written = files.globStatus(new Path(s"$folder/part-*"))
      files.rename(written.head.getPath, new Path(s"$folder/a.parquet"))
    }
    write(100)
    val listed = spark.read.parquet(folder)
    assert(listed.collect().length == 100)
    write(200)
    assert(listed.collect().length == 200)
    assert(alone(spark.read.parquet(folder).collect().length) == 200)
  }
}
