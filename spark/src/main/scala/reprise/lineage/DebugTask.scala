package reprise.lineage

import java.io.File
import java.util.Properties

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.{NarrowDependency, ShuffleDependency, SparkConf, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.access.LineageAccess
import org.apache.spark.util.MutableURLClassLoader

/**
 * Runs one recorded task in the main thread of a JVM of its own:
 * `reprise.lineage.DebugTask RECORDING STAGE PARTITION [key=value…]`. Prints what came of it; the exit status is 1
 * where the task failed, 2 where it could not be run.
 */
final class DebugTask private (context: SparkContext, reader: RecordingReader, stage: RecordedStage, partition: Int) {
  private val numbers: Int => Int = id => id
  private val rebuilder = new Rebuilder(
    context, reader, () => ReplayLoader.of(context, reader), mutable.HashMap.empty, numbers, (_, rdd) => rdd)

  private def run(): Unit = {
    RddNumbers.reserve(context, reader.rdds.keys.fold(0)(_ max _))
    val rdd = rebuilder.rdd(stage.rdd).asInstanceOf[RDD[Any]]
    computeInputs(rdd)
    val job = reader.jobs.get(stage.job)
    val properties = new Properties
    job.foreach(_.properties.foreach { case (key, value) => properties.setProperty(key, value) })
    val split = rdd.partitions(partition)
    println(s"reprise: task: stage ${stage.id}, partition $partition of $rdd")
    val end = LineageAccess.asTask(stage.id, partition, rdd.getNumPartitions, properties) { task =>
      stage.shuffle match {
        case Some(shuffle) => writeShuffle(rdd.iterator(split, task), shuffle, task)
        case None => act(rdd.iterator(split, task), job, task)
      }
    }
    println(s"reprise: the task has ended: $end")
  }

  private def writeShuffle(rows: Iterator[Any], shuffle: Int, task: TaskContext): String = {
    val counted = new Counted(rows)
    LineageAccess.writeShuffle(counted, rebuilder.shuffle(shuffle), partition, task)
    s"${counted.count} records written to a shuffle"
  }

  private def act(rows: Iterator[Any], job: Option[RecordedJob], task: TaskContext): String = {
    val counted = new Counted(rows)
    job.filter(_.action.isDefined) match {
      case Some(recorded) =>
        val action = rebuilder.action(recorded).asInstanceOf[(TaskContext, Iterator[Any]) => Any]
        s"${Sample.text(action(task, counted))} of ${counted.count} records"
      case None =>
        counted.foreach(_ => ())
        s"${counted.count} records"
    }
  }

  /** Computes the shuffles that the task reads, as ordinary tasks of this JVM. */
  private def computeInputs(rdd: RDD[_]): Unit = {
    val seen = mutable.HashSet.empty[RDD[_]]
    val waiting = mutable.Stack[RDD[_]](rdd)
    while (waiting.nonEmpty) {
      val next = waiting.pop()
      if (seen.add(next)) next.dependencies.foreach {
        case shuffle: ShuffleDependency[_, _, _] =>
          println(s"reprise: computing the shuffle that ${next} reads, of ${shuffle.rdd}")
          LineageAccess.runMapStage(context, shuffle)
        case narrow: NarrowDependency[_] => waiting.push(narrow.rdd)
        case _ => ()
      }
    }
  }
}

private final class Counted(rows: Iterator[Any]) extends Iterator[Any] {
  var count = 0L
  override def hasNext: Boolean = rows.hasNext
  override def next(): Any = {
    count += 1
    rows.next()
  }
}

object DebugTask {

  def main(arguments: Array[String]): Unit = sys.exit {
    arguments match {
      case Array(path, stage, partition, settings @ _*) =>
        try run(path, stage.toInt, partition.toInt, settings)
        catch {
          case e: IllegalArgumentException =>
            System.err.println(s"reprise: ${e.getMessage}")
            2
        }
      case _ =>
        System.err.println("usage: reprise.lineage.DebugTask RECORDING STAGE PARTITION [key=value…]")
        2
    }
  }

  /** The recorded stage. IllegalArgumentException where there is none, or no such partition. */
  private[reprise] def find(reader: RecordingReader, stage: Int, partition: Int): RecordedStage = {
    val recorded = reader.stages.getOrElse(stage, throw new IllegalArgumentException(
      s"${reader.path} has no stage $stage" +
        reader.stages.keys.reduceOption(_ max _).fold(": it has none")(last => s": its stages end at $last")))
    val partitions = reader.rdds.get(recorded.rdd).map(_.partitions).getOrElse(throw new IllegalArgumentException(
      s"${reader.path}: RDD ${recorded.rdd}, which stage $stage computes, is not in the recording"))
    if (partition < 0 || partition >= partitions) {
      throw new IllegalArgumentException(s"stage $stage has the partitions 0 to ${partitions - 1}, not $partition")
    }
    recorded
  }

  private def run(path: String, stage: Int, partition: Int, settings: Seq[String]): Int = {
    val conf = new SparkConf()
      .setMaster("local[1]")
      .setAppName(s"reprise debug-task $path")
      .set("spark.ui.enabled", "false")
      .set("spark.driver.host", "127.0.0.1")
      .set("spark.driver.bindAddress", "127.0.0.1")
      .set("spark.ui.showConsoleProgress", "false")
      .set("spark.plugins", "reprise.ReprisePlugin")
    settings.foreach { setting =>
      setting.split("=", 2) match {
        case Array(key, value) => conf.set(key, value)
        case _ => throw new IllegalArgumentException(s"expected key=value, found $setting")
      }
    }
    val reader = new RecordingReader(path, new org.apache.hadoop.conf.Configuration)
    reader.damage.foreach(d => System.err.println(s"reprise: $d"))
    val recorded = find(reader, stage, partition)
    SerializerSettings.of(reader).foreach { case (key, value) => conf.setIfMissing(key, value) }
    warnOfNative(reader, recorded)
    useRecordedJars(reader)
    val context = new SparkContext(conf)
    try {
      context.setLogLevel("ERROR")
      new DebugTask(context, reader, recorded, partition).run()
      0
    } catch {
      case e: IllegalArgumentException => throw e
      case failure: Throwable =>
        System.err.println("reprise: the task has failed:")
        failure.printStackTrace()
        1
    } finally context.stop()
  }

  /** Those jars that are still where they were. */
  private def useRecordedJars(reader: RecordingReader): Unit = {
    val jars = reader.header.path("jars").elements.asScala.map(_.asText.stripPrefix("file:"))
    val present = jars.map(new File(_)).filter(_.exists).map(_.toURI.toURL).toArray
    val loader = new MutableURLClassLoader(present, getClass.getClassLoader)
    Thread.currentThread.setContextClassLoader(loader)
  }

  /** Java's debugger does not see into the core. */
  private def warnOfNative(reader: RecordingReader, stage: RecordedStage): Unit = {
    val seen = mutable.HashSet.empty[Int]
    val waiting = mutable.Stack(stage.rdd)
    while (waiting.nonEmpty) {
      val id = waiting.pop()
      if (seen.add(id)) reader.rdds.get(id).foreach { rdd =>
        if (rdd.typeName == "FragmentRDD") println(
          s"reprise: RDD $id runs natively, where a Java debugger does not stop: dump its operators " +
            "(spark.reprise.lore.idsToDump) and use `reprise replay --gdb`")
        rdd.parents.filter(_.shuffle.isEmpty).foreach(p => waiting.push(p.rdd))
      }
    }
  }
}
