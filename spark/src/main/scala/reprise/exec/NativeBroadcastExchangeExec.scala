package reprise.exec

import java.util.concurrent.{Future => JavaFuture, TimeoutException, TimeUnit}

import scala.concurrent.{Future, Promise}
import scala.util.control.NonFatal

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.execution.access.TaggedJobs
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, BroadcastExchangeLike}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import reprise.access.{BroadcastInternals, BroadcastLimit}
import reprise.bridge.UserCallSite
import reprise.serialize.NativeExchange

/**
 * A broadcast of encoded blocks, as an array of arrays: classes of the plug-in's own would have to be registered where
 * `spark.kryo.registrationRequired`.
 *
 * To Spark it gives what Spark's exchange gives, whoever asks: a join, a pruned scan, the same through a reused exchange
 * or subquery. Only fragments know of the blocks.
 */
case class NativeBroadcastExchangeExec(
    original: BroadcastExchangeExec,
    verdict: NativeVerdict,
    exprs: Seq[Expression],
    child: SparkPlan)
  extends BroadcastExchangeLike
  with NativeOperatorExec
  with NativeExchange {

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
    val limit = BroadcastLimit.bytes(conf)
    if (bytes >= limit) throw BroadcastInternals.tooLarge(limit, bytes)
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

  override def doExecuteBroadcast[T](): Broadcast[T] = inSparksForm.value.asInstanceOf[Broadcast[T]]

  /** The blocks, for fragments. */
  private[exec] def executeBlocks(): Broadcast[Array[Array[Byte]]] = whenReady {
    try relationFuture.get(conf.broadcastTimeout, TimeUnit.SECONDS).asInstanceOf[Broadcast[Array[Array[Byte]]]]
    catch {
      case e: TimeoutException =>
        if (!relationFuture.isDone) {
          TaggedJobs.cancel(sparkContext, jobTag, "The corresponding broadcast query has failed.")
          relationFuture.cancel(true)
        }
        throw BroadcastInternals.tooLate(conf.broadcastTimeout, e)
    }
  }

  /**
   * The same as Spark would have made it: once, however many read it, and only if somebody does. Not made under the
   * node's own lock, which those need who make the blocks meanwhile.
   */
  @transient private lazy val inSparksForm = new NativeBroadcastExchangeExec.Once(inRows())

  private def inRows(): Broadcast[Any] = {
    val rows = RelationRows.of(executeBlocks().value, verdict.read.get, this)
    sparkContext.broadcast[Any](original.mode.transform(rows.iterator, Some(rows.length.toLong)))
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object NativeBroadcastExchangeExec {
  /** A value that is made when it is first asked for, under a lock of its own. */
  private final class Once[T](make: => T) {
    lazy val value: T = make
  }
}
