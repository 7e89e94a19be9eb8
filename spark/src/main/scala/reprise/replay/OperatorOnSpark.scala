package reprise.replay

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BindReferences, SortOrder, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.{CollapseCodegenStages, ColumnarToRowExec, SortExec, SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.execution.joins.CartesianProductExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

import reprise.access.{BroadcastInternals, SparkTypes}
import reprise.bridge.{RaisedError, ReplayedOperator, RowSource}

/** Runs a dumped operator by Spark, one partition at a time, over the recorded rows. */
private[replay] final class OperatorOnSpark(dump: RecordedDump, session: SparkSession)
  extends ReplayedOperator
  with AutoCloseable {
  private val classic = session.asInstanceOf[SparkTypes.Session]
  private var running: Option[Job] = None

  override def open(partition: Int, attempt: Long): RowSource = {
    close()
    SparkSession.setActiveSession(session)
    val (rows, schema) = outputOf(partition, attempt)
    checkSplits(rows)
    val job = new Job(rows, schema, recordedTogether(partition, rows.getNumPartitions))
    running = Some(job)
    job.start()
    job.queue
  }

  override def told(error: Throwable): String = RaisedError.json(error)

  /** Throws where the operator can't be made. */
  def check(): Unit = operator(0, -1) match {
    case shuffle: ShuffleExchangeExec if !dump.tellsPartitions =>
      throw new NotPortable(
        s"the output of ${dump.name} was recorded without the numbers of its partitions, or not at all")
    case shuffle: ShuffleExchangeExec if shuffle.outputPartitioning.isInstanceOf[RangePartitioning] =>
      throw new NotPortable(
        s"Spark samples the bounds of ${dump.name}'s partitions anew; only the core divides by the recorded ones")
    case _: BroadcastExchangeExec if dump.kind == "shuffle_write" =>
      throw new NotPortable(s"${dump.name} was recorded task by task; Spark's operator makes one relation of all rows")
    case _ =>
  }

  /** A leaf divides what it reads by itself, by the settings and the cores of its application. */
  private def checkSplits(rows: RDD[InternalRow]): Unit =
    if (dump.inputs.isEmpty && rows.getNumPartitions != dump.partitions) {
      throw new NotPortable(
        s"${dump.name} had ${dump.partitions} partitions and has ${rows.getNumPartitions} here; " +
          s"${SQLConf.FILES_MIN_PARTITION_NUM.key} and ${SQLConf.LEAF_NODE_DEFAULT_PARALLELISM.key} change that")
    }

  /** Nobody wants more rows. */
  override def close(): Unit = {
    running.foreach(_.cancel())
    running = None
  }

  /**
   * The partitions of Spark's operator that are one of the recorded ones. Spark's nested loop join gives the rows of its
   * broadcast side that have no match in a partition behind the others, the core with the last one where it can.
   */
  private def recordedTogether(partition: Int, partitions: Int): Seq[Int] =
    if (partitions == 1) Seq(0)
    else if (partition == dump.partitions - 1) partition until partitions
    else Seq(partition)

  private def outputOf(partition: Int, attempt: Long): (RDD[InternalRow], StructType) =
    SQLExecution.withSQLConfPropagated(classic) {
      prepared(operator(partition, attempt)) match {
        case shuffle: ShuffleExchangeExec =>
          val rows = DividedRows.together(shuffle.shuffleDependency.rdd, shuffle.output)
          (rows, DataTypeUtils.fromAttributes(DividedRows.columns(shuffle.output)))
        case broadcast: BroadcastExchangeExec =>
          val (relation, columns) = (broadcast.executeBroadcast[Any](), broadcast.output.length)
          val one = session.sparkContext.parallelize(Seq(()), 1)
          (one.mapPartitions(_ => BroadcastInternals.rows(relation.value, columns)), broadcast.schema)
        case plan => (plan.execute(), plan.schema)
      }
    }

  /** The operator is made anew for each partition: a broadcast may hold another record. */
  private def operator(partition: Int, attempt: Long): SparkPlan = {
    val portable = PortablePlan.open(dump.portable)
    // The core may have read what Spark would have sorted first.
    val inputs = if (dump.kind == "spark") portable.inputs else portable.inputs.map(_.copy(ordering = Nil))
    val streams = dump.inputs
    if (streams.length == inputs.length) {
      def over(stream: RecordedStream => RecordedStream): SparkPlan =
        portable.over(inputs.indices.map(i => recorded(inputs(i), i, stream(streams(i)), partition, attempt)))
      over(identity) match {
        // Each of the core's partitions was recorded with the two that it pairs.
        case _: CartesianProductExec if dump.kind != "spark" => over(_.copy(isReplicated = true))
        case operator => sorted(operator)
      }
    } else if (streams.length == 1 && inputs.nonEmpty) {
      // The core has put the partitions of all inputs together in front of the operator: all are the first one's.
      val together = recorded(inputs.head, 0, streams.head, partition, attempt)
        .copy(outputPartitioning = PortablePlan.unknownPartitioning)
      portable.over(together +: inputs.tail.map(nothing))
    } else {
      throw new NotPortable(s"${streams.length} inputs were recorded; Spark's operator has ${inputs.length}")
    }
  }

  private def recorded(
      input: PortableInput,
      number: Int,
      stream: RecordedStream,
      partition: Int,
      attempt: Long): RecordedInputExec = {
    val partitions = if (stream.isReplicated) IndexedSeq(partition) else 0 until stream.partitions
    val rows = new RecordedRowsRDD(session.sparkContext, dump.folder, number, stream.columns, partitions, attempt)
    RecordedInputExec(input, if (stream.columns > input.output.length) OperatorOnSpark.first(input.output, rows) else rows)
  }

  private def nothing(input: PortableInput): RecordedInputExec =
    RecordedInputExec(input.output, session.sparkContext.emptyRDD[InternalRow], PortablePlan.unknownPartitioning, Nil)

  /** The core joins without the order that Spark's join counts on. */
  private def sorted(operator: SparkPlan): SparkPlan =
    operator.withNewChildren(operator.children.zip(operator.requiredChildOrdering).map { case (child, required) =>
      if (SortOrder.orderingSatisfies(child.outputOrdering, required)) child
      else SortExec(required, global = false, child)
    })

  /** As the last steps of planning leave it: with generated code where Spark would have generated some. */
  private def prepared(operator: SparkPlan): SparkPlan = {
    val rows = if (operator.supportsColumnar) ColumnarToRowExec(operator) else operator
    CollapseCodegenStages()(rows)
  }

  private final class Job(rows: RDD[InternalRow], schema: StructType, partitions: Seq[Int]) extends Thread("replay on Spark") {
    val queue = new RowQueue
    private val number = RowQueue.register(queue)
    private val tag = s"reprise-replay-$number"
    setDaemon(true)

    override def run(): Unit =
      try {
        val context = session.sparkContext
        SparkSession.setActiveSession(session)
        context.addJobTag(tag)
        SQLExecution.withSQLConfPropagated(classic) {
          // One after the other, so that rows come in their order.
          partitions.foreach(partition => context.runJob(rows, OperatorOnSpark.feed(number, schema), Seq(partition)))
        }
        queue.end()
      } catch { case e: Throwable => queue.fail(e) }
      finally RowQueue.forget(number)

    def cancel(): Unit = {
      queue.close()
      if (isAlive) session.sparkContext.cancelJobsWithTag(tag)
      join()
    }
  }
}

private object OperatorOnSpark {

  /** The rows without what stands behind `columns`. */
  def first(columns: Seq[Attribute], rows: RDD[InternalRow]): RDD[InternalRow] = {
    val bound = BindReferences.bindReferences(columns, columns)
    rows.mapPartitions { partition =>
      val projection = UnsafeProjection.create(bound)
      partition.map(projection(_))
    }
  }

  /** What a task does; without a reference to anything that lives on the driver alone. */
  def feed(queue: Long, schema: StructType): (TaskContext, Iterator[InternalRow]) => Unit =
    (_, rows) => RowQueue.of(queue).addAll(rows, schema)
}
