package reprise.exec

import java.io.{ObjectOutputStream, OutputStream}

import org.apache.spark.{OneToOneDependency, Partition, RangePartitioner, ShuffleDependency, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning
import org.apache.spark.sql.execution.{ShuffledRowRDD, ShufflePartitionSpec, SparkPlan}
import org.apache.spark.sql.execution.access.MapStageExchange
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeExec, ShuffleOrigin}

import reprise.access.ShuffleInternals
import reprise.bridge.UserCallSite
import reprise.replay.DividedRows

/**
 * A shuffle of Spark's, of which each task's rows are recorded with the numbers of the partitions that they go to.
 *
 * @param child    a recorder of what the shuffle reads
 * @param recorder of the rows, the number behind their columns
 */
case class RecordedShuffleExec(original: ShuffleExchangeExec, child: SparkPlan, recorder: RecorderSpec, recording: Recording)
  extends MapStageExchange
  with RecordedExchange {

  private lazy val shuffle = original.withNewChildren(Seq(child)).asInstanceOf[ShuffleExchangeExec]
  override protected def running: Exchange = shuffle

  override def shuffleOrigin: ShuffleOrigin = original.shuffleOrigin
  override def advisoryPartitionSize: Option[Long] = original.advisoryPartitionSize
  override def numMappers: Int = dependency.rdd.getNumPartitions
  override def numPartitions: Int = dependency.partitioner.numPartitions
  def shuffleId: Int = dependency.shuffleId
  override def runtimeStatistics: Statistics = shuffle.runtimeStatistics

  @transient override protected lazy val dependency: ShuffleDependency[Int, InternalRow, InternalRow] =
    UserCallSite(sparkContext) {
      val made = Unrecorded.during(sparkContext)(shuffle.shuffleDependency)
      original.outputPartitioning match {
        case range: RangePartitioning =>
          RecordedShuffleExec.bounds(made.rdd).foreach(recording.values.addBounds(_, range.ordering.map(_.dataType)))
        case _ =>
      }
      val divided = DividedRows.together(made.rdd, child.output)
      val passed = Fragment.recorded(this, divided, DividedRows.columns(child.output), recorder) { partitions =>
        recording.begin(Recording.output, partitions)
      }
      new ShuffleDependency[Int, InternalRow, InternalRow](
        DividedRows.apart(passed, child.output),
        made.partitioner,
        made.serializer,
        shuffleWriterProcessor = made.shuffleWriterProcessor)
    }

  override def getShuffleRDD(specs: Array[ShufflePartitionSpec]): RDD[InternalRow] =
    new ShuffledRowRDD(dependency, metrics, specs)

  override protected def doExecute(): RDD[InternalRow] = new ShuffledRowRDD(dependency, metrics)

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object RecordedShuffleExec {

  /** The bounds that Spark has found for a range partitioning: they are in what its tasks are sent. */
  private def bounds(divided: RDD[_]): Option[Seq[InternalRow]] = {
    var found: Option[RangePartitioner[_, _]] = None
    val finder = new ObjectOutputStream(OutputStream.nullOutputStream()) {
      enableReplaceObject(true)
      override protected def replaceObject(written: AnyRef): AnyRef = written match {
        case partitioner: RangePartitioner[_, _] =>
          found = Some(partitioner)
          null
        case parent: RDD[_] if parent ne divided => null
        case other => other
      }
    }
    finder.writeObject(divided)
    found.map(ShuffleInternals.bounds(_).toSeq.map(_.asInstanceOf[InternalRow]))
  }
}

/**
 * What a recorder gives, but in jobs of [[Unrecorded]] what it would have read: Spark samples the keys of a range
 * partitioning by a job that runs before, of which nothing is to be recorded.
 */
private[exec] final class RecordedRDD(@transient recorded: RDD[InternalRow], @transient bare: RDD[InternalRow])
  extends RDD[InternalRow](recorded.context, Seq(new OneToOneDependency(recorded), new OneToOneDependency(bare))) {

  override protected def getPartitions: Array[Partition] =
    recorded.partitions.zip(bare.partitions).map { case (one, other) => new RecordedPartition(one.index, Seq(one, other)) }

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val parent = if (Unrecorded.holds(context)) 1 else 0
    val from = dependencies(parent).rdd.asInstanceOf[RDD[InternalRow]]
    from.iterator(split.asInstanceOf[RecordedPartition].parents(parent), context)
  }
}

private final class RecordedPartition(override val index: Int, val parents: Seq[Partition]) extends Partition

/** Jobs that read an operator's input before it runs. */
private object Unrecorded {
  private val property = "reprise.unrecorded"

  def during[T](context: SparkContext)(jobs: => T): T = {
    context.setLocalProperty(property, "true")
    try jobs
    finally context.setLocalProperty(property, null)
  }

  def holds(context: TaskContext): Boolean = context.getLocalProperty(property) != null
}
