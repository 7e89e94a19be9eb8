package reprise.ledger

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.{HashPartitioner, SparkException, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobEnd}
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.access.LineageAccess
import org.apache.spark.sql.streaming.Trigger
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import reprise.ReprisePlugin
import reprise.bridge.NativeLibrary

/** What the tasks of jobs over RDDs tell the ledger; cancelled where no native library is given. */
class LedgerSuite extends AnyFunSuite with BeforeAndAfterAll {
  private val work = Files.createTempDirectory("reprise-ledger")
  private var ids = Map.empty[String, Int]
  private var lines = Seq.empty[JsonNode]
  private var events = Seq.empty[JsonNode]

  private def hasCore: Boolean = sys.props.get(NativeLibrary.pathProperty).exists(_.nonEmpty)

  override def beforeAll(): Unit = if (hasCore) {
    val spark = SparkSession
      .builder()
      .master("local[2,3]") // a task may fail twice
      .config("spark.ui.enabled", "false")
      .config("spark.plugins", classOf[ReprisePlugin].getName)
      .config("spark.reprise.sql.enabled", "false")
      .config("spark.reprise.ledger.path", work.toUri.toString)
      .getOrCreate()
    try run(spark)
    finally {
      spark.stop()
      SparkSession.clearActiveSession()
      SparkSession.clearDefaultSession()
    }
    val Seq(folder) = Files.list(work).iterator.asScala.toSeq
    lines = read(folder.resolve("sums.jsonl"))
    events = read(folder.resolve("events"))
  }

  private def read(file: Path): Seq[JsonNode] = {
    val mapper = new ObjectMapper
    Files.readAllLines(file).asScala.toSeq.map(mapper.readTree)
  }

  private def job[T](name: String, rdd: RDD[T])(action: RDD[T] => Unit): Unit = {
    ids += name -> rdd.id
    action(rdd)
  }

  private def run(spark: SparkSession): Unit = {
    val sc = spark.sparkContext
    val numbers = sc.parallelize(1 to 100, 4)
    job("numbers", numbers)(_.collect())
    job("again", numbers)(_.count())
    job("reversed", sc.parallelize(100 to 1 by -1, 1))(_.collect())
    job("ascending", sc.parallelize(1 to 100, 1))(_.collect())
    val doubled = sc.parallelize(1 to 100, 2)
    job("doubled", doubled)(rdd => sc.runJob(rdd, (rows: Iterator[Int]) => rows.map(_ * 2).toArray))
    job("taken", sc.parallelize(1 to 100, 1))(_.take(3))
    val pairs = numbers.map(n => (n % 7, n))
    ids += "pairs" -> pairs.id
    job("sums", pairs.reduceByKey(new HashPartitioner(2), _ + _))(_.collect())
    job("retried", numbers.mapPartitionsWithIndex { (partition, values) =>
      val attempt = TaskContext.get().attemptNumber()
      val rows = values.map(n => if (partition == 2) n + attempt else n)
      // It has given all by the time it fails.
      rows ++ Iterator.fill(1)(0).filter { _ =>
        if (partition == 2 && attempt == 0) throw new IllegalStateException("once")
        false
      }
    })(_.collect())
    job("unhashable", numbers.map(n => Iterator(n)))(_.count())
    val lost = sc.parallelize(1 to 4, 2).map(n => if (n == 4) throw new IllegalStateException("always") else n)
    job("lost", lost)(rdd => intercept[SparkException](rdd.collect()))
    streamed(spark)
    sc.setLocalProperty("spark.reprise.ledger.enabled", "false")
    val left = numbers.map(n => (n % 7, n))
    ids += "left" -> left.id
    val leftOut = left.reduceByKey(new HashPartitioner(2), _ + _)
    job("left out", leftOut)(_.collect())
    sc.setLocalProperty("spark.reprise.ledger.enabled", null)
    job("left in", leftOut.map(identity))(_.collect())
    // The events of a job are told of later than it ends.
    LineageAccess.addListener(sc, new SparkListener {
      override def onJobEnd(end: SparkListenerJobEnd): Unit = Thread.sleep(500)
    })
    job("last", sc.parallelize(1 to 4, 1))(_.count())
  }

  /** A job of the user's in a batch of a streaming query, and the query's own. */
  private def streamed(spark: SparkSession): Unit = {
    val lines = work.resolveSibling(s"${work.getFileName}-lines")
    Files.createDirectory(lines)
    Files.writeString(lines.resolve("one.txt"), "a\nb\na\n")
    val query = spark.readStream
      .text(lines.toString)
      .writeStream
      .trigger(Trigger.AvailableNow())
      .foreachBatch { (batch: DataFrame, _: Long) =>
        batch.collect()
        job("streamed", batch.rdd.map(row => (row.getString(0), 1)).reduceByKey(_ + _))(_.collect())
      }
      .start()
    query.awaitTermination()
    val rows = spark.range(0, 10, 1, 2)
    job("rows", rows.rdd)(_ => rows.foreach((_: java.lang.Long) => ()))
  }

  private def ledgerTest(name: String)(body: => Unit): Unit = test(name) {
    assume(hasCore, "no native library")
    body
  }

  private def entries(of: String, id: (String, Int)): Seq[(JsonNode, JsonNode)] =
    for {
      line <- lines if line.has("task")
      sum <- line.get("sums").elements().asScala.toSeq
      if sum.get("of").asText == of && sum.get(id._1).asInt == id._2
    } yield (line.get("task"), sum)

  private def results(name: String): Seq[(JsonNode, JsonNode)] =
    entries("result", "rdd" -> ids(name)).sortBy(_._1.get("partition").asInt)

  private def texts(checksums: Seq[(JsonNode, JsonNode)], member: String): Seq[String] =
    checksums.map(_._2.get(member).asText)

  ledgerTest("a job whose thread says so is left out") {
    assert(results("left out").isEmpty)
    assert(entries("shuffle", "rdd" -> ids("left")).isEmpty)
    assert(texts(results("left in"), "ordered") === texts(results("sums"), "ordered"))
  }

  ledgerTest("it says what it is") {
    val header = lines.head.get("ledger")
    assert(header.get("format").asInt === 2)
    assert(header.get("operators").asText === "native")
  }

  ledgerTest("jobs of the user's within a query are checksummed, and the query's own are not") {
    assert(results("streamed").map(_._2.get("rows").asInt).sum === 2)
    assert(results("rows").map(_._2.get("rows").asInt) === Seq(5, 5))
    val all = lines.filter(_.has("task")).flatMap(_.get("sums").elements().asScala).filter(_.get("of").asText == "result")
    assert(all.map(_.get("rdd").asInt).toSet.subsetOf(ids.values.toSet))
  }

  ledgerTest("it ends with the application, however far behind listeners are") {
    assert(events.last.get("Event").asText === "SparkListenerApplicationEnd")
  }

  ledgerTest("each partition of each job is checksummed") {
    val checksummed = results("numbers")
    assert(checksummed.filterNot(_._2.has("value")).map(_._1.get("partition").asInt) === Seq(0, 1, 2, 3))
    val (counted, collected) = checksummed.partition(_._2.has("value"))
    assert(counted.length === 4)
    assert(texts(counted, "ordered") === texts(collected, "ordered"))
    assert(collected.map(_._2.get("rows").asInt).sum === 100)
    assert(texts(collected, "complete").distinct === Seq("true"))
    assert(texts(collected, "ordered").distinct.length === 4)
  }

  ledgerTest("an array that an action has made has a value, though it is as long as what was read") {
    assert(texts(results("doubled"), "value").distinct.length === 2)
    assert(results("ascending").forall(!_._2.has("value")))
  }

  ledgerTest("order and values are told apart") {
    val ascending = results("ascending")
    val reversed = results("reversed")
    assert(texts(ascending, "unordered") === texts(reversed, "unordered"))
    assert(texts(ascending, "ordered") !== texts(reversed, "ordered"))
  }

  ledgerTest("what was not read to the end says so") {
    assert(texts(results("taken"), "complete") === Seq("false"))
  }

  ledgerTest("shuffles are checksummed as they are written") {
    val shuffles = lines.filter(_.has("task")).flatMap(_.get("sums").elements().asScala).filter(_.has("shuffle"))
    val written = entries("shuffle", "rdd" -> ids("pairs"))
    assert(written.length === 4)
    assert(shuffles.length === 4 + 1) // the batch has one
    assert(written.map(_._2.get("rows").asInt).sum === 100)
  }

  ledgerTest("of an attempt that failed nothing is claimed") {
    val ofTwo = results("retried").filter(_._1.get("partition").asInt == 2)
    assert(ofTwo.map(_._1.get("attempt").asInt) === Seq(1))
    assert(texts(ofTwo, "complete") === Seq("true"))
  }

  ledgerTest("what has no hash gives its reason") {
    val checksums = results("unhashable")
    assert(checksums.length === 4)
    assert(checksums.head._2.get("reason").asText.endsWith("would use it up"))
    assert(!checksums.head._2.has("rows"))
  }

  ledgerTest("a job that fails leaves what its tasks have checksummed") {
    assert(results("lost").map(_._1.get("partition").asInt).contains(0))
  }
}
