package org.apache.spark.scheduler

import java.util.Properties

import org.apache.spark.{MapOutputStatistics, ShuffleDependency, SparkContext, TaskContext}
import org.apache.spark.partial.{ApproximateEvaluator, PartialResult}
import org.apache.spark.rdd.RDD
import org.apache.spark.util.CallSite

/** Sees what the application asks to run, on the thread that asks, before the first task. Must not throw. */
trait SubmissionObserver {

  /**
   * @param action what runs on each of `partitions`, or none where only Spark knows
   * @return the submission's number; negative where it is to be [[marked]] as none
   */
  def jobSubmitted(
      rdd: RDD[_],
      action: Option[AnyRef],
      partitions: Seq[Int],
      callSite: String,
      properties: Properties): Long

  /** The properties of a job that is not to be counted. */
  def marked(properties: Properties): Properties

  /** The job of a submission has its number. */
  def jobNumbered(submission: Long, job: Int): Unit

  /** Whether it counts. */
  def mapStageSubmitted(shuffle: ShuffleDependency[_, _, _]): Boolean
}

/** Spark's scheduler, with somebody who looks on. A listener would race with short jobs, and gets no RDDs. */
private final class ObservedScheduler(context: SparkContext, observer: SubmissionObserver)
  extends DAGScheduler(context, context.taskScheduler) {

  override def submitJob[T, U](
      rdd: RDD[T],
      func: (TaskContext, Iterator[T]) => U,
      partitions: Seq[Int],
      callSite: CallSite,
      resultHandler: (Int, U) => Unit,
      properties: Properties): JobWaiter[U] = {
    val submission = observer.jobSubmitted(rdd, Some(func), partitions, callSite.shortForm, properties)
    val marked = if (submission < 0) observer.marked(properties) else properties
    val waiter = super.submitJob(rdd, func, partitions, callSite, resultHandler, marked)
    observer.jobNumbered(submission, waiter.jobId)
    waiter
  }

  override def runApproximateJob[T, U, R](
      rdd: RDD[T],
      func: (TaskContext, Iterator[T]) => U,
      evaluator: ApproximateEvaluator[U, R],
      callSite: CallSite,
      timeout: Long,
      properties: Properties): PartialResult[R] = {
    observer.jobSubmitted(rdd, None, rdd.partitions.indices, callSite.shortForm, properties)
    super.runApproximateJob(rdd, func, evaluator, callSite, timeout, properties)
  }

  override def submitMapStage[K, V, C](
      dependency: ShuffleDependency[K, V, C],
      callback: MapOutputStatistics => Unit,
      callSite: CallSite,
      properties: Properties): JobWaiter[MapOutputStatistics] = {
    val marked = if (observer.mapStageSubmitted(dependency)) properties else observer.marked(properties)
    super.submitMapStage(dependency, callback, callSite, marked)
  }
}

object ObservedScheduler {

  /**
   * Puts an observed scheduler in the place of the context's. Only before its first job, and after its task scheduler
   * has started: in `DriverPlugin.registerMetrics`.
   */
  def install(context: SparkContext, observer: SubmissionObserver): Unit = {
    val before = context.dagScheduler
    val observed = new ObservedScheduler(context, observer)
    context.dagScheduler = observed
    // Its `stop` would stop the task scheduler too.
    before.eventProcessLoop.stop()
    val metrics = context.env.metricsSystem
    metrics.removeSource(before.metricsSource)
    metrics.registerSource(observed.metricsSource)
  }
}
