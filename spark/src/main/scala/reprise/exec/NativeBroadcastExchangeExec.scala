package reprise.exec

import java.util.concurrent.{Future => JavaFuture, TimeoutException, TimeUnit}

import scala.concurrent.{Future, Promise}
import scala.util.control.NonFatal

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, BroadcastExchangeLike}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import reprise.bridge.UserCallSite
import reprise.shims.BroadcastInternals

/**
 * A broadcast of encoded blocks, as an array of arrays: classes of the plug-in's own would have to be registered where
 * `spark.kryo.registrationRequired`. An operator of Spark's reads it through [[BroadcastToRowExec]].
 */
case class NativeBroadcastExchangeExec(
    original: BroadcastExchangeExec,
    verdict: NativeVerdict,
    exprs: Seq[Expression],
    child: SparkPlan)
  extends BroadcastExchangeLike
  with NativeOperatorExec {

  override lazy val metrics: Map[String, SQLMetric] = createCoreMetrics(Map.empty) ++ Map(
    "collectTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to collect"),
    "broadcastTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to broadcast"))

  override def runtimeStatistics: Statistics =
    Statistics(metrics("dataSize").value, Some(metrics("numOutputRows").value))

  /** A broadcast is made once, and so are its figures. */
  override def resetMetrics(): Unit = ()

  @transient private lazy val promise = Promise[Broadcast[Any]]()
  @transient override protected lazy val completionFuture: Future[Broadcast[Any]] = {
    relationFuture
    promise.future
  }

  @transient override lazy val relationFuture: JavaFuture[Broadcast[Any]] =
    SQLExecution.withThreadLocalCaptured[Broadcast[Any]](session, BroadcastInternals.executor()) {
      try {
        sparkContext.addJobTag(jobTag)
        sparkContext.setInterruptOnCancel(true)
        val made = broadcast()
        promise.trySuccess(made)
        made
      } catch {
        // A Future of Scala's does not take an error that ends a JVM.
        case fatal: Throwable if !NonFatal(fatal) =>
          val wrapped = BroadcastInternals.carried(fatal)
          promise.tryFailure(wrapped)
          throw wrapped
        case failure: Throwable =>
          promise.tryFailure(failure)
          throw failure
      }
    }

  private def broadcast(): Broadcast[Any] = UserCallSite(sparkContext) {
    val start = System.nanoTime()
    val blocks = Fragment.blocks(this).map(_._2).collect()
    val collected = System.nanoTime()
    // The tasks' figures come with their results.
    val bytes = metrics("dataSize").value
    metrics("collectTime").set(TimeUnit.NANOSECONDS.toMillis(collected - start))
    if (bytes >= conf.maxBroadcastTableSizeInBytes) {
      throw BroadcastInternals.tooLarge(conf.maxBroadcastTableSizeInBytes, bytes)
    }
    val made = sparkContext.broadcast[Any](blocks)
    metrics("broadcastTime").set(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - collected))
    val execution = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLMetrics.postDriverMetricUpdates(
      sparkContext, execution, Seq(metrics("collectTime"), metrics("broadcastTime")))
    made
  }

  override protected def doPrepare(): Unit = relationFuture

  override protected def doExecute(): RDD[InternalRow] =
    throw BroadcastInternals.notRows(nodeName)

  override def doExecuteBroadcast[T](): Broadcast[T] =
    try relationFuture.get(conf.broadcastTimeout, TimeUnit.SECONDS).asInstanceOf[Broadcast[T]]
    catch {
      case e: TimeoutException =>
        if (!relationFuture.isDone) {
          sparkContext.cancelJobsWithTag(jobTag, "The corresponding broadcast query has failed.")
          relationFuture.cancel(true)
        }
        throw BroadcastInternals.tooLate(conf.broadcastTimeout, e)
    }

  /** The same broadcast for operators of Spark's: made once, however many read it. Asked for when the blocks are there. */
  @transient private lazy val relation: Broadcast[Any] = {
    val blocks = doExecuteBroadcast[Array[Array[Byte]]]().value
    val rows = RelationRows.of(blocks, verdict.read.get, this)
    sparkContext.broadcast[Any](original.mode.transform(rows.iterator, Some(rows.length.toLong)))
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object NativeBroadcastExchangeExec {

  /** What Spark's operators expect of a broadcast; a native one is made over. */
  def asSpark(plan: SparkPlan): Broadcast[Any] = {
    val made = plan.executeBroadcast[Any]()
    made.value match {
      case _: Array[Array[Byte]] => exchangeOf(plan).relation
      case _ => made
    }
  }

  private def exchangeOf(plan: SparkPlan): NativeBroadcastExchangeExec =
    NativeExchanges.of(plan).collect { case b: NativeBroadcastExchangeExec => b }.getOrElse(
      throw new IllegalStateException(s"${plan.nodeName} gives a native broadcast, but none can be found in it"))
}
