package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLShuffleReadMetricsReporter, SQLShuffleWriteMetricsReporter}

import reprise.bridge.UserCallSite

/**
 * An operator that needs all rows in one place, but few of each partition: it runs on every partition, sends what is
 * left to one, and runs there again.
 */
case class NativeTakeOrderedExec(
    original: SparkPlan,
    verdict: NativeVerdict,
    stages: TwoStages,
    exprs: Seq[Expression],
    children: Seq[SparkPlan])
  extends NativeOperatorExec {

  private lazy val writeMetrics = SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)
  private lazy val readMetrics = SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext)
  override lazy val metrics: Map[String, SQLMetric] = createCoreMetrics(Map.empty) ++ readMetrics ++ writeMetrics

  private[exec] def rows(toRow: Map[String, SQLMetric]): RDD[InternalRow] = UserCallSite(sparkContext) {
    Fragment.made(this, RowOutput(output.length), toRow)(addTo)
  }

  /** Adds to a fragment what runs where all rows are. */
  private[exec] def addTo(fragment: Fragment): String = {
    val unseen = (specs: Seq[MetricSpec]) => specs.map(_.create(sparkContext))
    val kept = Fragment.made(this, BlockOutput) { before =>
      before.over(stages.write, unseen(stages.writeMetrics)) {
        Seq(before.over(stages.local, unseen(stages.localMetrics))(before.addInputs(this)))
      }
    }
    val together: RDD[Array[Byte]] =
      if (kept.getNumPartitions == 0) sparkContext.parallelize(Seq.empty[Array[Byte]], 1)
      else new ShuffledBlockRDD(
        NativeShuffleExchangeExec.dependency(kept, 1, writeMetrics), readMetrics, ShuffledBlockRDD.all(1))
    val members = fragment.noteCapture(this) + fragment.checksummed(this) + fragment.promised(this)
    fragment.over(verdict.operator, coreMetrics, members) {
      Seq(fragment.addLeaf(BlockLeaf(together), stages.read, stages.read.transition.createMetrics(sparkContext)))
    }
  }

  override protected def doExecute(): RDD[InternalRow] = rows(Map.empty)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): SparkPlan =
    copy(children = newChildren)
}
