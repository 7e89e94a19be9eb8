package reprise.exec

import scala.reflect.ClassTag

import org.apache.spark.{Dependency, OneToOneDependency, Partition, QueryContext, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.bridge.TaskSettings
import reprise.ledger.ChecksummedWhereMade

/**
 * What comes out of a fragment: each partition is one run of the fragment over one partition of each of its leaves.
 *
 * @param fragment  the fragment's JSON
 * @param contexts  the places in the query that its errors may show, by key
 * @param leaves    at least one that is not replicated
 * @param guests    what Spark evaluates in it, in the order of their numbers, columns and aggregate functions apart
 * @param settings  what its tasks must know of their session
 * @param ledger    the token of the query whose operators are checksummed, if they are
 */
private[reprise] final class FragmentRDD[T: ClassTag](
    @transient context: SparkContext,
    fragment: String,
    contexts: Map[String, QueryContext],
    val leaves: Seq[Leaf],
    guests: Seq[TaskGuest],
    settings: TaskSettings,
    ledger: Option[String],
    output: FragmentOutput[T],
    metrics: FragmentMetrics)
  extends RDD[T](context, FragmentRDD.dependencies(leaves))
  with ChecksummedWhereMade {

  /** The same rows as batches of a cached table of so many columns. */
  def cached(layout: CacheLayout, columns: Int): RDD[CachedBatch] =
    new FragmentRDD[CachedBatch](
      sparkContext, fragment, contexts, leaves, guests, settings, ledger, CacheOutput(layout, columns), metrics)

  override protected def getPartitions: Array[Partition] =
    Array.tabulate[Partition](FragmentRDD.partitionCount(leaves)) { i =>
      new FragmentPartition(i, leaves.toArray.map(_.partition(i)))
    }

  override protected def getPreferredLocations(split: Partition): Seq[String] = {
    val places = leaves.zip(FragmentPartition.inputs(split)).map {
      case (_: FileLeaf, files: FilePartition) => files.preferredLocations().toIndexedSeq
      case (leaf, partition) => leaf.rdd.fold(Seq.empty[String])(_.preferredLocations(partition))
    }
    val preferred = places.filter(_.nonEmpty)
    // Where all inputs are, or else where any of them is.
    if (preferred.isEmpty) Nil
    else preferred.reduce(_ intersect _) match {
      case Seq() => preferred.flatten.distinct
      case shared => shared
    }
  }

  override def compute(split: Partition, context: TaskContext): Iterator[T] = {
    val parents = dependencies.iterator.map(_.rdd)
    val inputs = leaves.zip(FragmentPartition.inputs(split)).map {
      case (leaf: RddLeaf[_], partition) => leaf.input(partition, Some(parents.next()), context)
      case (leaf, partition) => leaf.input(partition, None, context)
    }
    val task = TaskJson.write(split.index, settings, inputs, output.cache, context)
    val evaluated = guests.map(_.in(split.index))
    output.of(RunningFragment.open(fragment, contexts, task, inputs, evaluated, metrics, ledger, context))
  }
}

private[exec] object FragmentRDD {
  def dependencies(leaves: Seq[Leaf]): Seq[Dependency[_]] =
    leaves.collect { case leaf: RddLeaf[_] => new OneToOneDependency(leaf.source) }

  def partitionCount(leaves: Seq[Leaf]): Int = leaves.flatMap(_.partitionCount).distinct match {
    case Seq(count) => count
    case counts =>
      throw new IllegalStateException(s"a fragment's inputs have different numbers of partitions: $counts")
  }
}

/** @param inputs one for each leaf: a `FilePartition`, or the partition of the leaf's RDD */
private final class FragmentPartition(override val index: Int, val inputs: Array[Partition]) extends Partition

private object FragmentPartition {
  def inputs(split: Partition): Seq[Partition] = split.asInstanceOf[FragmentPartition].inputs.toSeq
}

/**
 * Where a fragment's figures go.
 *
 * @param core   those of the core, in its order
 * @param scans  those that count as the task's input
 * @param output those of what takes the batches out, by name
 */
private[exec] final class FragmentMetrics(
    val core: Seq[SQLMetric],
    val scans: Seq[ScanFigures],
    val output: Map[String, SQLMetric])
  extends Serializable

/** Positions of a scan's figures among those of its fragment, those that it has: a range reads no bytes. */
private[exec] final case class ScanFigures(bytes: Option[Int], rows: Option[Int])
