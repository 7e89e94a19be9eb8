package reprise.profile

import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster

import reprise.{ReprisePlugin, SparkSuite}

/** Recordings and pages in a name node and data node that run beside the test. */
class HdfsFlameSuite extends SparkSuite {
  private lazy val cluster: MiniDFSCluster = {
    val conf = new Configuration(false)
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("reprise-hdfs").toString)
    new MiniDFSCluster.Builder(conf).numDataNodes(1).build()
  }

  private lazy val files: FileSystem = cluster.getFileSystem

  override protected def settings: Map[String, String] =
    if (!hasCore) Map.empty
    else
      Map(
        "spark.plugins" -> classOf[ReprisePlugin].getName,
        "spark.reprise.flameGraph.pathPrefix" -> s"${files.getUri}/flames/one")

  override def afterAll(): Unit = {
    super.afterAll()
    if (hasCore) cluster.shutdown()
  }

  private def names: Seq[String] = files.listStatus(new Path("/flames/one")).map(_.getPath.getName).toSeq.sorted

  private def text(name: String): String = {
    val in = files.open(new Path(s"/flames/one/$name"))
    try new String(in.readAllBytes(), "UTF-8")
    finally in.close()
  }

  nativeTest("recordings, pages and the index are written to HDFS") {
    val id = spark.sparkContext.applicationId
    assert(spark.range(0, 50000000L, 1, 2).selectExpr("sum(id % 7)").head().getLong(0) > 0)
    // As if another application had written into the folder before.
    files.create(new Path("/flames/one/app-local-7-index.html")).close()
    val application = s"app-$id-exec-driver"
    val page = s"$application-stage-0-attempt-0"
    val end = System.nanoTime() + 60000000000L
    while (!(names.contains(s"$page.html") && names.contains("index.html")) && System.nanoTime() < end) Thread.sleep(50)
    assert(names.contains(s"$page.jfr"))
    assert(text(s"$page.html").contains("stage 0, attempt 0, executor driver"))
    spark.stop()
    assert(names.contains(s"$application-other.html"))
    assert(text("index.html").contains(s"href=\"$page.html\""))
    assert(text("index.html").contains("href=\"app-local-7-index.html\">local-7</a>"))
    assert(text(s"app-$id-index.html") == text("index.html"))
    assert(!names.exists(name => name.endsWith(".part") || name.startsWith(".reprise-probe")))
  }
}
