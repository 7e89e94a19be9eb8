package reprise.lineage

import java.io.RandomAccessFile
import java.net.{ConnectException, Socket}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, Path}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.util.Using

import com.github.luben.zstd.ZstdInputStream
import org.apache.hadoop.conf.Configuration
import org.apache.spark.{HashPartitioner, Partition, Partitioner, SparkException, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.serializer.KryoSerializer
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.access.LineageAccess
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import reprise.{EventReplayer, ReprisePlugin}
import reprise.bridge.NativeLibrary

/** One application records, another one makes its RDDs again; cancelled where no native library is given. */
class EventReplayerSuite extends AnyFunSuite with BeforeAndAfterAll {
  private val work = Files.createTempDirectory("reprise-lineage")
  private val recording = work.resolve("recording").toString
  private var kinds = Seq.empty[(String, Int, Seq[String])]
  private val kryo = Map("spark.serializer" -> classOf[KryoSerializer].getName, "spark.kryoserializer.buffer" -> "1m")
  private val kryoRecording = work.resolve("kryo").toString
  private var kryoSorted = 0
  private var kryoKeys = Seq.empty[Int]
  private var failed = 0
  private var shape = 0
  private var readId = 0
  private lazy val spark = session(Map.empty)
  private lazy val sc = spark.sparkContext
  private lazy val replayer = new EventReplayer(sc, recording)

  private def hasCore: Boolean = sys.props.get(NativeLibrary.pathProperty).exists(_.nonEmpty)

  private def session(settings: Map[String, String]): SparkSession = {
    val builder = SparkSession
      .builder()
      .master("local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.sql.warehouse.dir", work.resolve("warehouse").toString)
    settings.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }

  private def stop(session: SparkSession): Unit = {
    session.stop()
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
  }

  override def beforeAll(): Unit = if (hasCore) {
    val first = session(Map(
      "spark.plugins" -> classOf[ReprisePlugin].getName,
      "spark.reprise.sql.enabled" -> "false",
      "spark.reprise.lineage.path" -> recording,
      "spark.reprise.lineage.results" -> "true",
      "spark.hadoop.fs.s3a.secret.key" -> "VERYSECRET1",
      "spark.my.token" -> "VERYSECRET2",
      "spark.sql.my.password" -> "VERYSECRET3"))
    readWithPassword(first)
    kinds = RecordedKinds.of(first, work).map { case (name, rdd) => (name, rdd.id, RecordedKinds.rows(rdd)) }
    val bad = first.sparkContext.parallelize(0 until 4, 2).map(n => 12 / (n - 3))
    intercept[SparkException](bad.collect())
    failed = bad.id
    val unsendable = new Unsendable(first.sparkContext.parallelize(1 to 2))
    intercept[SparkException](unsendable.count())
    shape = unsendable.id
    stop(first)
    recordWithKryo()
  }

  private def readWithPassword(session: SparkSession): Unit = {
    val path = work.resolve("csv").toString
    session.range(4).write.csv(path)
    val read = session.read.option("password", "VERYSECRET4").csv(path).rdd.map(_.getString(0))
    assert(read.count() === 4)
    readId = read.id
  }

  private def recordWithKryo(): Unit = {
    val recorder = session(kryo ++ Map(
      "spark.plugins" -> classOf[ReprisePlugin].getName,
      "spark.reprise.sql.enabled" -> "false",
      "spark.reprise.lineage.path" -> kryoRecording))
    val sorted = recorder.sparkContext.parallelize(1 to 100, 4).map(n => (n % 10, n)).sortByKey(ascending = true, 3)
    sorted.count()
    stop(recorder)
    val other = session(kryo)
    kryoSorted = sorted.id
    val again = new EventReplayer(other.sparkContext, kryoRecording)
    try kryoKeys = again.rdds(sorted.id).asInstanceOf[RDD[(Int, Int)]].keys.collect().toSeq
    finally stop(other)
  }

  override def afterAll(): Unit = if (hasCore) stop(spark)

  private def replayTest(name: String)(body: => Unit): Unit = test(name) {
    assume(hasCore, "no native library")
    body
  }

  private def id(kind: String): Int = kinds.find(_._1 == kind).get._2
  private def rdd[T](kind: String): RDD[T] = replayer.rdds(id(kind)).asInstanceOf[RDD[T]]

  private def message(failure: Throwable): String =
    Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString("\n")

  replayTest("another application makes RDDs of every kind again") {
    val differing = kinds.flatMap { case (name, number, rows) =>
      try {
        val again = RecordedKinds.rows(replayer.rdds(number))
        if (again == rows) None else Some(s"$name: $again, was $rows")
      } catch { case e: Exception => Some(s"$name: ${message(e).take(3000)} ${e.getStackTrace.take(8).mkString("\n")}") }
    }
    assert(differing === Nil)
  }

  replayTest("what was recorded with Kryo is made again with it") {
    assert(kryoKeys === (0 until 10).flatMap(Seq.fill(10)(_)))
  }

  replayTest("what was recorded with Kryo says so to an application without it") {
    val said = message(intercept[SparkException](new EventReplayer(sc, kryoRecording).rdds(kryoSorted)))
    assert(said.matches(raw"(?s).*RDD \d+ \(.*\) cannot be read: it was recorded with another serializer than this application's, " +
      raw"org\.apache\.spark\.serializer\.JavaSerializer; expected the settings " +
      raw"--conf spark\.serializer=org\.apache\.spark\.serializer\.KryoSerializer --conf spark\.kryoserializer\.buffer=1m.*"))
  }

  replayTest("what cannot be serialized is a shape with a reason") {
    assert(replayer.problems.length === 1)
    assert(replayer.problems.head.matches(
      s"#$shape: Unsendable .* at .*: java.io.NotSerializableException: java.lang.Thread"))
    assert(message(intercept[SparkException](replayer.rdds(shape))).contains("was recorded as a shape only, since java.io.Not"))
    assert(replayer.rddLines.exists(_.startsWith(s"#$shape: Unsendable ")))
  }

  replayTest("what tasks gave is recorded where asked for") {
    val tasks = replayer.tasksForRDD(failed)
    val gave = tasks.filter(_.isSuccessful).map(task => (task.partition, task.result, replayer.result(task)))
    val Seq((0, Some("Array(-4, -6)"), numbers: Array[Int])) = gave
    assert(numbers === Array(-4, -6))
    val said = message(intercept[IllegalArgumentException](replayer.result(tasks.find(!_.isSuccessful).get)))
    assert(said.contains("there is no result of task") && said.contains("spark.reprise.lineage.results=true"))
    assert(new EventReplayer(sc, kryoRecording).tasks.forall(_.result.isEmpty))
    // Jobs over RDDs that were made again are no part of the recording.
    assert(replayer.tasks.count(_.result.nonEmpty) === new EventReplayer(sc, recording).tasks.count(_.result.nonEmpty))
  }

  replayTest("a failed task's JVM waits for a debugger") {
    val jvm = replayer.debugException(replayer.tasksForRDD(failed).find(!_.isSuccessful).get)
    try {
      val hello = "JDWP-Handshake".getBytes
      val answer = Iterator.continually {
        Thread.sleep(100)
        try Some(Using.resource(new Socket("127.0.0.1", jvm.port)) { socket =>
          socket.getOutputStream.write(hello)
          socket.getInputStream.readNBytes(hello.length)
        })
        catch { case _: ConnectException => None }
      }.take(600).flatten.next()
      assert(answer === hello)
    } finally jvm.stop()
    val ended = replayer.tasks.find(_.isSuccessful).get
    assert(intercept[IllegalArgumentException](replayer.debugException(ended)).getMessage.endsWith(
      "has not failed with an exception: success; to run it under a debugger all the same: " +
        s"debugTask(${ended.stage}, ${ended.partition})"))
  }

  replayTest("its RDDs have the recorded types, names and call sites") {
    val doubled = rdd[Int]("map")
    assert(doubled.name === "doubled")
    assert(doubled.toString.matches("doubled MapPartitionsRDD\\[\\d+\\] at map at RecordedKinds.scala:\\d+"))
    val lines = replayer.rddLines
    assert(lines.exists(_.matches(s"#${id("map")}: MapPartitionsRDD map at RecordedKinds.scala:\\d+")))
    assert(lines.exists(_.matches("#\\d+: ParallelCollectionRDD parallelize at RecordedKinds.scala:\\d+")))
  }

  replayTest("forall names the RDD and the partition, and shows records") {
    val checked = replayer.assertForall[Int](rdd[Int]("collection"))(_ <= 48)
    val said = message(intercept[SparkException](checked.collect()))
    replayer.clearAssertions()
    assert(said.contains(s"""RDD forall-assertion error:
                            |  RDD type: ParallelCollectionRDD
                            |  RDD ID: ${id("collection")}
                            |  partition: """.stripMargin))
    assert(said.contains("offending records: 2 of 25\n    49\n    50") || said.contains("offending records: 25 of 25\n    51"))
    assert(replayer.assertForall[Int](rdd[Int]("collection"))(_ <= 100).count() === 100)
    replayer.clearAssertions()
  }

  replayTest("exists looks at all partitions") {
    val numbers = rdd[Int]("collection")
    assert(replayer.assertExists[Int](numbers)(_ == 99).count() === 100)
    val said = message(intercept[SparkException](replayer.assertExists[Int](numbers)(_ == 0).count()))
    replayer.clearAssertions()
    assert(said.contains("RDD exists-assertion error:\n  RDD type: ParallelCollectionRDD\n  RDD ID: "))
    assert(said.contains("offending records: 25 of 25, and none of another partition holds"))
  }

  replayTest("an assertion stands in what has been made before and in what rdds makes from then on, until it is taken off") {
    val before = Seq(rdd[Any]("collection"), rdd[Any]("map"), rdd[Any]("reduce"), rdd[Any]("sort"), rdd[Any]("map").map(_.toString))
    val counts = before.map(_.count())
    val unread = rdd[Any]("text")
    def fails(checked: RDD[_], typeName: String): Unit = {
      val said = message(intercept[SparkException](checked.count()))
      assert(said.contains(s"RDD forall-assertion error:\n  RDD type: $typeName"))
    }
    val checked = replayer.assertForall[Int](rdd[Int]("collection"))(_ < 0)
    // Shuffles among them: what those have written was not checked.
    (checked +: rdd[Any]("map") +: before).foreach(fails(_, "ParallelCollectionRDD"))
    assert(checked.toString === before.head.toString)
    assert(unread.count() === 30)
    // Of several assertions the one below speaks first.
    replayer.clearAssertions()
    assert((rdd[Any]("collection") +: before).map(_.count()) === counts.head +: counts)
    replayer.assertForall[Int](before(1))(_ < 0)
    fails(before(1), "MapPartitionsRDD")
    assert(before.head.count() === counts.head)
    replayer.assertForall[Int](before.head)(_ < 0)
    fails(before(1), "ParallelCollectionRDD")
    replayer.clearAssertions()
    assert(before.map(_.count()) === counts)
    assert(before.map(_.collect().toSet) === Seq("collection", "map", "reduce", "sort").map(rdd[Any](_).collect().toSet) :+
      rdd[Any]("map").collect().map(_.toString).toSet)
  }

  replayTest("hooks stand before and after the computation of each partition") {
    val hooks = new NotingHooks
    def noted(count: => Long): Seq[String] = {
      NotingHooks.notes.clear()
      assert(count === 100)
      NotingHooks.notes.toArray(Array.empty[String]).toSeq.sorted
    }
    val before = rdd[Int]("map")
    val hooked = replayer.withHooks(rdd[Int]("collection"))(hooks)
    val expected = (0 until 4).flatMap(i => Seq(s"$i: 0 before", s"$i: 1 after", s"$i: 2 read 25"))
    assert(noted(hooked.count()) === expected)
    assert(hooked.toString === rdd[Int]("collection").toString)
    assert(noted(before.count()) === expected)
    // What hooks hand on is what is read, by all that reads the RDD, and by assertions after them.
    val negative = replayer.withHooks[Int](rdd[Int]("collection"))(new ComputeHooks[Int] {
      override def postCompute(records: Iterator[Int], split: Partition, context: TaskContext): Iterator[Int] = records.map(-_)
    })
    assert(negative.max() === -1)
    assert(noted(rdd[Int]("map").filter(_ < 0).count()) === expected)
    assert(replayer.assertForall[Int](negative)(_ < 0).count() === 100)
    replayer.clearAssertions()
    assert(noted(rdd[Int]("map").filter(_ > 0).count()) === Nil)
    assert(noted(before.count()) === Nil)
    val refusing = replayer.withHooks[Int](rdd[Int]("collection"))(new ComputeHooks[Int] {
      override def preCompute(split: Partition, context: TaskContext): Unit =
        if (split.index == 2) throw new IllegalStateException(s"not partition ${split.index}")
    })
    val said = message(intercept[SparkException](refusing.count()))
    replayer.clearAssertions()
    assert(said.contains("java.lang.IllegalStateException: not partition 2"))
  }

  replayTest("further assertions") {
    def fails(name: String, found: String)(body: => Any): Unit = {
      val said = message(intercept[Throwable](body))
      assert(said.contains(s"RDD $name-assertion error:"))
      assert(said.contains(found))
      replayer.clearAssertions()
    }
    val numbers = sc.parallelize(Seq(3, 1, 2, 2), 2)
    assert(replayer.assertUnique[Int, Int](rdd[Int]("collection"))(identity).count() === 100)
    fails("unique", "2 (2 records, first in partition 1)")(replayer.assertUnique[Int, Int](numbers)(identity))
    assert(replayer.assertSorted[(Int, Int), Int](rdd[(Int, Int)]("sort"))(-_._1).count() === 100)
    fails("sorted", "partition: 0\n  record 1 has the key 1, after 3")(replayer.assertSorted[Int, Int](numbers)(identity))
    assert(replayer.assertCount[Int](numbers)(1, 4).count() === 4)
    fails("count", "4 records, expected 5 to 6\n  by partition: 0: 2, 1: 2")(replayer.assertCount[Int](numbers)(5, 6))
    fails("no-nulls", "(2,null)")(replayer.assertNoNulls[(Int, String)](sc.parallelize(Seq((1, "a"), (2, null)))).count())
    assert(replayer.assertEqual[Int](numbers, numbers.repartition(3)).count() === 4)
    fails("equal", "2 (1 more than in ")(replayer.assertEqual[Int](numbers, sc.parallelize(Seq(3, 1, 2))))
    val placed = rdd[(Int, Int)]("reduce")
    assert(replayer.assertPartitioned[(Int, Int)](placed).count() === 5)
    replayer.clearAssertions()
    val misplaced = new DeclaredOnly(sc.parallelize(Seq((1, 1), (2, 2)), 2)) // 1 belongs to partition 1
    fails("partitioning", "offending records: 1 of 1\n    (")(replayer.assertPartitioned[(Int, Int)](misplaced).count())
    assert(replayer.assertReduce[Int](numbers)(_ + _)(_ == 4).count() === 4)
    fails("reduce", "result of 2 records: 4")(replayer.assertReduce[Int](numbers)(_ + _)(_ > 4).count())
  }

  replayTest("computing again finds the transformation that gives other records each time") {
    assert(replayer.findNondeterminism(rdd[(Int, Int)]("sort")) === Nil)
    val numbers = sc.parallelize(1 to 40, 4)
    val random = numbers.map(n => if (n > 30) n + System.nanoTime() else n.toLong)
    val after = random.map(_ + 1).filter(_ > 0)
    val found = replayer.findNondeterminism(after, runs = 3)
    assert(found.map(_.rdd) === Seq(random, after.dependencies.head.rdd, after))
    val Seq(first) = found.filter(_.isFirst)
    assert(first.rdd === random)
    assert(!first.isOnlyOrder && first.partitions === Seq(3))
    assert(first.toString.matches(
      s"#${random.id}: MapPartitionsRDD map at EventReplayerSuite.scala:\\d+ gives other records each time in partitions 3, " +
        "while what it is computed from is the same"))
    val shuffled = numbers.mapPartitions(rows => scala.util.Random.shuffle(rows.toSeq).iterator)
    assert(replayer.findNondeterminism(shuffled).map(f => (f.rdd, f.isOnlyOrder)) === Seq((shuffled, true)))
    val unhashable = numbers.map(n => Iterator(n))
    assert(message(intercept[SparkException](replayer.findNondeterminism(unhashable)))
      .contains("its records cannot be compared: looking at a"))
  }

  replayTest("the recorded RDDs are a collection whose numbers have gaps") {
    val ids = replayer.rdds.ids
    assert(replayer.rdds.size === ids.size && ids.max >= ids.size)
    val few = replayer.rdds.iterator.take(3).toSeq
    assert(few.map(LineageAccess.typeName) === ids.take(3).map(id => LineageAccess.typeName(replayer.rdds(id))))
    val gap = (0 to ids.max).find(!ids.contains(_)).get
    assert(intercept[IllegalArgumentException](replayer.rdds(gap)).getMessage ===
      s"$recording: there is no RDD $gap in the recording; it holds ${ids.size} of ${ids.min} to ${ids.max}: rdds.ids")
  }

  test("a recording holds no secret, and who rebuilds has his own") {
    assume(hasCore)
    val folder = Path.of(recording)
    val objects = new ZstdInputStream(Files.newInputStream(folder.resolve(RecordingFormat.objects)))
    objects.setContinuous(true)
    val texts = Using.resource(objects)(_.readAllBytes()) +:
      Seq(RecordingFormat.lines, RecordingFormat.events).map(name => Files.readAllBytes(folder.resolve(name)))
    texts.foreach { bytes =>
      val text = new String(bytes, ISO_8859_1)
      assert(text.nonEmpty)
      val found = "VERYSECRET".r.findAllMatchIn(text).map(m => text.substring((m.start - 99).max(0), m.end + 1))
      assert(found.toSet === Set.empty)
    }
    assert(replayer.rdds(readId).asInstanceOf[RDD[String]].collect().sorted.toSeq === Seq("0", "1", "2", "3"))
  }

  test("a file gives way where the document's setting names it, and errors name the setting that was set") {
    val hadoop = new Configuration
    val file = Files.writeString(work.resolve("replay.log"), "of an earlier run").toString
    def create(key: String, overwritesFile: Boolean) = RecordingWriter.create(file, hadoop, key, overwritesFile)
    assert(intercept[IllegalArgumentException](create("spark.reprise.lineage.path", overwritesFile = false)).getMessage ===
      s"spark.reprise.lineage.path: $file is a file; expected an absent or empty folder, or a recording, which is overwritten")
    assert(Files.readString(Path.of(file)) === "of an earlier run")
    create("spark.eventLogging.eventLogPath", overwritesFile = true)._2.close()
    assert(Files.isRegularFile(Path.of(file, RecordingFormat.lines)))
    Files.writeString(Path.of(file, "mine"), "")
    assert(intercept[IllegalArgumentException](create("spark.eventLogging.eventLogPath", overwritesFile = true)).getMessage
      .startsWith(s"spark.eventLogging.eventLogPath: $file holds mine beside a recording; "))
  }

  replayTest("tasks tell which failed and why") {
    val tasks = replayer.tasksForRDD(failed)
    assert(tasks.map(_.partition).toSet === Set(0, 1))
    val broken = tasks.filterNot(_.isSuccessful)
    assert(broken.map(t => (t.partition, t.exception)).distinct === Seq((1, Some("java.lang.ArithmeticException"))))
    assert(broken.head.reason.get.startsWith("java.lang.ArithmeticException: / by zero"))
    assert(replayer.tasks.length > 100)
    assert(intercept[IllegalArgumentException](replayer.tasksForRDD(100000)).getMessage.contains("there is no RDD 100000"))
  }

  replayTest("stages and jobs are known for one task to run alone") {
    val reader = new RecordingReader(recording, sc.hadoopConfiguration)
    val task = replayer.tasksForRDD(failed).find(!_.isSuccessful).get
    val stage = DebugTask.find(reader, task.stage, 1)
    assert(stage.shuffle.isEmpty && reader.jobs(stage.job).partitions === Seq(0, 1))
    assert(intercept[IllegalArgumentException](DebugTask.find(reader, task.stage, 2)).getMessage ===
      s"stage ${task.stage} has the partitions 0 to 1, not 2")
    assert(reader.stages.values.count(_.shuffle.isDefined) > 5)
  }

  replayTest("the picture shows the recorded stages") {
    val file = work.resolve("rdds.dot").toString
    assert(replayer.visualizeRDDs("dot", file) === file)
    val dot = Files.readString(Path.of(file))
    assert(dot.contains("ParallelCollectionRDD") && dot.contains("[color=red") && dot.contains("subgraph cluster_"))
  }

  replayTest("a torn recording is read up to where it is whole") {
    val torn = work.resolve("torn")
    Files.createDirectories(torn)
    Seq("objects", "events", "lineage.jsonl").foreach(name => Files.copy(Path.of(recording, name), torn.resolve(name)))
    val whole = replayer.rdds.size
    val lines = Files.size(torn.resolve("lineage.jsonl"))
    Using.resource(new RandomAccessFile(torn.resolve("lineage.jsonl").toFile, "rw"))(_.setLength(lines / 2))
    val half = new EventReplayer(sc, torn.toString)
    assert(half.rdds.size > 10 && half.rdds.size < whole)
    assert(half.problems.last.matches(".*lineage.jsonl line \\d+ is torn: .*"))
    assert(half.rdds(half.rdds.ids.head).count() >= 0)
    Using.resource(new RandomAccessFile(torn.resolve("objects").toFile, "rw")) { file =>
      file.setLength(100)
    }
    val said = message(intercept[Exception](new EventReplayer(sc, torn.toString).rdds(id("map"))))
    assert(said.contains("objects ends before") || said.contains("there is no RDD"))
    val nothing = Files.createTempDirectory(work, "nothing").toString
    assert(intercept[IllegalArgumentException](new EventReplayer(sc, nothing)).getMessage ===
      s"$nothing is no recording: it has no file lineage.jsonl")
  }

  replayTest("without a recording of its own an application must name one") {
    assert(intercept[IllegalArgumentException](new EventReplayer(sc)).getMessage.contains("this application records no lineage"))
  }
}

/** Says that it is partitioned by key, where all records are in the wrong partition. */
private final class DeclaredOnly(parent: RDD[(Int, Int)]) extends RDD[(Int, Int)](parent) {
  @transient override val partitioner: Option[Partitioner] = Some(new HashPartitioner(2))
  override protected def getPartitions: Array[Partition] = parent.partitions
  override def compute(split: Partition, context: TaskContext): Iterator[(Int, Int)] =
    firstParent[(Int, Int)].iterator(split, context)
}

/** No task can take it along. */
private final class Unsendable(parent: RDD[Int]) extends RDD[Int](parent) {
  private val thread = new Thread()
  override protected def getPartitions: Array[Partition] = parent.partitions
  override def compute(split: Partition, context: TaskContext): Iterator[Int] =
    if (thread.isAlive) Iterator.empty else firstParent[Int].iterator(split, context)
}

/** Notes what they are asked, and how many records are read. */
private final class NotingHooks extends ComputeHooks[Int] {
  override def preCompute(split: Partition, context: TaskContext): Unit = NotingHooks.notes.add(s"${split.index}: 0 before")

  override def postCompute(records: Iterator[Int], split: Partition, context: TaskContext): Iterator[Int] = {
    NotingHooks.notes.add(s"${split.index}: 1 after")
    var read = 0
    context.addTaskCompletionListener[Unit](_ => NotingHooks.notes.add(s"${split.index}: 2 read $read"))
    records.map { record =>
      read += 1
      record
    }
  }
}

private object NotingHooks {
  val notes = new ConcurrentLinkedQueue[String]
}
