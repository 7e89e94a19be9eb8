package reprise.exec

import org.apache.spark.{RangePartitioner, ShuffleDependency, SparkException}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, Expression}
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning
import org.apache.spark.sql.execution.{ShufflePartitionSpec, SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeExec, ShuffleOrigin}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics, SQLShuffleReadMetricsReporter, SQLShuffleWriteMetricsReporter}
import org.apache.spark.sql.execution.access.MapStageExchange
import org.apache.spark.util.MutablePair

import reprise.access.{PassPartitions, ShuffleInternals}
import reprise.bridge.UserCallSite
import reprise.serialize.NativeExchange

/**
 * A shuffle whose blocks the core writes and reads, through whatever shuffle manager Spark has. An operator of Spark's
 * above it gets rows.
 */
case class NativeShuffleExchangeExec(
    original: ShuffleExchangeExec,
    verdict: NativeVerdict,
    exprs: Seq[Expression],
    child: SparkPlan)
  extends MapStageExchange
  with NativeOperatorExec
  with NativeExchange {

  private lazy val writeMetrics = SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)
  private lazy val readMetrics = SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] = createCoreMetrics(Map.empty) ++ readMetrics ++ writeMetrics +
    ("numPartitions" -> SQLMetrics.createMetric(sparkContext, "number of partitions"))

  private def shuffle: ShuffleExchangeExec = current.asInstanceOf[ShuffleExchangeExec]

  override def shuffleOrigin: ShuffleOrigin = original.shuffleOrigin
  override def advisoryPartitionSize: Option[Long] = original.advisoryPartitionSize
  override def numMappers: Int = dependency.rdd.getNumPartitions
  override def numPartitions: Int = dependency.partitioner.numPartitions
  def shuffleId: Int = dependency.shuffleId

  /** Rows and bytes before they were encoded: what adaptive execution decides by. */
  override def runtimeStatistics: Statistics =
    Statistics(metrics("dataSize").value, Some(metrics("numOutputRows").value))

  @transient override protected lazy val dependency: ShuffleDependency[Int, Array[Byte], Array[Byte]] = UserCallSite(sparkContext) {
    val (partitions, blocks) = written()
    val made = NativeShuffleExchangeExec.dependency(blocks, partitions, writeMetrics)
    metrics("numPartitions").set(partitions)
    val execution = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLMetrics.postDriverMetricUpdates(sparkContext, execution, metrics("numPartitions") :: Nil)
    made
  }

  /** The number of partitions, and the blocks. */
  private def written(): (Int, RDD[(Int, Array[Byte])]) = shuffle.outputPartitioning match {
    case range: RangePartitioning =>
      val bounds = boundsOf(range)
      val blocks = Fragment.made(this, BlockOutput) { fragment =>
        fragment.values.addBounds(bounds, range.ordering.map(_.dataType))
        fragment.add(this)
      }
      (bounds.length + 1, blocks)
    case other =>
      val blocks = Fragment.blocks(this)
      (other.numPartitions, if (verdict.isOrderSensitive) ShuffleInternals.orderSensitive(blocks) else blocks)
  }

  /** As Spark finds them: by a job that samples the keys. */
  private def boundsOf(range: RangePartitioning): Seq[InternalRow] = {
    val keys = verdict.sample match {
      case Some(project) =>
        val figures = project.transition.createMetrics(sparkContext)
        Fragment.made(this, RowOutput(range.ordering.length)) { fragment =>
          val inOrder = project.transition.metrics.map(m => figures(m.name))
          fragment.over(project.operator, inOrder)(fragment.addInputs(this))
        }
      case None => throw SparkException.internalError(s"$nodeName has nothing to find its bounds by")
    }
    implicit val ordering: Ordering[InternalRow] = new LazilyGeneratedOrdering(range.ordering.zipWithIndex.map {
      case (order, i) => order.copy(child = BoundReference(i, order.dataType, order.nullable))
    })
    val samples = keys.mapPartitions { rows =>
      val pair = new MutablePair[InternalRow, Null]()
      rows.map(row => pair.update(row.copy(), null))
    }
    val partitioner = new RangePartitioner(
      range.numPartitions,
      samples,
      ascending = true,
      samplePointsPerPartitionHint = conf.rangeExchangeSampleSizePerPartition)
    ShuffleInternals.bounds(partitioner).toIndexedSeq.map(_.asInstanceOf[InternalRow])
  }

  /** For operators of Spark's. Native ones take the blocks out of what this gives: see [[blocksOf]]. */
  override def getShuffleRDD(specs: Array[ShufflePartitionSpec]): RDD[InternalRow] = UserCallSite(sparkContext) {
    val blocks = new ShuffledBlockRDD(dependency, readMetrics, specs)
    Fragment.rowsOf(BlockLeaf(blocks), verdict.read.get, this)
  }

  override protected def doExecute(): RDD[InternalRow] = getShuffleRDD(ShuffledBlockRDD.all(numPartitions))

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object NativeShuffleExchangeExec {
  def dependency(
      blocks: RDD[(Int, Array[Byte])],
      partitions: Int,
      metrics: Map[String, SQLMetric]): ShuffleDependency[Int, Array[Byte], Array[Byte]] =
    new ShuffleDependency[Int, Array[Byte], Array[Byte]](
      blocks,
      new PassPartitions(partitions),
      new BlockSerializer,
      shuffleWriterProcessor = ShuffleExchangeExec.createShuffleWriteProcessor(metrics))

  /**
   * The blocks that the rows of a native exchange are made of, or those of a finished stage of one, as adaptive execution
   * has arranged its partitions.
   */
  def blocksOf(rows: RDD[InternalRow]): Option[RDD[Array[Byte]]] = rows match {
    case fragment: FragmentRDD[_] =>
      fragment.leaves match {
        case Seq(BlockLeaf(blocks)) => Some(blocks)
        case _ => None
      }
    case _ => None
  }
}
