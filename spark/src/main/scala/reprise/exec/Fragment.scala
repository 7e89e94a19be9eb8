package reprise.exec

import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.reflect.ClassTag

import org.apache.spark.{QueryContext, SparkContext, SparkException}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.{ColumnarToRowExec, FileSourceScanExec, InputAdapter, RangeExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceRDDPartition}
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetScan
import org.apache.spark.sql.execution.joins.BaseJoinExec
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.execution.python.access.PythonFunctions

import reprise.access.InputPartitions
import reprise.bridge.{SessionConf, TaskSettings, UserCallSite}
import reprise.ledger.Ledger
import reprise.serialize.{CachedTable, ErrorContexts, NativeExchanges, QueryIdentity}
import reprise.trace.TraceFolders

/** Puts a connected piece of native operators together, on the driver, when it is about to run. */
private[exec] object Fragment {
  private val numbered = new AtomicLong

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
   * @param isObserved whether the operators that are to be dumped, or checksummed, are that here
   */
  def made[T: ClassTag](
      root: SparkPlan,
      to: FragmentOutput[T],
      output: Map[String, SQLMetric] = Map.empty,
      isObserved: Boolean = true)(build: Fragment => String): RDD[T] = UserCallSite(root.session.sparkContext) {
    val fragment = new Fragment(output, isObserved, SessionConf.task(root.conf))
    fragment.json = root match {
      case node: NativeOperatorExec => fragment.of(node)(build(fragment))
      case _ => build(fragment)
    }
    fragment.rdd(root, to)
  }

  /** What gives a broadcast, below the edges of fragments. */
  def source(plan: SparkPlan): SparkPlan = plan match {
    case edge: FragmentInputExec => source(edge.child)
    case other => other
  }

  /** The batches of a child, as `inputs` says it is read. */
  def batches(child: SparkPlan): RDD[Long] = child match {
    case native: NativeExec => made(native, BatchOutput)(_.add(native))
    case input: FragmentInputExec => made(input, BatchOutput)(_.addInput(input))
    case other => throw SparkException.internalError(s"${other.nodeName} has no batches")
  }

  /** The rows of `child` as they pass a recorder. @param begin told how many partitions there are */
  def recorded(child: SparkPlan, recorder: RecorderSpec, figures: Map[String, SQLMetric])(begin: Int => Unit): RDD[InternalRow] = {
    val passed = recorder.metrics.map(m => figures(m.name))
    made(child, RowOutput(child.output.length)) { fragment =>
      fragment.beforeRunning += begin
      fragment.over(recorder.operator, passed, captureMember(recorder.capture))(Seq(fragment.addRows(child, recorder.leaf)))
    }
  }

  /** The same of rows that no node of a plan gives; `node` is what they are recorded for. */
  def recorded(node: SparkPlan, rows: RDD[InternalRow], columns: Seq[Attribute], recorder: RecorderSpec)(
      begin: Int => Unit): RDD[InternalRow] = {
    val context = node.session.sparkContext
    made(node, RowOutput(columns.length)) { fragment =>
      fragment.beforeRunning += begin
      fragment.over(recorder.operator, recorder.metrics.map(_.create(context)), captureMember(recorder.capture)) {
        val leaf = RowLeaf(rows, DataTypeUtils.fromAttributes(columns))
        Seq(fragment.addLeaf(leaf, recorder.leaf, recorder.leaf.transition.createMetrics(context)))
      }
    }
  }

  /** The rows of `child`, of which nothing is dumped or checksummed. */
  def unobserved(child: SparkPlan): RDD[InternalRow] = child match {
    case native: NativeExec => made(native, RowOutput(child.output.length), isObserved = false)(_.add(native))
    case rows => rows.execute()
  }

  /** The rows of `child` as they pass a check. */
  def checked(child: SparkPlan, check: CheckVerdict, figures: Map[String, SQLMetric]): RDD[InternalRow] =
    made(child, RowOutput(child.output.length)) { fragment =>
      fragment.over(check.operator, check.metrics.map(m => figures(m.name)))(Seq(fragment.addRows(child, check.leaf)))
    }

  /** Records a broadcast, by a job of one task. @param plan gives the broadcast */
  def recordShared(plan: SparkPlan, recorder: RecorderSpec): Unit = UserCallSite(plan.session.sparkContext) {
    val context = plan.session.sparkContext
    val rows = made(plan, RowOutput(plan.output.length)) { fragment =>
      fragment.number(MadeLeaf(1))
      val figures = recorder.metrics.map(_.create(context))
      fragment.over(recorder.operator, figures, captureMember(recorder.capture)) {
        Seq(fragment.addLeaf(fragment.leafOf(plan), recorder.leaf, recorder.leaf.transition.createMetrics(context)))
      }
    }
    context.runJob(rows, (rows: Iterator[InternalRow]) => rows.foreach(_ => ()))
  }

  private def captureMember(capture: String) = s""","capture":$capture"""
}

private[exec] final class Fragment(output: Map[String, SQLMetric], isObserved: Boolean, settings: TaskSettings) {
  var json = ""

  /** What tells its guests from those of others: tasks share what is made of a broadcast with them. */
  private lazy val identity = Fragment.numbered.incrementAndGet()
  val values = new RuntimeValues
  private var contexts = Map.empty[String, QueryContext]
  private val leaves = mutable.ArrayBuffer.empty[Leaf]
  private val guests = mutable.ArrayBuffer.empty[Guests]
  private val functions = mutable.ArrayBuffer.empty[GuestFunction]

  /** What is to be done on the driver, when the number of partitions is known. */
  private val beforeRunning = mutable.ArrayBuffer.empty[Int => Unit]

  /** Of all operators in pre-order, as the core reports them. */
  val metrics = mutable.ArrayBuffer.empty[SQLMetric]

  /** Where in `metrics` the scans' bytes and rows stand. */
  private val scans = mutable.ArrayBuffer.empty[ScanFigures]

  def rdd[T: ClassTag](root: SparkPlan, to: FragmentOutput[T]): RDD[T] = {
    val partitions = FragmentRDD.partitionCount(leaves.toIndexedSeq)
    beforeRunning.foreach(_(partitions))
    val context = root.session.sparkContext
    settings.traces.foreach(TraceFolders.prepare(_, context.hadoopConfiguration))
    new FragmentRDD(
      context,
      values.addTo(json),
      contexts,
      leaves.toIndexedSeq,
      guests.toIndexedSeq ++ functions,
      settings,
      Ledger.of(context).flatMap(_ => QueryIdentity.of(root)).map(_.token),
      to,
      new FragmentMetrics(metrics.toIndexedSeq, scans.toIndexedSeq, output))
  }

  /**
   * What `operators` adds of a node: when the values of its subqueries are there, which come along. All that runs of a
   * native node, and of the root of a fragment, goes through here.
   */
  private def of(node: NativeOperatorExec)(operators: => String): String = node.whenReady {
    addExpressions(node.exprs)
    operators
  }

  /** The fragment's JSON, as core/operators/fragment.h says. */
  def add(node: NativeOperatorExec): String = of(node) {
    node.verdict.input match {
      case NativeInput.Parts(parts) if node.verdict.capture.isEmpty => new JoinInParts(node, parts).addTo(this)
      case _ => addWhole(node)
    }
  }

  private def addWhole(node: NativeOperatorExec): String = {
    // A dump of the fragment below the node asks for it when the driver is about to run it.
    lazy val whole: String = jsonOf(node, () => whole)
    whole
  }

  private def jsonOf(node: NativeOperatorExec, whole: () => String): String = {
    val verdict = node.verdict
    val first = metrics.length
    metrics ++= node.coreMetrics
    val members = noteCapture(node, Some(whole)) + checksummed(node) + promised(node)
    if (verdict.readsSplits) {
      def position(name: String) = Some(verdict.metrics.indexWhere(_.name == name)).filter(_ >= 0).map(first + _)
      scans += ScanFigures(position("bytesRead"), position("numOutputRows"))
      s"""{"leaf":${number(splitsOf(node.current))},"operator":${verdict.operator}$members}"""
    } else {
      s"""{"operator":${verdict.operator},"inputs":[${addInputs(node).mkString(",")}]$members${addCondition(node)}${addFunctions(node)}}"""
    }
  }

  /** The condition of a join that Spark evaluates for pairs of rows. */
  private def addCondition(node: NativeOperatorExec): String = (node.verdict.guestCondition, node.current) match {
    case (Some(reads), join: BaseJoinExec) =>
      val columns = node.children.flatMap(_.output)
      guests += Guests(join.condition.map(TaskGuest.known).toIndexedSeq, reads.map(columns))
      s""","guest":${guests.length - 1}"""
    case _ => ""
  }

  /** The aggregate functions that Spark evaluates for the node, from the number of the first on. */
  private def addFunctions(node: NativeOperatorExec): String =
    if (node.verdict.functions.isEmpty) ""
    else {
      val first = functions.length
      functions ++= GuestFunction.of(node.current, node.verdict.functions, node.children.head)
      s""","guest":$first"""
    }

  /** What the operators' expressions refer to, beside their input. */
  def addExpressions(expressions: Seq[Expression]): Unit = {
    values.add(expressions)
    contexts ++= ErrorContexts.of(expressions)
  }

  /** What marks the operator that stands for the node as one whose output is checksummed. */
  def checksummed(node: NativeOperatorExec): String =
    node.verdict.checksummedAs.filter(_ => isObserved).fold("")(loreId => s""","checksummedAs":$loreId""")

  /** What has the core check that the node's rows come in the order that it promises. */
  def promised(node: NativeOperatorExec): String =
    if (!settings.checksOrder) "" else node.promisedOrder.fold("")(order => s""","ordering":$order""")

  /**
   * What marks the node's operator in the JSON as one to be dumped, alone or with those below it.
   *
   * @param whole the JSON of the node, once it is there
   */
  def noteCapture(node: NativeOperatorExec, whole: Option[() => String] = None): String = {
    val shared = node.verdict.shared
    val capture = node.verdict.capture.filter(_ => isObserved)
    capture.foreach { request =>
      val dump = new DumpOfOperator(
        request,
        node.verdict.operator,
        isApart = false,
        node.current,
        values,
        whole.filter(_ => node.verdict.isRootOfDumped))
      beforeRunning += { partitions =>
        val inputs = node.verdict.input match {
          case NativeInput.Union(_) => Seq(DumpedStream(partitions))
          case _ => node.children.indices.map(i => if (shared.contains(i)) DumpedStream.shared else DumpedStream(partitions))
        }
        dump.begin(inputs.map(Some(_)), Some(DumpedStream(partitions)))
      }
    }
    // Of a fragment that is dumped the operators below its root have broadcasts too.
    if (isObserved && shared.nonEmpty) beforeRunning += { _ =>
      shared.foreach { case (child, recorder) => Fragment.recordShared(Fragment.source(node.children(child)), recorder) }
    }
    capture.fold("")(Fragment.captureMember)
  }

  /** What the node reads. */
  def addInputs(node: NativeOperatorExec): Seq[String] = node.verdict.input match {
    case NativeInput.Union(leaf) =>
      val together = BatchRDDs.of(node, node.children.map(Fragment.batches))
      Seq(addBatches(together, leaf, node))
    case NativeInput.Paired(leaves) =>
      BatchRDDs.paired(node.children.map(Fragment.batches)).zip(leaves).map { case (batches, leaf) =>
        addBatches(batches, leaf, node)
      }
    case NativeInput.Python(exchange) => Seq(addPython(node, exchange))
    case NativeInput.Parts(parts) =>
      node.children.zipWithIndex.map {
        case (child, parts.streamed) =>
          addBatches(BatchRDDs.coalesce(1, Fragment.batches(child)), parts.whole, node)
        case (child, _) => addChild(child, node)
      }
    case _ => node.children.map(addChild(_, node))
  }

  def addChild(child: SparkPlan, node: SparkPlan): String = child match {
    case native: NativeExec => add(native)
    case taken: NativeTakeOrderedExec => of(taken)(taken.addTo(this))
    case guests: GuestProjectExec => addGuests(guests)
    case input: FragmentInputExec => addInput(input)
    case other => throw SparkException.internalError(s"${node.nodeName} cannot read from ${other.nodeName}")
  }

  private def addGuests(node: GuestProjectExec): String = node.whenReady {
    guests += node.inTask
    addExpressions(node.guests)
    val members = s""","guest":${guests.length - 1},"fragment":$identity"""
    over(node.verdict.operator, node.coreMetrics, members) {
      def input = addChild(node.child, node)
      Seq(node.verdict.before.fold(input) { filter =>
        over(filter.operator, filter.metrics.map(_.create(node.session.sparkContext)))(Seq(input))
      })
    }
  }

  /** What comes back from Python of the rows of the node's child. */
  private def addPython(node: NativeOperatorExec, exchange: PythonExchange): String = {
    val context = node.session.sparkContext
    val sent = Fragment.made(node, BatchOutput, isObserved = false) { below =>
      below.overParts(exchange.before, context)(below.addChild(node.children.head, node))
    }
    val functions = PythonFunctions.of(node.current, exchange.places, node.metrics)
    val leaf =
      PythonLeaf(sent, functions, exchange.sent.toArray, exchange.asStruct, exchange.groupEnd, exchange.perGroup)
    overParts(exchange.after, context) {
      addLeaf(leaf, exchange.results, exchange.results.transition.createMetrics(context))
    }
  }

  /** Operators that stand for no node of the plan, the first over the input. */
  private def overParts(parts: Seq[Part], context: SparkContext)(input: => String): String = parts match {
    case before :+ last => over(last.operator, last.metrics.map(_.create(context)))(Seq(overParts(before, context)(input)))
    case _ => input
  }

  def addBatches(batches: RDD[Long], leaf: LeafSpec, node: SparkPlan): String =
    addLeaf(BatchLeaf(batches), leaf, leaf.transition.createMetrics(node.session.sparkContext))

  /** An operator that stands for no node of the plan. @param members further ones of its JSON */
  def over(operator: String, figures: Seq[SQLMetric], members: String = "")(input: => Seq[String]): String = {
    metrics ++= figures
    s"""{"operator":$operator,"inputs":[${input.mkString(",")}]$members}"""
  }

  /** What `child` gives, native or not. */
  def addRows(child: SparkPlan, leaf: LeafSpec): String = child match {
    case native: NativeExec => add(native)
    case rows =>
      val read = RowLeaf(rows.execute(), rows.schema, partitionColumnsOf(rows))
      addLeaf(read, leaf, leaf.transition.createMetrics(child.session.sparkContext))
  }

  /** Of a scan of files, which may give columns that Spark makes rows of. */
  private def partitionColumnsOf(plan: SparkPlan): Option[StructType] = plan match {
    case scan: FileSourceScanExec => Some(scan.relation.partitionSchema)
    case toRows: ColumnarToRowExec => partitionColumnsOf(toRows.child)
    case wrapper @ (_: WholeStageCodegenExec | _: InputAdapter) => partitionColumnsOf(wrapper.children.head)
    case _ => None
  }

  def addInput(input: FragmentInputExec): String = {
    val leaf = input.child match {
      case CachedTable(scan) if input.leaf.readsColumns => CacheLeaf(CachedTable.batches(scan), CachedTable.columns(scan))
      case _ if input.supportsColumnar => ColumnLeaf(input.executeColumnar(), input.schema)
      case other => leafOf(other)
    }
    addLeaf(leaf, input.leaf, input.metrics)
  }

  def addLeaf(leaf: Leaf, spec: LeafSpec, figures: Map[String, SQLMetric]): String = {
    metrics ++= spec.transition.metrics.map(m => figures(m.name))
    s"""{"leaf":${number(leaf)},"operator":${spec.operator}}"""
  }

  private def number(leaf: Leaf): Int = {
    leaves += leaf
    leaves.length - 1
  }

  /**
   * What is read of a plan that is not of the fragment. An exchange is read as who made it gives it, whatever was to be
   * expected when the reader was planned: by then Spark may have put an equal one in its place. The core takes either.
   */
  private def leafOf(child: SparkPlan): Leaf = (NativeExchanges.of(child), child.outputPartitioning) match {
    case (Some(native: NativeBroadcastExchangeExec), _) => BroadcastLeaf(native.executeBlocks())
    case (_, _: BroadcastPartitioning) => BroadcastRowLeaf(child.executeBroadcast[Any](), child.schema)
    case (Some(_), _) =>
      NativeShuffleExchangeExec.blocksOf(child.execute()).fold[Leaf](notBlocks(child))(BlockLeaf(_))
    case _ => RowLeaf(child.execute(), child.schema)
  }

  private def notBlocks(plan: SparkPlan) =
    throw SparkException.internalError(s"${plan.nodeName} stands for a native exchange, but gives no blocks")

  private def splitsOf(scan: SparkPlan): Leaf = scan match {
    case v1: FileSourceScanExec if PieceLeaf.isFor(v1) => PieceLeaf.of(v1)
    case v1: FileSourceScanExec =>
      val relation = v1.relation
      val state = relation.sparkSession.sessionState
      FileLeaf(ScanSplits.of(v1), v1.requiredSchema, FileConstants.of(v1).schema, v1.session.sparkContext) {
        state.newHadoopConfWithOptions(relation.options)
      }
    case v2: BatchScanExec =>
      val partitions = v2.inputRDD.partitions.toIndexedSeq.map {
        case p: DataSourceRDDPartition => joined(p)
        case other => FilePartition(other.index, Array.empty)
      }
      val scan = v2.scan.asInstanceOf[ParquetScan]
      FileLeaf(partitions, scan.readDataSchema, scan.readPartitionSchema, v2.session.sparkContext)(scan.hadoopConf)
    case range: RangeExec => MadeLeaf(range.outputPartitioning.numPartitions)
    case other => unknownScan(other)
  }

  private def joined(partition: DataSourceRDDPartition): FilePartition =
    FilePartition(partition.index, InputPartitions.of(partition).toArray.flatMap {
      case files: FilePartition => files.files
      case other => unknownScan(other)
    })

  private def unknownScan(found: Any): Nothing =
    throw SparkException.internalError(s"a scan whose files cannot be found: ${found.getClass.getName}")
}
