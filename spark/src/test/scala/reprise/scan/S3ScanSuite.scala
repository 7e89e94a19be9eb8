package reprise.scan

import java.nio.file.Files

import org.apache.hadoop.fs.{FileUtil, Path}

import reprise.{ReprisePlugin, SparkSuite}

/** Scans of tables in a server of S3 that runs beside the test. */
class S3ScanSuite extends SparkSuite with RemoteTables {
  private val bucket = "tables"
  private lazy val server = new S3Server(bucket)
  private lazy val proxy = new BreakingProxy(server.port)

  override protected def settings: Map[String, String] =
    if (!hasCore) Map.empty
    else
      Map(
        "spark.plugins" -> classOf[ReprisePlugin].getName,
        "spark.reprise.memory.debug" -> "true",
        "spark.hadoop.fs.s3a.endpoint" -> s"http://127.0.0.1:${proxy.port}",
        "spark.hadoop.fs.s3a.endpoint.region" -> "us-east-1",
        "spark.hadoop.fs.s3a.path.style.access" -> "true",
        "spark.hadoop.fs.s3a.connection.ssl.enabled" -> "false",
        // Others, the default since Hadoop 3.5, keep what they have read, so that nothing is left to break.
        "spark.hadoop.fs.s3a.input.stream.type" -> "classic",
        "spark.hadoop.fs.s3a.access.key" -> "key",
        "spark.hadoop.fs.s3a.secret.key" -> "secret")

  override protected def root: String = s"s3a://$bucket/here"
  override protected lazy val written: String = Files.createTempDirectory("reprise-s3").toUri.toString + "tables"

  override def beforeAll(): Unit = if (hasCore) {
    writeTables()
    val conf = spark.sessionState.newHadoopConf()
    val (from, to) = (new Path(written), new Path(root))
    FileUtil.copy(from.getFileSystem(conf), from, to.getFileSystem(conf), to, false, conf)
    nameTables()
  }

  override def afterAll(): Unit = {
    super.afterAll()
    if (hasCore) {
      proxy.stop()
      server.stop()
    }
  }

  nativeTest("tables in S3 are read natively, as Spark reads them")(compareAll())

  nativeTest("a connection that breaks is made again by the file system") {
    val query = "select sum(id), sum(length(s)) from wide"
    val expected = alone(spark.sql(query).collect().toSeq)
    proxy.breakNext(2)
    assert(spark.sql(query).collect().toSeq == expected)
    assert(proxy.broken == 2)
  }
}
