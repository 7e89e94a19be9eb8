package reprise.exec

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/** A figure that the core reports. @param unit "count", "bytes" or "ns" */
final case class MetricSpec(name: String, label: String, unit: String) {
  def create(context: SparkContext): SQLMetric = unit match {
    case "bytes" => SQLMetrics.createSizeMetric(context, label)
    case "ns" => SQLMetrics.createNanoTimingMetric(context, label)
    case _ => SQLMetrics.createMetric(context, label)
  }
}

/** How a transition shows itself. */
final case class TransitionSpec(name: String, metrics: Seq[MetricSpec]) {
  def createMetrics(context: SparkContext): Map[String, SQLMetric] =
    metrics.map(m => m.name -> m.create(context)).toMap
}

/** An operator that stands for no node of the plan, such as a leaf of a fragment. @param operator its specification; @param kind the operator's kind */
final case class LeafSpec(kind: String, operator: String, transition: TransitionSpec) {
  def readsRows: Boolean = kind == "row_input"
  def readsColumns: Boolean = kind == "column_input"
}

/**
 * A fragment of one operator that lets rows pass, so that a dump sees them.
 *
 * @param leaf     how it reads what is not native
 * @param capture  which stream of which operator it records
 * @param isShared it reads a broadcast, which is recorded once for all tasks
 */
final case class RecorderSpec(
    operator: String,
    metrics: Seq[MetricSpec],
    leaf: LeafSpec,
    capture: String,
    isShared: Boolean)

/**
 * What the core said of a node that Spark runs and that is to be dumped.
 *
 * @param operator its specification
 * @param isApart  its streams have partitions of their own
 * @param inputs   for each child
 */
final case class RecordVerdict(
    operator: String,
    capture: String,
    isApart: Boolean,
    inputs: Seq[RecorderSpec],
    output: Option[RecorderSpec])

/**
 * What the core said of a node that Spark runs and that something is asserted of: a fragment of one operator above it,
 * which checks its rows.
 *
 * @param leaf how it reads what is not native
 */
final case class CheckVerdict(operator: String, metrics: Seq[MetricSpec], leaf: LeafSpec)

/**
 * What Spark evaluates for a native node, below it.
 *
 * @param input       the child that it is evaluated on
 * @param operator    the specification of the operator that puts the results beside the input's columns
 * @param reads       the columns of the input that the expressions read
 * @param expressions their numbers in the plan's document; those of several: their conjunction
 * @param before      what chooses the rows for which they are evaluated
 */
final case class GuestVerdict(
    input: Int,
    name: String,
    operator: String,
    metrics: Seq[MetricSpec],
    reads: Seq[Int],
    expressions: Seq[Seq[Long]],
    before: Option[Part])

/**
 * An aggregate function that Spark evaluates for a native node.
 *
 * @param index    its place among the node's
 * @param reads    the columns of the input that it reads, where it reads rows
 * @param inUnsafe whether Spark keeps the node's buffers in UnsafeRows
 */
final case class GuestFunctionVerdict(index: Int, reads: Option[Seq[Int]], inUnsafe: Boolean)

/** Where a native node takes its input from. */
sealed trait NativeInput
object NativeInput {

  /** From its children. */
  case object Children extends NativeInput

  /** From the file splits of the Spark scan that it replaces, or from what it makes itself. */
  case object Splits extends NativeInput

  /** From the partitions of its children, put together by Spark. */
  final case class Union(leaf: LeafSpec) extends NativeInput

  /** From the partitions of its two children, each paired with each. */
  final case class Paired(leaves: Seq[LeafSpec]) extends NativeInput

  /** From Python's workers, to which its child's rows go. */
  final case class Python(exchange: PythonExchange) extends NativeInput

  /** From several tasks, as the parts of a join; from one where the whole is to be dumped. */
  final case class Parts(parts: JoinParts) extends NativeInput
}

/** An operator that stands for no node of the plan. */
final case class Part(operator: String, metrics: Seq[MetricSpec])

/**
 * How rows go to Python's workers and their results come back.
 *
 * @param before   what runs over the child, the one that reads it first
 * @param sent     the columns of the last of them that are sent
 * @param asStruct as the fields of one column
 * @param places   of each function whose arguments are columns: which of those that are sent it gets, in front those of
 *                 its frame over a window
 * @param groupEnd where rows go group by group: the column that says which batch is a group's last
 * @param perGroup there is one result for a group
 * @param results  how what comes back is read, beside the rows that were put aside
 * @param after    what runs over it, the one that reads it first
 */
final case class PythonExchange(
    before: Seq[Part],
    sent: Seq[Int],
    asStruct: Boolean,
    places: Seq[Seq[Int]],
    groupEnd: Option[Int],
    perGroup: Boolean,
    results: LeafSpec,
    after: Seq[Part])

/**
 * A join that keeps rows of its broadcast side: what no task can tell alone.
 *
 * @param pairs     gives the rows that a task can tell, if there are such
 * @param matches   tells which rows of the broadcast have a match among a task's rows
 * @param write     sends that to the one task of an exchange
 * @param read      how that task reads it
 * @param unmatched gives the rows of the broadcast that are left to it
 * @param union     stands for the join where `leaf` gives the rows of both
 * @param streamed  the child that is not the broadcast
 * @param whole     the leaf that gives all of that child's rows to one task
 */
final case class JoinParts(
    pairs: Option[Part],
    matches: Part,
    write: Part,
    read: LeafSpec,
    unmatched: Part,
    union: Part,
    leaf: LeafSpec,
    streamed: Int,
    whole: LeafSpec)

/** An operator that runs in two stages: before an exchange to one partition, and after it. */
final case class TwoStages(
    local: String,
    localMetrics: Seq[MetricSpec],
    write: String,
    writeMetrics: Seq[MetricSpec],
    read: LeafSpec)

/** A value of the user's in what is shown of a scan. @param before the core's own words before it */
final case class ShownValue(before: String, value: String)

/**
 * What the core said of a node that it runs. The JSON texts are its own business.
 *
 * @param values   what is shown of a scan before its arguments
 * @param operator the operator's specification
 * @param inputs   for each child the leaf that it is read by, or none where the child is native and in the same fragment
 * @param read     of an exchange: how what it has written is read
 * @param sample   of an exchange that sorts: the projection to its keys
 * @param isOrderSensitive of an exchange: its partitions get other rows where they come in another order
 * @param guests   what Spark evaluates for it; of those for one child the later stand above the earlier
 * @param guestCondition of a join whose condition Spark evaluates: the columns of its children that it reads, one child's after the other's
 * @param functions of an aggregate: the functions that Spark evaluates
 * @param results  of an aggregate of whose results Spark evaluates some: the projection above it
 * @param stages   of an operator that needs all rows in one place
 * @param capture  how the operator is to be dumped
 * @param isRootOfDumped with those below it, as one fragment
 * @param shared   then: the recorders of its broadcasts, by the number of the child
 * @param checksummedAs the LORE id under which the ledger checksums its output
 * @param keepsOrder whether its rows have the order that Spark's node promises
 */
final case class NativeVerdict(
    name: String,
    arguments: String,
    values: Seq[ShownValue],
    operator: String,
    input: NativeInput,
    inputs: Seq[Option[LeafSpec]],
    metrics: Seq[MetricSpec],
    read: Option[LeafSpec],
    sample: Option[LeafSpec],
    isOrderSensitive: Boolean,
    guests: Seq[GuestVerdict],
    guestCondition: Option[Seq[Int]],
    functions: Seq[GuestFunctionVerdict],
    results: Option[NativeVerdict],
    stages: Option[TwoStages],
    capture: Option[String],
    isRootOfDumped: Boolean,
    shared: Map[Int, RecorderSpec],
    checksummedAs: Option[Long],
    keepsOrder: Boolean) {
  def readsSplits: Boolean = input == NativeInput.Splits
}
