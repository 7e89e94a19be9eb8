package reprise.scan

import java.util.concurrent.{Executors, TimeUnit}

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.DurationInt
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.{SparkException, SparkThrowable}
import org.apache.spark.sql.Row

import reprise.{ReprisePlugin, SparkSuite}
import reprise.access.SparkErrors

/** Scans of a file system that counts what is asked of it, and fails when it is told to. */
class FaultyScanSuite extends SparkSuite with RemoteTables {
  override protected def settings: Map[String, String] = Map(
    "spark.plugins" -> classOf[ReprisePlugin].getName,
    "spark.reprise.memory.debug" -> "true",
    "spark.hadoop.fs.faulty.impl" -> classOf[FaultyFileSystem].getName,
    "spark.hadoop.fs.faulty.impl.disable.cache" -> "true",
    "spark.hadoop.faulty.key" -> "open")

  override protected lazy val root: String =
    "faulty:" + java.nio.file.Files.createTempDirectory("reprise-faulty").toUri.getPath + "tables"

  override def beforeAll(): Unit = if (hasCore) {
    writeTables()
    nameTables()
  }

  private def reading[T](body: => T): T = {
    FaultyFileSystem.reset()
    try body
    finally FaultyFileSystem.reset()
  }

  private def eventually(condition: => Boolean, what: => String): Unit = {
    val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20)
    while (!condition && System.nanoTime() < deadline) Thread.sleep(20)
    assert(condition, what)
  }

  private def allAreClosed(): Unit = eventually(FaultyFileSystem.open.get == 0, s"${FaultyFileSystem.open} are open")

  nativeTest("its tables are read natively, as Spark reads them, and every stream is closed") {
    reading {
      compareAll()
      assert(FaultyFileSystem.vectoredReads.get == 0)
      allAreClosed()
    }
  }

  nativeTest("streams that read ranges side by side do that by themselves") {
    assume(isSince("4.0"), "the Hadoop client of Spark 3.5 has no such streams")
    reading {
      FaultyFileSystem.isVectored = true
      Seq("small", "groups", "wide").foreach(compareSums)
      assert(FaultyFileSystem.vectoredReads.get > 0)
      allAreClosed()
    }
  }

  private def sums(table: String) = spark.sql(s"select sum(id), sum(length(s)) from $table").collect().toSeq

  private def compareSums(table: String): Unit = assert(sums(table) == alone(sums(table)))

  private def filesOf(table: String): Int = spark.table(table).inputFiles.length

  private def bytesOf(body: => Unit): Long = reading {
    body
    FaultyFileSystem.bytes.get
  }

  nativeTest("no more bytes are read than Spark reads, and several requests go on at once") {
    Seq("flat", "groups", "wide").foreach { table =>
      val spark = alone(bytesOf(sums(table)))
      val native = bytesOf(sums(table))
      // The ends of its files are read before it is known how long their footers are.
      val ends = (64 << 10) * filesOf(table)
      assert(native <= spark * 1.1 + ends, table)
    }
    reading {
      FaultyFileSystem.before = _ => Thread.sleep(200) // longer than busy processors keep a thread waiting
      sums("wide")
      assert(FaultyFileSystem.mostAtOnce.get >= 4)
    }
  }

  nativeTest("the file system has the configuration of the session and of the reader") {
    withSetting("faulty.key", "shut") {
      val table = spark.read.option("faulty.key", "open").parquet(s"$root/flat")
      assert(table.where("k = 3").count() == 5714)
      assert(scansNatively(table))
    }
  }

  private def causes(e: Throwable): Seq[Throwable] = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).toSeq

  private def failure(table: String): Seq[Throwable] = causes(intercept[SparkException](sums(table)))

  /** What users see: classes, conditions and causes, but for the places in files, which readers choose. */
  private def shown(thrown: Seq[Throwable]): Seq[(Class[_], Option[String])] = thrown.map { e =>
    (e.getClass, Option(e).collect { case t: SparkThrowable => SparkErrors.condition(t) })
  }

  /** Reads a table of which some reads fail each time, as Spark does. @return whether the error names a file */
  private def namesFile(table: String)(isFailing: FaultyFileSystem.Read => Boolean): Boolean = reading {
    FaultyFileSystem.before = read => if (isFailing(read)) FaultyFileSystem.fail("no route")
    val native = failure(table)
    assert(shown(native) == shown(alone(failure(table))))
    assert(native.last.getMessage == "no route")
    native.exists(_.getMessage.contains(s"/$table/part-0000"))
  }

  nativeTest("an error that stays is Spark's own") {
    // Before 4.0 Spark does not say which file it is where that cannot be opened, or has given rows before.
    assert(namesFile("flat")(_.file.getName.startsWith("part-00001")) == isSince("4.0"))
    assert(namesFile("flat")(_.position < 100))
    assert(namesFile("groups")(read => read.position > 200000 && read.position < 300000) == isSince("4.0"))
  }

  nativeTest("an error that is gone when Spark reads names file, offset and cause") {
    reading {
      @volatile var failed = false
      FaultyFileSystem.before = read =>
        if (!failed && read.length > 100000) {
          failed = true
          FaultyFileSystem.fail("connection reset")
        }
      val message = failure("wide").map(_.getMessage).find(_.contains("offset")).get
      assert(message.matches(
        "(?s).*cannot read \\d+ bytes at offset \\d+ of faulty:/.*/tables/wide/part-.*: its file system says: " +
          "java.io.IOException: connection reset.*"))
    }
    compareSums("wide")
  }

  nativeTest("any call may fail") {
    val expected = sums("flat")
    (if (isSince("4.0")) Seq(false, true) else Seq(false)).foreach { isVectored =>
      var call = 0
      var isReached = true
      while (isReached) {
        call += 1
        reading {
          FaultyFileSystem.isVectored = isVectored
          FaultyFileSystem.failingCall = call
          try assert(sums("flat") == expected, s"call $call")
          catch {
            case e: SparkException =>
              val said = causes(e).map(_.getMessage)
              assert(said.exists(_.contains("FAILED_READ_FILE")), said)
              assert(said.exists(text => text.contains("/flat/part-") && text.contains(s"call $call fails")), said)
          }
          isReached = FaultyFileSystem.callCount >= call
        }
      }
      // A status, a stream, its end and what is read of it, for each of two files.
      assert(call > 8)
    }
  }

  nativeTest("of lines any call may fail: Spark reads what the core cannot, or says why it cannot either") {
    writeLines()
    reading(compareLines())
    allAreClosed()
    eachCallFails(lines.selectExpr("count(*)", "sum(id)", "sum(length(s))").collect().toSeq)
  }

  nativeTest("of ORC any call may fail: Spark reads what the core cannot, or says why it cannot either") {
    writeStripes()
    reading(compareStripes())
    allAreClosed()
    val stripes = spark.read.orc(s"$root/stripes")
    eachCallFails(stripes.selectExpr("count(*)", "sum(id)", "max(at)").collect().toSeq)
  }

  /** Runs a query as often as it makes calls, each time with another one that fails. */
  private def eachCallFails(sums: => Seq[Row]): Unit = {
    val expected = sums
    var call = 0
    var isReached = true
    while (isReached) {
      call += 1
      reading {
        FaultyFileSystem.failingCall = call
        try assert(sums == expected, s"call $call")
        catch { case e: SparkException => assert(causes(e).map(_.getMessage).exists(_.contains("FAILED_READ_FILE"))) }
        isReached = FaultyFileSystem.callCount >= call
      }
    }
    assert(call > 4)
    reading {
      FaultyFileSystem.before = _ => FaultyFileSystem.fail("no route")
      assert(shown(causes(intercept[SparkException](sums))) == shown(alone(causes(intercept[SparkException](sums)))))
    }
  }

  nativeTest("a file that is gone is Spark's error") {
    val folder = s"$root/gone"
    spark.range(10).coalesce(1).write.parquet(folder)
    val table = spark.read.parquet(folder)
    val files = new Path(folder).getFileSystem(spark.sessionState.newHadoopConf())
    files.globStatus(new Path(s"$folder/part-*")).foreach(file => files.delete(file.getPath, false))
    val native = causes(intercept[Exception](table.where("id > 3").collect()))
    val expected = alone(causes(intercept[Exception](table.where("id > 3").collect())))
    assert(shown(native) == shown(expected))
    assert(native.collectFirst { case t: SparkThrowable if SparkErrors.condition(t) != null => SparkErrors.condition(t) }
      .contains(if (isSince("4.0")) "FAILED_READ_FILE.FILE_NOT_EXIST" else "_LEGACY_ERROR_TEMP_2055"))
  }

  nativeTest("rows before an error leave first") {
    reading {
      // The first row groups are before it, the footer is behind it.
      FaultyFileSystem.before = read =>
        if (read.position > 200000 && read.position < 300000) FaultyFileSystem.fail("far away")
      assert(spark.sql("select id, s, d from groups limit 10").collect().length == 10)
      assert(failure("groups").last.getMessage == "far away")
    }
  }

  nativeTest("a task that is killed stops its reads at once") {
    val threads = ExecutionContext.fromExecutorService(Executors.newSingleThreadExecutor())
    try Seq(false, true).foreach { interrupts =>
      reading {
        FaultyFileSystem.before = read => if (read.length > 100000) FaultyFileSystem.hang()
        val query = Future {
          spark.sparkContext.setJobGroup("hangs", "", interrupts)
          intercept[SparkException](sums("wide"))
        }(threads)
        eventually(FaultyFileSystem.reads.asScala.exists(_.length > 100000), "nothing was read")
        spark.sparkContext.cancelJobGroup("hangs")
        Await.result(query, 20.seconds)
        eventually(FaultyFileSystem.interrupted.get > 0, "the read goes on")
        allAreClosed()
      }
    }
    finally threads.shutdown()
    compareSums("wide")
  }

  nativeTest("what is read ahead counts as the task's memory") {
    withSetting("spark.reprise.memory.denyEvery", "3")(Seq("groups", "wide").foreach(compareSums))
  }
}
