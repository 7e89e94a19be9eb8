package reprise.exec

import java.util.concurrent.{Future => JavaFuture}

import scala.concurrent.{ExecutionContext, Future}

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, BroadcastExchangeLike, Exchange}

import reprise.access.BroadcastInternals

/**
 * A broadcast of Spark's whose relation is recorded as soon as it is made: nobody may ask for it.
 *
 * @param child a recorder of what it reads
 */
case class RecordedBroadcastExec(
    original: BroadcastExchangeExec,
    child: SparkPlan,
    recorder: RecorderSpec,
    recording: Recording)
  extends BroadcastExchangeLike
  with RecordedExchange {

  private lazy val broadcast = original.withNewChildren(Seq(child)).asInstanceOf[BroadcastExchangeExec]
  override protected def running: Exchange = broadcast

  override def runtimeStatistics: Statistics = broadcast.runtimeStatistics
  override def resetMetrics(): Unit = broadcast.resetMetrics()

  override def jobTag: String = broadcast.jobTag

  @transient override lazy val relationFuture: JavaFuture[Broadcast[Any]] = {
    broadcast.prepare()
    SQLExecution.withThreadLocalCaptured[Broadcast[Any]](session, BroadcastInternals.executor()) {
      val made = broadcast.relationFuture.get()
      recording.shared(Recording.output)(Fragment.recordShared(broadcast, recorder))
      made
    }
  }

  @transient override protected lazy val completionFuture: Future[Broadcast[Any]] = {
    implicit val threads: ExecutionContext = ExecutionContext.fromExecutorService(BroadcastInternals.executor())
    // An error of Spark's comes as Spark gives it.
    BroadcastInternals.submitted(broadcast).map(_ => relationFuture.get())
  }

  override protected def doPrepare(): Unit = relationFuture

  override protected def doExecute(): RDD[InternalRow] = throw BroadcastInternals.notRows(nodeName)

  override def doExecuteBroadcast[T](): Broadcast[T] = {
    val made = broadcast.executeBroadcast[T]()
    relationFuture.get()
    made
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}
