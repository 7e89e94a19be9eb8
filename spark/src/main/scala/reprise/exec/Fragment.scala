package reprise.exec

import scala.collection.mutable
import scala.reflect.ClassTag

import org.apache.spark.{SPARK_VERSION, SparkException}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning
import org.apache.spark.sql.execution.{FileSourceScanExec, RangeExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceRDDPartition, FileScan}
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.bridge.{CoreErrors, Native, SessionConf}

/** Puts a connected piece of native operators together, on the driver, when it is about to run. */
private[exec] object Fragment {

  /** @param toRow figures of the transition to rows, by name; only known names are counted */
  def rows(root: NativeOperatorExec, toRow: Map[String, SQLMetric]): RDD[InternalRow] =
    made(root, RowOutput(root.output.length), toRow)(_.add(root))

  /** The partitions and blocks of a fragment whose root encodes. */
  def blocks(root: NativeOperatorExec): RDD[(Int, Array[Byte])] = made(root, BlockOutput)(_.add(root))

  /** The rows of a leaf alone. */
  def rowsOf(source: Leaf, spec: LeafSpec, node: SparkPlan): RDD[InternalRow] =
    made(node, RowOutput(node.output.length)) {
      _.addLeaf(source, spec, spec.transition.createMetrics(node.session.sparkContext))
    }

  /**
   * Makes an RDD of what `operators` of a fragment give, which `build` adds to it.
   *
   * @param isDumped whether the operators that are to be dumped are dumped here
   */
  def made[T: ClassTag](
      root: SparkPlan,
      to: FragmentOutput[T],
      output: Map[String, SQLMetric] = Map.empty,
      isDumped: Boolean = true)(build: Fragment => String): RDD[T] = {
    val fragment = new Fragment(output, isDumped)
    fragment.json = build(fragment)
    fragment.rdd(root, to)
  }

  /** The batches of a child, as `inputs` says it is read. */
  def batches(child: SparkPlan): RDD[Long] = child match {
    case native: NativeExec => made(native, BatchOutput)(_.add(native))
    case input: FragmentInputExec => made(input, BatchOutput)(_.addInput(input))
    case other => throw SparkException.internalError(s"${other.nodeName} has no batches")
  }

  /** An operator that is to be dumped. @param inputs for each input, whether every task sees all of it */
  final case class Capture(json: String, operator: String, inputs: Seq[Boolean]) {
    def begin(partitions: Int, root: SparkPlan): Unit = {
      val input = inputs.map(replicated => s"""{"partitions":$partitions,"replicated":$replicated}""").mkString(",")
      val versions = s"""{"spark":"$SPARK_VERSION","reprise":"${SessionConf.version}"}"""
      val request = s"""{"capture":$json,"operator":$operator,"conf":${SessionConf.json(root.conf)},""" +
        s""""versions":$versions,"inputs":[$input],"outputPartitions":$partitions}"""
      CoreErrors.translated(Native.beginDump(request))
    }
  }
}

private[exec] final class Fragment(output: Map[String, SQLMetric], isDumped: Boolean) {
  import Fragment.Capture

  var json = ""
  val values = new RuntimeValues
  private val leaves = mutable.ArrayBuffer.empty[Leaf]
  private val captures = mutable.ArrayBuffer.empty[Capture]

  /** Of all operators in pre-order, as the core reports them. */
  val metrics = mutable.ArrayBuffer.empty[SQLMetric]

  /** Where in `metrics` the scans' bytes and rows stand. */
  private val scans = mutable.ArrayBuffer.empty[ScanFigures]

  def rdd[T: ClassTag](root: SparkPlan, to: FragmentOutput[T]): RDD[T] = {
    val partitions = FragmentRDD.partitionCount(leaves.toSeq)
    captures.foreach(_.begin(partitions, root))
    new FragmentRDD(
      root.session.sparkContext,
      values.addTo(json),
      leaves.toSeq,
      SessionConf.task(root.conf),
      to,
      new FragmentMetrics(metrics.toSeq, scans.toSeq, output))
  }

  /** The fragment's JSON, as core/operators/fragment.h says. */
  def add(node: NativeOperatorExec): String = node.whenReady {
    node.verdict.input match {
      case NativeInput.Parts(parts) if node.verdict.capture.isEmpty => new JoinInParts(node, parts).addTo(this)
      case _ => addWhole(node)
    }
  }

  private def addWhole(node: NativeOperatorExec): String = {
    val verdict = node.verdict
    val first = metrics.length
    metrics ++= node.coreMetrics
    values.add(node.exprs)
    val capture = noteCapture(node)
    if (verdict.readsSplits) {
      scans += ScanFigures(
        first + verdict.metrics.indexWhere(_.name == "bytesRead"),
        first + verdict.metrics.indexWhere(_.name == "numOutputRows"))
      s"""{"leaf":${number(splitsOf(node.current))},"operator":${verdict.operator}$capture}"""
    } else {
      s"""{"operator":${verdict.operator},"inputs":[${addInputs(node).mkString(",")}]$capture}"""
    }
  }

  /** What marks the node's operator in the JSON as one to be dumped. */
  def noteCapture(node: NativeOperatorExec): String = node.verdict.capture.filter(_ => isDumped).fold("") { capture =>
    val isReplicated = node.children.map(_.outputPartitioning.isInstanceOf[BroadcastPartitioning])
    captures += Capture(capture, node.verdict.operator, isReplicated)
    s""","capture":$capture"""
  }

  /** What the node reads. */
  def addInputs(node: NativeOperatorExec): Seq[String] = node.verdict.input match {
    case NativeInput.Gathered(leaf) =>
      val together = Gathering.of(node, node.children.map(Fragment.batches))
      Seq(addBatches(together, leaf, node))
    case NativeInput.Paired(leaves) =>
      Gathering.paired(node.children.map(Fragment.batches)).zip(leaves).map { case (batches, leaf) =>
        addBatches(batches, leaf, node)
      }
    case NativeInput.Parts(parts) =>
      node.children.zipWithIndex.map {
        case (child, parts.streamed) =>
          addBatches(Gathering.coalesce(1, Fragment.batches(child)), parts.whole, node)
        case (child, _) => addChild(child, node)
      }
    case _ => node.children.map(addChild(_, node))
  }

  def addChild(child: SparkPlan, node: NativeOperatorExec): String = child match {
    case native: NativeExec => add(native)
    case input: FragmentInputExec => addInput(input)
    case other => throw SparkException.internalError(s"${node.nodeName} cannot read from ${other.nodeName}")
  }

  def addBatches(batches: RDD[Long], leaf: LeafSpec, node: SparkPlan): String =
    addLeaf(BatchLeaf(batches), leaf, leaf.transition.createMetrics(node.session.sparkContext))

  /** An operator that stands for no node of the plan. */
  def over(operator: String, figures: Seq[SQLMetric], capture: String = "")(input: => Seq[String]): String = {
    metrics ++= figures
    s"""{"operator":$operator,"inputs":[${input.mkString(",")}]$capture}"""
  }

  def addInput(input: FragmentInputExec): String = addLeaf(leafOf(input.child, input.leaf), input.leaf, input.metrics)

  def addLeaf(leaf: Leaf, spec: LeafSpec, figures: Map[String, SQLMetric]): String = {
    metrics ++= spec.transition.metrics.map(m => figures(m.name))
    s"""{"leaf":${number(leaf)},"operator":${spec.operator}}"""
  }

  private def number(leaf: Leaf): Int = {
    leaves += leaf
    leaves.length - 1
  }

  private def leafOf(child: SparkPlan, spec: LeafSpec): Leaf = spec.kind match {
    case "shuffle_read" => BlockLeaf(NativeShuffleExchangeExec.blocksOf(child))
    case "broadcast_read" => BroadcastLeaf(child.executeBroadcast[NativeRelation]())
    case _ if child.outputPartitioning.isInstanceOf[BroadcastPartitioning] =>
      BroadcastRowLeaf(NativeBroadcastExchangeExec.asSpark(child), child.schema)
    case _ => RowLeaf(child.execute(), child.schema)
  }

  private def splitsOf(scan: SparkPlan): Leaf = scan match {
    case v1: FileSourceScanExec => FileLeaf(ScanSplits.of(v1), v1.relation.partitionSchema)
    case v2: BatchScanExec =>
      val partitions = v2.inputRDD.partitions.toIndexedSeq.map {
        case p: DataSourceRDDPartition => joined(p)
        case other => FilePartition(other.index, Array.empty)
      }
      FileLeaf(partitions, v2.scan.asInstanceOf[FileScan].readPartitionSchema)
    case range: RangeExec => MadeLeaf(range.outputPartitioning.numPartitions)
    case other => unknownScan(other)
  }

  private def joined(partition: DataSourceRDDPartition): FilePartition =
    FilePartition(partition.index, partition.inputPartitions.toArray.flatMap {
      case files: FilePartition => files.files
      case other => unknownScan(other)
    })

  private def unknownScan(found: Any): Nothing =
    throw SparkException.internalError(s"a scan whose files cannot be found: ${found.getClass.getName}")
}
