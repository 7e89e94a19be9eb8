package reprise.lineage

import java.util.{Collections, IdentityHashMap, Properties}

import scala.collection.mutable
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.hadoop.fs.Path
import org.apache.spark.{NarrowDependency, Partition, ShuffleDependency, SparkContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.access.{LineageAccess, SubmissionObserver}

import reprise.bridge.Secrets

/**
 * Records the RDDs of each job before its first task runs. What cannot be recorded leaves its shape and a reason; a
 * folder that can no longer be written to ends the recording with a warning. Jobs never fail by it.
 *
 * Jobs over RDDs that a replay has rebuilt are no part of the recording.
 */
private[reprise] final class LineageRecorder(
    context: SparkContext,
    val folder: Path,
    writer: RecordingWriter,
    keepsResults: Boolean)
  extends SubmissionObserver
  with Logging {
  private val rdds = mutable.HashMap.empty[Int, Boolean] // number -> whether it can be rebuilt
  private val shuffles = mutable.HashSet.empty[Int]
  private val broadcasts = mutable.HashMap.empty[Long, Option[String]] // number -> why it cannot be rebuilt
  private val classes = new RecordedClasses(context, writer)
  private var submissions = 0L
  private var isOpen = true

  override def jobSubmitted(
      rdd: RDD[_],
      action: Option[AnyRef],
      partitions: Seq[Int],
      callSite: String,
      properties: Properties): Long =
    recording(0L) {
      lineageOf(rdd).fold(LineageRecorder.notRecorded) { lineage =>
        locked(0L) {
          lineage.foreach(recordRdd)
          val number = submissions
          submissions += 1
          val (submission, line) = described("submission")
          submission.put("number", number).put("rdd", rdd.id).put("callSite", callSite)
          val listed = submission.putArray("partitions")
          partitions.foreach(p => listed.add(p))
          val conf = submission.putObject("properties")
          // Tasks read the session's settings out of the job's properties.
          if (properties != null) {
            properties.stringPropertyNames.forEach { key =>
              if (key.startsWith("spark.sql.") && !key.startsWith("spark.sql.execution.")) {
                conf.put(key, Secrets.redacted(key, properties.getProperty(key)))
              }
            }
          }
          action.foreach(write(submission, "action", _, new IdentityHashMap))
          writer.line(line)
          writer.flush()
          number
        }
      }
    }

  override def jobNumbered(submission: Long, job: Int): Unit =
    if (submission != LineageRecorder.notRecorded) recording(()) {
      val (started, line) = described("started")
      started.put("submission", submission).put("job", job)
      locked(()) {
        writer.line(line)
        writer.flush()
      }
    }

  override def mapStageSubmitted(shuffle: ShuffleDependency[_, _, _]): Boolean = recording(true) {
    lineageOf(shuffle.rdd).fold(false) { lineage =>
      locked(true) {
        lineage.foreach(recordRdd)
        recordShuffle(shuffle)
        writer.flush()
        true
      }
    }
  }

  override def taskGave(task: Long, stage: Int, partition: Int, result: Any, properties: Properties): Unit =
    if (keepsResults && !(properties != null && properties.containsKey(ReplayMark.key))) recording(()) {
      val (gave, line) = described("result")
      gave.put("task", task).put("stage", stage).put("partition", partition)
      if (result != null) gave.put("class", result.getClass.getName)
      attempt(gave.put("text", Sample.text(result)))
      locked(()) {
        write(gave, "object", Array[AnyRef](result.asInstanceOf[AnyRef]), new IdentityHashMap)
        writer.line(line)
        writer.flush()
      }
    }

  override def marked(properties: Properties): Properties = {
    val copied = new Properties
    if (properties != null) {
      properties.stringPropertyNames.forEach(key => copied.setProperty(key, properties.getProperty(key)))
    }
    copied.setProperty(ReplayMark.key, "true")
    copied
  }

  /** Under the lock that keeps lines apart; nothing once the recording has ended. */
  def locked[T](otherwise: T)(body: => T): T = synchronized(if (isOpen) body else otherwise)

  def close(): Unit = synchronized {
    if (isOpen) {
      isOpen = false
      writer.close()
    }
  }

  def flushEvents(): Unit = write(_.flushEvents())

  private[lineage] def write(body: RecordingWriter => Unit): Unit = recording(())(locked(())(body(writer)))

  private def recording[T](otherwise: T)(body: => T): T =
    try body
    catch {
      case NonFatal(e) => giveUp(e); otherwise
      case e: LinkageError => giveUp(e); otherwise
    }

  private def giveUp(cause: Throwable): Unit = {
    logWarning(s"reprise: the recording $folder ends here: $cause", cause)
    try close()
    catch { case NonFatal(_) => () }
  }

  /**
   * The RDDs that are not recorded yet, parents first, with their partitions computed: that may run jobs. None where
   * one of them was rebuilt.
   */
  private def lineageOf(last: RDD[_]): Option[Seq[RDD[_]]] = {
    val found = mutable.ArrayBuffer.empty[RDD[_]]
    val seen = Collections.newSetFromMap(new IdentityHashMap[RDD[_], java.lang.Boolean])
    val waiting = mutable.Stack(Visit(last, isReady = false))
    while (waiting.nonEmpty) {
      val visit = waiting.pop()
      val rdd = visit.rdd
      if (RebuiltRdds.contains(rdd)) return None
      if (visit.isReady) found += rdd
      else if (!isRecorded(rdd.id) && seen.add(rdd)) {
        waiting.push(Visit(rdd, isReady = true))
        // A missing input is the job's own error, and shows in the shape.
        try {
          rdd.partitions
          rdd.dependencies.foreach(d => waiting.push(Visit(d.rdd, isReady = false)))
        } catch { case NonFatal(_) => () }
      }
    }
    Some(found.toIndexedSeq)
  }

  private def isRecorded(id: Int): Boolean = synchronized(rdds.contains(id))

  private def recordRdd(rdd: RDD[_]): Unit = if (!rdds.contains(rdd.id)) {
    val (description, line) = described("rdd")
    val site = LineageAccess.callSite(rdd)
    description
      .put("id", rdd.id)
      .put("type", LineageAccess.typeName(rdd))
      .put("class", rdd.getClass.getName)
      .put("name", rdd.name)
      .put("callSite", site.shortForm)
      .put("callSiteLong", site.longForm)
    val broken = attempt {
      val dependencies = rdd.dependencies
      dependencies.foreach { case s: ShuffleDependency[_, _, _] => recordShuffle(s); case _ => () }
      val parents = description.putArray("parents")
      val partitions = new IdentityHashMap[Partition, PartitionReference]
      dependencies.foreach { dependency =>
        val parent = parents.addObject().put("rdd", dependency.rdd.id)
        dependency match {
          case shuffle: ShuffleDependency[_, _, _] => parent.put("shuffle", shuffle.shuffleId)
          case _: NarrowDependency[_] =>
            dependency.rdd.partitions.zipWithIndex.foreach { case (p, i) =>
              partitions.put(p, PartitionReference(dependency.rdd.id, i))
            }
          case _ => ()
        }
      }
      description.put("partitions", rdd.partitions.length)
      val ids = dependencies.map(_.rdd.id).toSet
      write(description, "object", rdd, partitions, ids)
      if (!description.has("reason")) write(description, "splits", rdd.partitions, partitions, ids)
    }
    broken.foreach(description.put("reason", _))
    rdds(rdd.id) = !description.has("reason")
    writer.line(line)
  }

  private def recordShuffle(shuffle: ShuffleDependency[_, _, _]): Unit = if (shuffles.add(shuffle.shuffleId)) {
    val (description, line) = described("shuffle")
    description
      .put("id", shuffle.shuffleId)
      .put("rdd", shuffle.rdd.id)
      .put("partitions", shuffle.partitioner.numPartitions)
    write(description, "object", ShuffleFields.partsOf(shuffle), new IdentityHashMap)
    writer.line(line)
  }

  /** Adds to `description` where the object is, or the reason why it is not there. */
  private def write(
      description: ObjectNode,
      name: String,
      value: AnyRef,
      partitions: IdentityHashMap[Partition, PartitionReference],
      parents: Set[Int] = Set.empty): Unit = {
    def isReferable(id: Int) = rdds.getOrElse(id, parents(id))
    var stream: RddOutputStream = null
    val broken = attempt {
      val blob = writer.blob { out =>
        stream = new RddOutputStream(out, value, isReferable, partitions, classes.seen)
        stream.writeRoot(value)
      }
      classes.record()
      val missing = stream.broadcasts.values.flatMap(recordBroadcast).headOption
      missing match {
        case Some(reason) => description.put("reason", reason)
        case None => blob.write(description, name)
      }
    }
    broken.foreach(description.put("reason", _))
  }

  /** Why it can't be rebuilt, if so. */
  private def recordBroadcast(broadcast: Broadcast[_]): Option[String] = broadcasts.getOrElse(broadcast.id, {
    broadcasts(broadcast.id) = None // a value that refers to its own broadcast
    val (description, line) = described("broadcast")
    description.put("id", broadcast.id)
    if (LineageAccess.isDestroyed(broadcast)) description.put("reason", "it had been destroyed")
    else {
      val value = attempt(broadcast.value)
      value match {
        case Some(reason) => description.put("reason", reason)
        case None =>
          description.put("class", broadcast.value.getClass.getName)
          write(description, "object", Array[AnyRef](broadcast.value.asInstanceOf[AnyRef]), new IdentityHashMap)
      }
    }
    writer.line(line)
    val reason = Option(description.get("reason")).map(why => s"broadcast ${broadcast.id}: ${why.asText}")
    broadcasts(broadcast.id) = reason
    reason
  })

  /** Why it did not work, if so; but what is wrong with the folder is thrown. */
  private def attempt(body: => Any): Option[String] =
    try { body; None }
    catch {
      case e: FolderFailure => throw e
      case NonFatal(e) => Some(e.toString)
      case e: LinkageError => Some(e.toString)
      case _: StackOverflowError => Some("its objects refer to each other too deeply to be serialized")
    }

  private def described(kind: String): (ObjectNode, ObjectNode) = {
    val line = RecordingFormat.node()
    (line.putObject(kind), line)
  }
}

/** @param isReady its parents have been visited */
private final case class Visit(rdd: RDD[_], isReady: Boolean)

private[reprise] object LineageRecorder {
  val notRecorded: Long = -1
}
