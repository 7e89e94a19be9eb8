package reprise.profile

import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction

import reprise.{HdfsCluster, ReprisePlugin}
import reprise.access.LocalFolder

/** Recordings and pages on HDFS. */
class HdfsFlameSuite extends HdfsCluster {
  override protected def settings: Map[String, String] =
    if (!hasCore) Map.empty
    else
      Map(
        "spark.plugins" -> classOf[ReprisePlugin].getName,
        "spark.reprise.flameGraph.pathPrefix" -> s"${files.getUri}/flames/one")

  private def names: Seq[String] = files.listStatus(new Path("/flames/one")).map(_.getPath.getName).toSeq.sorted

  private def text(name: String): String = read(s"/flames/one/$name")

  private def waitUntil(holds: => Boolean): Unit = {
    val end = System.nanoTime() + 120000000000L
    while (!holds && System.nanoTime() < end) Thread.sleep(50)
    assert(holds)
  }

  /** The stages whose pages the profiler has in its own folder, from which they are to go to HDFS: names of files. */
  private def unplaced: Seq[String] = {
    val own = LocalFolder.make("test-")
    LocalFolder.delete(own)
    val folders = own.getParentFile.listFiles().filter(_.getName.startsWith("reprise-flame-")).toSeq
    folders.flatMap(folder => Option(folder.list())).flatten.collect { case HdfsFlameSuite.ofStage(name) => name }
  }

  nativeTest("recordings, pages and the index are written to HDFS") {
    val id = spark.sparkContext.applicationId
    assert(spark.range(0, 50000000L, 1, 2).selectExpr("sum(id % 7)").head().getLong(0) > 0)
    // As if another application had written into the folder before.
    files.create(new Path("/flames/one/app-local-7-index.html")).close()
    val application = s"app-$id-exec-driver"
    val page = s"$application-stage-0-attempt-0"
    waitUntil(names.contains(s"$page.html") && names.contains("index.html"))
    assert(names.contains(s"$page.jfr"))
    assert(text(s"$page.html").contains("stage 0, attempt 0, executor driver"))

    // What cannot be put there for a while comes later: by itself, or when the application ends.
    val later = Seq(true, false).flatMap { isAwaited =>
      waitUntil(unplaced.isEmpty)
      assert(cluster.getNameNodeRpc.setSafeMode(SafeModeAction.SAFEMODE_ENTER, false))
      assert(spark.range(0, 1000L, 1, 2).rdd.count() == 1000)
      waitUntil(unplaced.nonEmpty)
      val kept = unplaced // a stage of the query before may be among them
      assert(!cluster.getNameNodeRpc.setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false))
      if (isAwaited) waitUntil(kept.forall(name => names.contains(s"$name.html")))
      kept
    }
    spark.stop()
    later.foreach { name =>
      assert(names.contains(s"$name.jfr"))
      assert(" tasks?\"".r.findFirstIn(text(s"$name.html")).isDefined)
      assert(text("index.html").contains(s"""href="$name.html""""))
    }
    assert(names.contains(s"$application-other.html"))
    assert(text("index.html").contains(s"""href="$page.html""""))
    assert(text("index.html").contains("href=\"app-local-7-index.html\">local-7</a>"))
    assert(text(s"app-$id-index.html") == text("index.html"))
    assert(!names.exists(name => name.endsWith(".part") || name.startsWith(".reprise-probe")))
  }
}

private object HdfsFlameSuite {
  val ofStage = "(app-.*-stage-.*)\\.html".r
}
