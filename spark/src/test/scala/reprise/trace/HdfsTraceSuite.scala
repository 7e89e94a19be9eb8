package reprise.trace

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction

import reprise.{HdfsCluster, ReprisePlugin}

/** Traces into a name node and data node that run beside the test. */
class HdfsTraceSuite extends HdfsCluster {
  override protected def settings: Map[String, String] =
    if (!hasCore) Map.empty else Map("spark.plugins" -> classOf[ReprisePlugin].getName)

  private lazy val file = s"/traces/new/trace-${spark.sparkContext.applicationId}-driver.json"

  private def run(directory: String = s"${files.getUri}/traces/new", rows: Long = 1000): Unit =
    withSetting("spark.reprise.trace.path", directory) {
      assert(spark.range(0, rows, 1, 3).where("id % 7 = 3").collect().length == (rows + 3) / 7)
    }

  private def operators(trace: JsonNode): Seq[String] =
    trace.elements.asScala.filter(_.path("cat").asText == "operator").map(_.get("name").asText.takeWhile(_ != ' ')).toSeq

  /** What stands there while the application runs lacks the end of the array. */
  private def operatorsSoFar: Seq[String] = {
    val soFar = if (files.exists(new Path(file))) read(file) else ""
    if (soFar.isEmpty) Nil else operators(new ObjectMapper().readTree(s"$soFar]"))
  }

  private def waitUntil(holds: => Boolean): Unit = {
    val end = System.nanoTime() + 60000000000L
    while (!holds && System.nanoTime() < end) Thread.sleep(50)
    assert(holds)
  }

  /** @return whether files cannot be changed now */
  private def asked(action: SafeModeAction): Boolean = cluster.getNameNodeRpc.setSafeMode(action, false)

  private def refused(directory: String): String =
    withSetting("spark.reprise.trace.path", directory) {
      intercept[IllegalArgumentException](spark.range(10).where("id % 7 = 3").collect()).getMessage
    }

  nativeTest("a directory that cannot be written to is said by the driver") {
    files.create(new Path("/taken")).close()
    val error = refused(s"${files.getUri}/taken")
    assert(error.startsWith(s"spark.reprise.trace.path: ${files.getUri}/taken cannot be written to: "), error)
    assert(error.contains("expected a directory that executors can write traces to"), error)
    assert(refused("nowhere://host/t").contains("""No FileSystem for scheme "nowhere""""))
  }

  nativeTest("a trace is on HDFS while the application runs, and whole when it ends") {
    run()
    waitUntil(operatorsSoFar.contains("RepriseFilter"))
    assert(files.getFileStatus(new Path(file)).getPermission.toString == "rw-------")
    val once = operatorsSoFar.length

    // What cannot be written there for a while comes later.
    assert(asked(SafeModeAction.SAFEMODE_ENTER))
    run(rows = 2000)
    run(s"${files.getUri}/traces/new/") // the same directory
    Thread.sleep(1500)
    assert(!asked(SafeModeAction.SAFEMODE_LEAVE))
    waitUntil(operatorsSoFar.length >= 3 * once)

    run()
    val id = spark.sparkContext.applicationId
    spark.stop()
    val names = files.listStatus(new Path("/traces/new")).map(_.getPath.getName).toSeq
    assert(names == Seq(s"trace-$id-driver.json"))
    val whole = new ObjectMapper().readTree(read(s"/traces/new/trace-$id-driver.json"))
    assert(operators(whole).count(_ == "RepriseFilter") >= 4 * 3)
    val tasks = whole.elements.asScala.filter(_.path("cat").asText == "task").map(_.get("args").get("attempt").asInt).toSeq
    assert(tasks.toSet.size == 4 * 3)
  }
}
