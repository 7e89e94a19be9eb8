package reprise.exec

import scala.collection.mutable

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric

/**
 * The dump of an operator that Spark runs, which the recorders around it fill. On the driver; Spark takes whole plans to
 * tasks, and what is here along with them.
 *
 * @param isShuffle what is written is recorded too; Spark may read its input by another job before, to find the bounds of
 *                  its partitions
 */
final class Recording(verdict: RecordVerdict, private[exec] val isShuffle: Boolean) extends Serializable {

  /** The operator with the recorders as its children. */
  @transient var node: SparkPlan = _

  /** What the operator's specification names by numbers. */
  @transient private[exec] lazy val values = new RuntimeValues

  @transient private var hasBegun = false
  @transient private lazy val waiting = mutable.ArrayBuffer.empty[() => Unit]

  @transient private lazy val dump =
    new DumpOfOperator(verdict.capture, verdict.operator, verdict.isApart, node, values)

  /** @param stream the input's number, or -1 for the output */
  private[exec] def begin(stream: Int, partitions: Int): Unit = synchronized {
    if (isShuffle && stream != Recording.output) {
      // Its values are known when its output is.
    } else if (verdict.isApart) {
      beginApart(stream, DumpedStream(partitions))
    } else {
      val inputs = verdict.inputs.map(r => if (r.isShared) DumpedStream.shared else DumpedStream(partitions))
      dump.begin(inputs.map(Some(_)), Some(DumpedStream(partitions)))
      hasBegun = true
      waiting.foreach(_())
      waiting.clear()
    }
  }

  /** Runs `record`, which records a broadcast, as soon as the dump has begun. */
  private[exec] def shared(stream: Int)(record: => Unit): Unit = synchronized {
    if (verdict.isApart) {
      beginApart(stream, DumpedStream.shared)
      record
    } else if (hasBegun) {
      record
    } else {
      waiting += (() => record)
    }
  }

  private def beginApart(stream: Int, dumped: DumpedStream): Unit = {
    val inputs = verdict.inputs.indices.map(i => if (i == stream) Some(dumped) else None)
    dump.begin(inputs, if (stream == Recording.output) Some(dumped) else None)
  }
}

object Recording {
  val output: Int = -1
}

/** Lets the rows of an operator of Spark's pass, or those that it reads, while they are recorded. */
case class RecorderExec(child: SparkPlan, stream: Int, recorder: RecorderSpec, recording: Recording) extends TransitionExec {
  override def spec: TransitionSpec = TransitionSpec(RecorderExec.name, recorder.metrics)

  override protected def doExecute(): RDD[InternalRow] = {
    val recorded = Fragment.recorded(child, recorder, metrics)(recording.begin(stream, _))
    if (recording.isShuffle) new RecordedRDD(recorded, Fragment.unobserved(child)) else recorded
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object RecorderExec {
  val name = "RepriseRecord"
}

/** The same for a broadcast, which is recorded when its operator asks for it. */
case class BroadcastRecorderExec(child: SparkPlan, stream: Int, recorder: RecorderSpec, recording: Recording)
  extends TransitionExec {
  override def spec: TransitionSpec = TransitionSpec(RecorderExec.name, Nil)
  override lazy val metrics: Map[String, SQLMetric] = Map.empty

  @transient private lazy val recorded: Unit =
    recording.shared(stream)(Fragment.recordShared(Fragment.source(child), recorder))

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override def doExecuteBroadcast[T](): Broadcast[T] = {
    val made = child.executeBroadcast[T]()
    recorded
    made
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}
