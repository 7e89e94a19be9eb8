package reprise.exec

import org.apache.spark.{Dependency, OneToOneDependency, Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.execution.metric.SQLMetric

/**
 * The rows of a fragment: each partition is one run of the fragment over one partition of each of its leaves. A row is
 * valid until the next one is asked for, as with all of Spark's operators; it points into the core's memory.
 *
 * @param fragment  the fragment's JSON
 * @param fields    columns of the result
 * @param batchRows rows of a batch, or none for the core's default
 */
private[exec] final class FragmentRDD(
    @transient context: SparkContext,
    fragment: String,
    fields: Int,
    batchRows: Option[Long],
    leaves: Seq[Leaf],
    metrics: FragmentMetrics)
  extends RDD[InternalRow](context, FragmentRDD.dependencies(leaves)) {

  override protected def getPartitions: Array[Partition] =
    Array.tabulate[Partition](leaves.head.partitionCount) { i =>
      new FragmentPartition(
        i,
        leaves.toArray.map {
          case files: FileLeaf => files.partitions(i)
          case rows: RowLeaf => rows.rdd.partitions(i)
        })
    }

  override protected def getPreferredLocations(split: Partition): Seq[String] = {
    val parents = dependencies.iterator.map(_.rdd)
    val places = leaves.zip(FragmentPartition.inputs(split)).map {
      case (_: FileLeaf, files: FilePartition) => files.preferredLocations().toSeq
      case (_, partition) => parents.next().preferredLocations(partition)
    }
    val preferred = places.filter(_.nonEmpty)
    // Where all inputs are, or else where any of them is.
    if (preferred.isEmpty) Nil
    else preferred.reduce(_ intersect _) match {
      case Seq() => preferred.flatten.distinct
      case shared => shared
    }
  }

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val parents = dependencies.iterator.map(_.rdd.asInstanceOf[RDD[InternalRow]])
    val inputs = leaves.zip(FragmentPartition.inputs(split)).map {
      case (files: FileLeaf, partition: FilePartition) => FileInput(partition, files.partitionSchema)
      case (rows: RowLeaf, partition) => RowInput(new RowFeed(parents.next().iterator(partition, context), rows.schema))
      case (leaf, partition) => throw new IllegalStateException(s"$leaf cannot read $partition")
    }
    val task = TaskJson.write(split.index, batchRows, inputs, context)
    FragmentRows.open(fragment, fields, task, inputs, metrics, context)
  }
}

private object FragmentRDD {
  def dependencies(leaves: Seq[Leaf]): Seq[Dependency[_]] = leaves.collect { case r: RowLeaf =>
    new OneToOneDependency(r.rdd)
  }
}

/** @param inputs one for each leaf: a [[FilePartition]], or the partition of the leaf's RDD */
private final class FragmentPartition(override val index: Int, val inputs: Array[Partition]) extends Partition

private object FragmentPartition {
  def inputs(split: Partition): Seq[Partition] = split.asInstanceOf[FragmentPartition].inputs.toSeq
}

/**
 * Where a fragment's figures go.
 *
 * @param core  those of the core, in its order
 * @param scans those that count as the task's input
 * @param toRow those of the transition to rows, by name
 */
private[exec] final class FragmentMetrics(
    val core: Seq[SQLMetric],
    val scans: Seq[ScanFigures],
    val toRow: Map[String, SQLMetric])
  extends Serializable
