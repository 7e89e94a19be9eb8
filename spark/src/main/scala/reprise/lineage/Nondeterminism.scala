package reprise.lineage

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.access.LineageAccess

import reprise.bridge.UserCallSite
import reprise.ledger.RecordChecksums

/**
 * An RDD that was not the same each time it was computed.
 *
 * @param isOnlyOrder the same records in another order
 * @param partitions  those that differ
 * @param isFirst     what it is computed from was the same each time: its own transformation makes the difference
 * @param text        the RDD as the replayer prints it
 */
final case class NondeterministicRdd(
    rdd: RDD[_],
    isOnlyOrder: Boolean,
    partitions: Seq[Int],
    isFirst: Boolean,
    text: String) {
  override def toString: String = {
    val what = if (isOnlyOrder) "gives its records in another order" else "gives other records"
    val whose = if (isFirst) "while what it is computed from is the same" else "as what it is computed from does"
    s"$text $what each time in partitions ${partitions.mkString(" ")}, $whose"
  }
}

/** Computes the RDDs of a lineage several times each, and compares what they give. */
private[reprise] object Nondeterminism {

  /** Parents first. @throws IllegalArgumentException for records that cannot be compared */
  def find(last: RDD[_], runs: Int): Seq[NondeterministicRdd] = UserCallSite(last.sparkContext) {
    require(runs >= 2, s"$runs runs: to compare takes two")
    val found = mutable.LinkedHashMap.empty[RDD[_], NondeterministicRdd]
    lineage(last).foreach { rdd =>
      val all = Seq.fill(runs)(checksums(rdd))
      val partitions = all.head.indices
      val inValues = partitions.filter(p => all.map(_(p).values).distinct.length > 1)
      val inOrder = partitions.filter(p => all.map(_(p)).distinct.length > 1)
      if (inOrder.nonEmpty) {
        val inherits = rdd.dependencies.flatMap(d => found.get(d.rdd)).exists(_.isOnlyOrder <= inValues.isEmpty)
        val differing = if (inValues.nonEmpty) inValues else inOrder
        found(rdd) = NondeterministicRdd(rdd, inValues.isEmpty, differing, !inherits, describe(rdd))
      }
    }
    found.values.toIndexedSeq
  }

  private def describe(rdd: RDD[_]) =
    s"#${rdd.id}: ${LineageAccess.typeName(rdd)} ${LineageAccess.callSite(rdd).shortForm}"

  private def checksums(rdd: RDD[_]): Seq[PartitionChecksums] = {
    val text = describe(rdd)
    rdd
      .mapPartitions { records =>
        val checksummed = new RecordChecksums(records)
        checksummed.foreach(_ => ())
        checksummed.reason.foreach(why => throw new IllegalArgumentException(s"$text: its records cannot be compared: $why"))
        // Numbers, which every serializer knows.
        Iterator(checksummed.ordered, checksummed.rows, checksummed.unordered)
      }
      .collect()
      .grouped(3)
      .map { case Array(ordered, count, unordered) => PartitionChecksums(ordered, (count, unordered)) }
      .toIndexedSeq
  }

  private def lineage(last: RDD[_]): Seq[RDD[_]] = {
    val order = mutable.ArrayBuffer.empty[RDD[_]]
    val seen = Collections.newSetFromMap(new IdentityHashMap[RDD[_], java.lang.Boolean])
    val waiting = mutable.Stack(Compared(last, isReady = false))
    while (waiting.nonEmpty) {
      val next = waiting.pop()
      if (next.isReady) order += next.rdd
      else if (seen.add(next.rdd)) {
        waiting.push(next.copy(isReady = true))
        next.rdd.dependencies.reverseIterator.foreach(d => waiting.push(Compared(d.rdd, isReady = false)))
      }
    }
    order.toIndexedSeq
  }
}

/** @param isReady its parents have been compared */
private final case class Compared(rdd: RDD[_], isReady: Boolean)

/** @param values of the records without their order */
private final case class PartitionChecksums(ordered: Long, values: (Long, Long))
