package reprise.lineage

import java.io.IOException
import java.util.{Collections, WeakHashMap}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit
import org.apache.spark.{Partition, RangePartitioner, SerializableWritable, ShuffleDependency, SparkContext, SparkException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.expressions.codegen.CodeAndComment
import org.apache.spark.sql.execution.access.LineageAccess
import org.apache.spark.storage.StorageLevel
import org.apache.spark.util.AccumulatorV2

import reprise.bridge.Secrets

/**
 * Makes recorded RDDs again, on a running context: new objects over new shuffles and broadcasts. Nothing of the
 * application's own RDDs is touched, and nothing is cached.
 *
 * @param numbers what an RDD is numbered: as it was recorded, unless this context has an RDD of that number
 * @param around  puts assertions around an RDD; who reads it gets what this gives
 */
private[reprise] final class Rebuilder(
    context: SparkContext,
    reader: RecordingReader,
    classes: () => RecordedLoader,
    broadcasts: mutable.HashMap[Long, Broadcast[Any]],
    numbers: Int => Int,
    around: (Int, RDD[_]) => RDD[_]) {
  private lazy val loader = classes()
  private val bare = mutable.HashMap.empty[Int, RDD[_]]
  private val rdds = mutable.HashMap.empty[Int, RDD[_]]
  private val shuffles = mutable.HashMap.empty[Int, ShuffleDependency[Any, Any, Any]]

  /** With its assertions. */
  def rdd(id: Int): RDD[_] = {
    rebuildLineage(id)
    rdds(id)
  }

  def shuffle(id: Int): ShuffleDependency[Any, Any, Any] = shuffles.getOrElseUpdate(id, {
    val recorded = reader.shuffles.getOrElse(id, throw missing(s"shuffle $id"))
    val parent = rdd(recorded.rdd)
    val blob = recorded.blob.getOrElse(throw shape(s"shuffle $id", recorded.reason))
    ShuffleFields.dependency(read[ShuffleParts](blob, s"shuffle $id"), parent, loader)
  })

  /** What a job ran on each partition of its last RDD. */
  def action(job: RecordedJob): AnyRef =
    read[AnyRef](job.action.getOrElse(throw shape(s"the action of job ${job.id}", job.reason)), s"job ${job.id}")

  /** What a task gave. */
  def result(recorded: RecordedResult): Any = {
    val what = s"the result of task ${recorded.task}"
    read[Array[AnyRef]](recorded.blob.getOrElse(throw shape(what, recorded.reason)), what).head
  }

  /** Parents first, so that no stack grows with the lineage. */
  private def rebuildLineage(last: Int): Unit = {
    val wanted = mutable.HashSet.empty[Int]
    val waiting = mutable.Stack(last)
    while (waiting.nonEmpty) {
      val id = waiting.pop()
      if (!rdds.contains(id) && wanted.add(id)) {
        reader.rdds.getOrElse(id, throw missing(s"RDD $id")).parents.foreach(p => waiting.push(p.rdd))
      }
    }
    reader.rdds.keysIterator.filter(wanted).toIndexedSeq.foreach { id =>
      val made = rebuilt(reader.rdds(id))
      bare(id) = made
      RebuiltRdds.add(made)
      rdds(id) = around(id, made)
    }
  }

  private def rebuilt(recorded: RecordedRdd): RDD[_] = {
    val what = s"RDD ${recorded.id} (${recorded.typeName} ${recorded.callSite})"
    val blob = recorded.blob.getOrElse(throw shape(what, recorded.reason))
    val splits = recorded.splits.getOrElse(throw shape(what, recorded.reason))
    val rdd = read[RDD[_]](blob, what)
    val base = classOf[RDD[_]].getName
    def set(field: String, value: Any): Unit = TransientFields.set(rdd, base, field, value)
    set("_sc", context)
    set("id", numbers(recorded.id))
    set("name", recorded.name.orNull)
    set("creationSite", LineageAccess.callSite(recorded.callSite, recorded.callSiteLong))
    set("storageLevel", StorageLevel.NONE)
    set("partitions_", read[Array[Partition]](splits, s"the partitions of $what"))
    // One that was only marked would be checkpointed by the first job.
    LineageAccess.unmarkCheckpoint(rdd)
    TransientFields.fillEmpty(rdd)
    rdd
  }

  private def broadcast(id: Long): Broadcast[Any] = broadcasts.getOrElseUpdate(id, {
    val recorded = reader.broadcasts.getOrElse(id, throw missing(s"broadcast $id"))
    val blob = recorded.blob.getOrElse(throw shape(s"broadcast $id", recorded.reason))
    val value = read[Array[AnyRef]](blob, s"broadcast $id").head
    val made = context.broadcast[Any](value)
    if (LineageAccess.isPythons(value)) new RebuiltBroadcast(id, made) else made
  })

  private def read[T](blob: Blob, what: String): T =
    try
      Using.resource(new RddInputStream(reader.open(blob, what), loader, resolve)) { stream =>
        val root = stream.readObject()
        var isOver = false
        while (!isOver) {
          val partial = stream.readObject().asInstanceOf[Array[TransientsOf]]
          isOver = partial.isEmpty
          partial.foreach { p =>
            TransientFields.restore(p.value, p.fields)
            TransientFields.fillEmpty(p.value)
          }
        }
        root.asInstanceOf[T]
      }
    catch {
      case e: ClassNotFoundException =>
        val jars = Rebuilder.list(reader.header.path("jars"))
        throw new SparkException(
          s"${reader.path}: $what needs the class ${e.getMessage}, which this application does not have; " +
            s"it was recorded with: $jars", e)
      case e: java.io.InvalidClassException =>
        throw new SparkException(
          s"${reader.path}: $what was recorded with another version of a class " +
            s"(Spark ${reader.header.path("spark").asText}, this is ${context.version}): ${e.getMessage}", e)
      case e @ (_: IOException | _: RuntimeException) =>
        throw SerializerSettings.difference(reader, context.getConf)
          .fold[Throwable](e)(why => new SparkException(s"${reader.path}: $what cannot be read: $why", e))
    }

  private def resolve(value: AnyRef): AnyRef = value match {
    case RddReference(id) => rdds.getOrElse(id, rdd(id))
    case ShuffleReference(id) => shuffle(id)
    case BroadcastReference(id) => broadcast(id)
    case PartitionReference(rdd, index) => rebuiltPartition(rdd, index)
    // Its server is gone; before Spark 4.1 it cannot be sent without one. Functions run without it.
    case accumulator: AccumulatorV2[_, _] if LineageAccess.isPythonAccumulator(accumulator) => null
    case accumulator: AccumulatorV2[_, _] =>
      TransientFields.set(accumulator, classOf[AccumulatorV2[_, _]].getName, "atDriverSide", true)
      TransientFields.fillEmpty(accumulator)
      LineageAccess.adopt(context, accumulator)
      accumulator
    case ranges: RangePartitioner[_, _] => TransientFields.fillKeyType(ranges); ranges
    case code: CodeAndComment => loader.names.fold(code)(names => new CodeAndComment(names(code.body), code.comment))
    case writable: SerializableWritable[_] =>
      writable.value match {
        // Hadoop writes it without its places, which Spark asks it for.
        case files: CombineFileSplit if files.getLocations == null =>
          TransientFields.set(files, classOf[CombineFileSplit].getName, "locations", Array.empty[String])
        case _ => ()
      }
      restored(writable)
    case other =>
      // Python's workers know broadcasts by number: those of other functions must not serve this one.
      LineageAccess.pythonVariables(other).foreach(_.put("REPRISE_RECORDING", reader.applicationId))
      restored(other)
  }

  private def restored(value: AnyRef): AnyRef =
    Secrets.restored(value, context.getConf, context.hadoopConfiguration)

  private def rebuiltPartition(rdd: Int, index: Int): Partition = bare.get(rdd) match {
    case Some(parent) => parent.partitions(index)
    case None => this.rdd(rdd).partitions(index)
  }

  private def missing(what: String) = new IllegalArgumentException(
    s"${reader.path}: there is no $what in the recording" + reader.damage.fold("")(d => s" ($d)"))

  private def shape(what: String, reason: Option[String]) = new SparkException(
    s"${reader.path}: $what was recorded as a shape only, since ${reason.getOrElse("it was not written")}")
}

private object Rebuilder {
  def list(names: com.fasterxml.jackson.databind.JsonNode): String = {
    val all = names.elements.asScala.map(_.asText).toIndexedSeq
    if (all.isEmpty) "no jars" else all.mkString(", ")
  }
}

/** RDDs that a replay has made, in this JVM. */
private[lineage] object RebuiltRdds {
  private val all = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap[RDD[_], java.lang.Boolean]))

  def add(rdd: RDD[_]): Unit = all.add(rdd)
  def contains(rdd: RDD[_]): Boolean = all.contains(rdd)
}
