package reprise.profile

import scala.collection.mutable

import org.apache.spark.TaskContext

import reprise.bridge.NativeProfile

/** A thread's time for a task: from before the task runs until after its result has been sent. */
private[profile] final class TaskSpan(
    val thread: Long,
    val start: Long,
    val task: Long,
    val stage: StageAttempt,
    val partition: Int) {
  @volatile var end = 0L // while it runs
}

/** A stage with tasks in this process. Guarded by its [[TaskSpans]]. */
private[profile] final class StageState(val id: StageAttempt, val begun: Long, val executionId: Option[Long], val job: String) {
  var running = 0

  /** When to ask whether it is over, and how long to wait after the answer no. */
  var nextQuestion = 0L
  var pause = 0L

  /** When to write a page of what there is so far. */
  var nextPage: Long = begun + TaskSpans.firstPage
}

private[profile] object TaskSpans {
  val firstPage = 5000000000L
  val pageMax = 300000000000L
  val pauseMin = 20000000L
  val pauseMax = 1000000000L
  val chunk = 10000000000L

  /** Stages that end within a second are taken out of the recording together: each time costs something. */
  val chunkMin = 1000000000L
}

/** Which task has run on which thread and when. Times are those of `System.nanoTime`, the recording's clock. */
private[profile] final class TaskSpans {
  private val current = new ThreadLocal[TaskSpan]
  private val spans = mutable.ArrayBuffer.empty[TaskSpan]
  private val stages = mutable.LinkedHashMap.empty[StageAttempt, StageState]

  /** On the task's thread. */
  def begin(context: TaskContext): Unit = {
    end() // of one whose end nobody told, as where a task brings its thread down
    val id = StageAttempt(context.stageId(), context.stageAttemptNumber())
    val span = new TaskSpan(NativeProfile.thread(), System.nanoTime(), context.taskAttemptId(), id, context.partitionId())
    current.set(span)
    synchronized {
      spans += span
      val state = stages.getOrElseUpdate(
        id,
        new StageState(
          id,
          span.start,
          Option(context.getLocalProperty("spark.sql.execution.id")).flatMap(_.toLongOption),
          Option(context.getLocalProperty("spark.job.description")).getOrElse("")))
      state.running += 1
      notifyAll()
    }
  }

  /** On the task's thread. */
  def end(): Unit = {
    val span = current.get()
    if (span != null) {
      current.remove()
      span.end = System.nanoTime()
      synchronized {
        stages.get(span.stage).foreach { state =>
          state.running -= 1
          state.pause = TaskSpans.pauseMin
          state.nextQuestion = span.end + state.pause
        }
        notifyAll()
      }
    }
  }

  /** Of all that has not been forgotten. */
  def snapshot(): Seq[TaskSpan] = synchronized(spans.toSeq)

  /** Tasks that had ended then are in the chunks that have been split. */
  def forgetEndedBefore(ns: Long): Unit = synchronized {
    spans.filterInPlace(span => span.end == 0 || span.end >= ns)
  }

  def state: Seq[StageState] = synchronized(stages.values.toSeq)

  def forget(stage: StageAttempt): Unit = synchronized(stages.remove(stage))

  /** Stages without a running task whose turn it is to be asked about. */
  def quiet(now: Long): Seq[StageState] = synchronized {
    stages.values.filter(state => state.running == 0 && state.nextQuestion <= now).toSeq
  }

  /** Asks about it later, at growing intervals. */
  def askLater(state: StageState, now: Long): Unit = synchronized {
    state.nextQuestion = now + state.pause
    state.pause = math.min(state.pause * 2, TaskSpans.pauseMax)
  }

  /** Waits until there may be something to do in the chunk that began then. */
  def await(chunkBegun: Long): Unit = synchronized {
    val now = System.nanoTime()
    if (stages.isEmpty) wait()
    else {
      val next = stages.values.map { state =>
        val question = if (state.running == 0) state.nextQuestion else Long.MaxValue
        math.min(question, math.min(state.nextPage, chunkBegun + TaskSpans.chunk))
      }.min.max(chunkBegun + TaskSpans.chunkMin)
      if (next > now) wait(math.max(1, (next - now) / 1000000))
    }
  }

  def wake(): Unit = synchronized(notifyAll())
}
