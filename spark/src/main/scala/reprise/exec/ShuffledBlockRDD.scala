package reprise.exec

import scala.jdk.CollectionConverters._

import org.apache.spark.{Dependency, Partition, ShuffleDependency, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.{CoalescedPartitionSpec, ShufflePartitionSpec}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.internal.SQLConf

import reprise.access.ShuffleInternals

/**
 * The encoded blocks of a native shuffle, arranged as adaptive execution wants them: coalesced, parts of a skewed
 * partition, local reads. What `ShuffledRowRDD` is for rows.
 */
private[exec] final class ShuffledBlockRDD(
    private var shuffle: ShuffleDependency[Int, Array[Byte], Array[Byte]],
    metrics: Map[String, SQLMetric],
    specs: Array[ShufflePartitionSpec])
  extends RDD[Array[Byte]](shuffle.rdd.context, Nil) {

  ShuffleInternals.fetchInBatches(sparkContext, SQLConf.get.fetchShuffleBlocksInBatch)

  override def getDependencies: Seq[Dependency[_]] = List(shuffle)

  override protected def getPartitions: Array[Partition] =
    specs.zipWithIndex.map { case (spec, i) => new ShuffledBlockPartition(i, spec): Partition }

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    ShuffleInternals.locations(untyped, specOf(split)).asScala.toIndexedSeq

  override def compute(split: Partition, context: TaskContext): Iterator[Array[Byte]] =
    ShuffleInternals.read(untyped, specOf(split), metrics, context).map(_._2)

  override def clearDependencies(): Unit = {
    super.clearDependencies()
    shuffle = null
  }

  private def specOf(split: Partition) = split.asInstanceOf[ShuffledBlockPartition].spec
  private def untyped = shuffle.asInstanceOf[ShuffleDependency[Object, Array[Byte], Array[Byte]]]
}

private object ShuffledBlockRDD {

  /** Every partition by itself. */
  def all(partitions: Int): Array[ShufflePartitionSpec] =
    Array.tabulate(partitions)(i => CoalescedPartitionSpec(i, i + 1))
}

private final class ShuffledBlockPartition(override val index: Int, val spec: ShufflePartitionSpec) extends Partition
