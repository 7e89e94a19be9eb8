package reprise.replay

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastPartitioning, Partitioning}
import org.apache.spark.sql.execution.{LeafExecNode, SparkPlan}
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

/** The recorded rows of an input, in place of the operator that gave them. Shows as if they had come from there. */
case class RecordedInputExec(
    output: Seq[Attribute],
    @transient rows: RDD[InternalRow],
    override val outputPartitioning: Partitioning,
    override val outputOrdering: Seq[SortOrder])
  extends LeafExecNode {

  override def nodeName: String = "RecordedInput"
  override def argString(maxFields: Int): String = ""
  override protected def doExecute(): RDD[InternalRow] = rows

  /** Builds of the rows what Spark would broadcast. */
  @transient private lazy val exchange: SparkPlan = outputPartitioning match {
    case BroadcastPartitioning(mode) => BroadcastExchangeExec(mode, this)
    case other => throw new NotPortable(s"an operator that wants a broadcast of an input whose rows are $other")
  }

  override def doExecuteBroadcast[T](): Broadcast[T] = exchange.executeBroadcast[T]()
}

object RecordedInputExec {
  def apply(input: PortableInput, rows: RDD[InternalRow]): RecordedInputExec =
    RecordedInputExec(input.output, rows, input.partitioning, input.ordering)
}
