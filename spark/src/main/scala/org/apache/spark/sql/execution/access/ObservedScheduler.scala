package org.apache.spark.sql.execution.access

import java.util.Properties

import org.apache.spark.{MapOutputStatistics, ShuffleDependency, SparkContext, Success, TaskContext, TaskEndReason}
import org.apache.spark.partial.{ApproximateEvaluator, PartialResult}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{DAGScheduler, JobWaiter, ResultTask, Task, TaskInfo}
import org.apache.spark.util.{AccumulatorV2, CallSite}

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

  /** A task of a job's last stage has given its result, which nobody else has seen yet. @param properties the job's */
  def taskGave(task: Long, stage: Int, partition: Int, result: Any, properties: Properties): Unit

  /** Whether it counts. */
  def mapStageSubmitted(shuffle: ShuffleDependency[_, _, _]): Boolean
}

/** Sees to it that what jobs give is checksummed. Called as the other, and must not throw either. */
trait OutputObserver {

  /** What is to run on each partition of `rdd` in the place of `action`. */
  def checksummed[T, U](
      rdd: RDD[T],
      action: (TaskContext, Iterator[T]) => U,
      properties: Properties): (TaskContext, Iterator[T]) => U

  /** The shuffle, and those before it, are about to be computed by a job with these properties. */
  def prepare(shuffle: ShuffleDependency[_, _, _], properties: Properties): Unit
}

/** Spark's scheduler, with those who look on. A listener would race with short jobs, and gets no RDDs. */
private final class ObservedScheduler(
    context: SparkContext,
    submissions: Option[SubmissionObserver],
    outputs: Option[OutputObserver])
  extends DAGScheduler(context, context.taskScheduler) {

  override def submitJob[T, U](
      rdd: RDD[T],
      func: (TaskContext, Iterator[T]) => U,
      partitions: Seq[Int],
      callSite: CallSite,
      resultHandler: (Int, U) => Unit,
      properties: Properties): JobWaiter[U] = {
    val numbers = submissions.map(_.jobSubmitted(rdd, Some(func), partitions, callSite.shortForm, properties))
    val action = outputs.fold(func)(_.checksummed(rdd, func, properties))
    val marked = submissions.filter(_ => numbers.exists(_ < 0)).fold(properties)(_.marked(properties))
    val waiter = super.submitJob(rdd, action, partitions, callSite, resultHandler, marked)
    submissions.foreach(_.jobNumbered(numbers.get, waiter.jobId))
    waiter
  }

  override def runApproximateJob[T, U, R](
      rdd: RDD[T],
      func: (TaskContext, Iterator[T]) => U,
      evaluator: ApproximateEvaluator[U, R],
      callSite: CallSite,
      timeout: Long,
      properties: Properties): PartialResult[R] = {
    submissions.foreach(_.jobSubmitted(rdd, None, rdd.partitions.indices, callSite.shortForm, properties))
    val action = outputs.fold(func)(_.checksummed(rdd, func, properties))
    super.runApproximateJob(rdd, action, evaluator, callSite, timeout, properties)
  }

  override def submitMapStage[K, V, C](
      dependency: ShuffleDependency[K, V, C],
      callback: MapOutputStatistics => Unit,
      callSite: CallSite,
      properties: Properties): JobWaiter[MapOutputStatistics] = {
    val unmarked = submissions.forall(_.mapStageSubmitted(dependency))
    outputs.foreach(_.prepare(dependency, properties))
    val marked = submissions.filterNot(_ => unmarked).fold(properties)(_.marked(properties))
    super.submitMapStage(dependency, callback, callSite, marked)
  }

  override def taskEnded(
      task: Task[_],
      reason: TaskEndReason,
      result: Any,
      accumUpdates: Seq[AccumulatorV2[_, _]],
      metricPeaks: Array[Long],
      taskInfo: TaskInfo): Unit = {
    if (reason == Success && task.isInstanceOf[ResultTask[_, _]]) {
      submissions.foreach(
        _.taskGave(taskInfo.taskId, task.stageId, task.partitionId, result, task.localProperties))
    }
    super.taskEnded(task, reason, result, accumUpdates, metricPeaks, taskInfo)
  }
}

object ObservedScheduler {

  /**
   * Puts an observed scheduler in the place of the context's. Only before its first job, and after its task scheduler
   * has started: in `DriverPlugin.registerMetrics`.
   */
  def install(
      context: SparkContext,
      submissions: Option[SubmissionObserver],
      outputs: Option[OutputObserver]): Unit = {
    val before = context.dagScheduler
    val observed = new ObservedScheduler(context, submissions, outputs)
    context.dagScheduler = observed
    // Its `stop` would stop the task scheduler too.
    before.eventProcessLoop.stop()
    val metrics = context.env.metricsSystem
    metrics.removeSource(before.metricsSource)
    metrics.registerSource(observed.metricsSource)
  }
}
