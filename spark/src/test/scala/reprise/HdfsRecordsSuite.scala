package reprise

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkException
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** A recording and a ledger in a name node and data node that run beside the test. */
class HdfsRecordsSuite extends HdfsCluster {
  private lazy val recording = s"${files.getUri}/recordings/one"
  private lazy val ledgers = s"${files.getUri}/ledgers"

  override protected def settings: Map[String, String] =
    if (!hasCore) Map.empty
    else
      Map(
        "spark.plugins" -> classOf[ReprisePlugin].getName,
        "spark.reprise.lineage.path" -> recording,
        "spark.reprise.lineage.results" -> "true",
        "spark.reprise.ledger.path" -> ledgers)

  private def jsonLines(file: String): Seq[JsonNode] = read(file).linesIterator.map(new ObjectMapper().readTree(_)).toSeq

  nativeTest("what is recorded to HDFS is read while the application runs, and by another one") {
    val sc = spark.sparkContext
    val id = sc.applicationId
    val sums = sc.parallelize(1 to 100, 4).map(n => (n % 7, n)).reduceByKey(_ + _, 2)
    val wanted = sums.collect().toMap
    intercept[SparkException](sc.parallelize(0 until 2, 1).map(n => 1 / n).collect())

    val live = new EventReplayer(sc)
    assert(live.path == recording)
    assert(live.rdds(sums.id).asInstanceOf[RDD[(Int, Int)]].collect().toMap == wanted)
    assert(live.tasks.count(_.reason.exists(_.contains("/ by zero"))) == 1)
    val more = sc.parallelize(1 to 3, 1)
    more.count()
    assert(live.rdds.ids.contains(more.id))
    assert(live.tasks.last.result.contains("3"))
    spark.stop()

    val names = files.listStatus(new Path("/recordings/one")).map(_.getPath.getName).toSet
    assert(names == Set("lineage.jsonl", "objects", "events"))
    assert(jsonLines("/recordings/one/events").last.get("Event").asText == "SparkListenerApplicationEnd")
    ledgerIsWhole(id, sums.id)

    val other = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try {
      val replayer = new EventReplayer(other.sparkContext, recording)
      assert(replayer.problems.isEmpty)
      assert(replayer.rdds(sums.id).asInstanceOf[RDD[(Int, Int)]].collect().toMap == wanted)
      val gave = replayer.tasksForRDD(sums.id).filter(_.result.nonEmpty).flatMap(task =>
        replayer.result(task).asInstanceOf[Array[(Int, Int)]])
      assert(gave.toMap == wanted)
      val drawn = Files.createTempFile("lineage", ".dot")
      replayer.visualizeRDDs("dot", drawn.toString)
      assert(Files.readString(drawn).contains("ShuffledRDD"))
    } finally other.stop()
  }

  private def ledgerIsWhole(application: String, sums: Int): Unit = {
    val kept = jsonLines(s"/ledgers/$application/sums.jsonl")
    assert(kept.head.get("ledger").get("operators").asText == "native")
    val gave = for {
      line <- kept if line.has("task")
      sum <- line.get("sums").elements.asScala if sum.get("of").asText == "result" && sum.get("rdd").asInt == sums
    } yield (line.get("task").get("partition").asInt, sum.get("rows").asInt)
    // By the application's own job, and by that over the RDD that was made again.
    assert(gave.sorted == Seq((0, 4), (0, 4), (1, 3), (1, 3)))
    assert(jsonLines(s"/ledgers/$application/events").last.get("Event").asText == "SparkListenerApplicationEnd")
  }
}
