package reprise.lineage

import java.io.{ObjectOutputStream, OutputStream}
import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable

import org.apache.spark.{NarrowDependency, Partition, ShuffleDependency, SparkContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD

import reprise.bridge.Secrets

/**
 * Java serialization of one recorded thing, with references where it meets other recorded things.
 *
 * References only ever lead to what was recorded before, never in a circle. Another RDD that a closure mentions is written
 * as a task has it: without its context, but with its fields, which methods of GraphX read there.
 *
 * @param root       what is written; only it is written itself
 * @param isRecorded whether there is an RDD with the number to refer to
 * @param partitions those of the root's parents
 * @param classSeen  told of each class that is named
 */
private[lineage] final class RddOutputStream(
    out: OutputStream,
    root: AnyRef,
    isRecorded: Int => Boolean,
    partitions: IdentityHashMap[Partition, PartitionReference],
    classSeen: Class[_] => Unit)
  extends ObjectOutputStream(out) {
  enableReplaceObject(true)

  val broadcasts: mutable.LinkedHashMap[Long, Broadcast[_]] = mutable.LinkedHashMap.empty
  private val partial = mutable.ArrayBuffer.empty[AnyRef]
  private var writesTransients = false
  private val seen = Collections.newSetFromMap(new IdentityHashMap[AnyRef, java.lang.Boolean])

  override def replaceObject(value: AnyRef): AnyRef = value match {
    case same if same eq root => same
    case rdd: RDD[_] => if (isRecorded(rdd.id)) RddReference(rdd.id) else if (writesTransients) null else rdd
    case shuffle: ShuffleDependency[_, _, _] =>
      if (isRecorded(shuffle.rdd.id)) ShuffleReference(shuffle.shuffleId) else null
    case broadcast: Broadcast[_] =>
      broadcasts(broadcast.id) = broadcast
      BroadcastReference(broadcast.id)
    case partition: Partition =>
      val reference = partitions.get(partition)
      if (reference != null) reference else noted(partition)
    case narrow: NarrowDependency[_] => noted(narrow)
    case part if RddOutputStream.parts(part.getClass.getName) => noted(part)
    case _: SparkContext => null
    case other => Secrets.without(other)
  }

  private def noted(value: AnyRef): AnyRef = {
    if (seen.add(value)) partial += value
    value
  }

  /** The root; then, until there is nothing more, what Java's serialization left out of the objects before. */
  def writeRoot(value: AnyRef): Unit = {
    writeObject(value)
    writesTransients = true
    root match {
      case rdd: RDD[_] => partial += rdd
      case _ => ()
    }
    var isOver = false
    while (!isOver) {
      val found = partial.toArray
      partial.clear()
      isOver = found.isEmpty
      writeObject(found.map(v => TransientsOf(v, TransientFields.kept(v, RddOutputStream.lastOf(v)))))
    }
    flush()
  }

  override protected def annotateClass(named: Class[_]): Unit = classSeen(named)
}

private object RddOutputStream {
  /** Objects within RDDs and partitions that have transient fields as well. */
  val parts: Set[String] = Set(
    "org.apache.spark.rdd.NarrowCoGroupSplitDep",
    "org.apache.spark.sql.execution.datasources.PartitionedFile",
    "reprise.exec.RowLeaf",
    "reprise.exec.BlockLeaf",
    "reprise.exec.BatchLeaf")

  /** What an RDD has as such is in its line. */
  def lastOf(value: AnyRef): Class[_] = if (value.isInstanceOf[RDD[_]]) classOf[RDD[_]] else classOf[AnyRef]
}
