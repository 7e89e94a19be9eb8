package reprise.profile

import scala.collection.mutable
import scala.util.Try

import org.apache.spark.TaskContext

import reprise.bridge.{NativeProfile, ThreadWatcher}

/**
 * A thread's time for a task: from before the task runs until after its result has been sent.
 *
 * @param isHelper whether the task has started the thread
 */
private[profile] final class TaskSpan(
    val thread: Long,
    val start: Long,
    val task: Long,
    val stage: StageAttempt,
    val partition: Int,
    val isHelper: Boolean) {
  @volatile var end = 0L // while it runs

  /** Of threads that it has started and that run. Guarded by its [[TaskSpans]]. */
  val helpers = mutable.Set.empty[TaskSpan]

  /** As a request to the core has it: numbers. */
  def json: String =
    s"[$thread,$start,$end,$task,${stage.stage},${stage.attempt},$partition,${if (isHelper) 1 else 0}]"
}

/** A stage with tasks in this process. Guarded by its [[TaskSpans]]. */
private[profile] final class StageState(val id: StageAttempt, val begun: Long, val executionId: Option[Long], val job: String) {
  var running = 0

  /** When to ask whether it is over, and how long to wait after the answer no. */
  var nextQuestion = 0L
  var pause = 0L

  val page = new PageTimes(begun)
}

/** When to write a page of what there is so far: soon, and then at growing intervals. */
private[profile] final class PageTimes(
    begun: Long,
    first: Long = TaskSpans.firstPage,
    share: Long = TaskSpans.pageShare) {
  var next: Long = begun + first

  /** @param cost what the page has taken of the processor; that grows with what it shows */
  def written(now: Long, cost: Long): Unit =
    next = now + math.max(math.min(now - begun, TaskSpans.pageMax), cost * share)
}

private[profile] object TaskSpans {
  val firstPage = 5000000000L
  val pageMax = 300000000000L

  /** Of threads of no task: it is large, and of interest mostly at the end. */
  val firstOtherPage = 30000000000L

  /** A page of what there is so far waits for so many times what the one before has cost. */
  val pageShare = 400L

  /** The same for the page of threads of no task. */
  val otherPageShare = 4000L
  val pauseMin = 20000000L
  val pauseMax = 1000000000L
  val chunk = 10000000000L

  /**
   * Stages that end within a second are taken out of the recording together: each time costs something. Where it costs
   * much, less often.
   */
  val chunkMin = 1000000000L
  private val chunkMinMax = 20000000000L

  /** How long a chunk is at least, where the last one has cost so much of the processor. */
  def chunkMinAfter(cost: Long): Long = math.min(math.max(chunkMin, cost * ProcessorTime.share), chunkMinMax)

  private val ofProcess =
    ("(?!Thread-|pool-\\d+-thread-|ForkJoinPool-\\d+-worker-).*-\\d+|" +
      "(?:Idle )?Worker Monitor for .*|stdout reader for .*").r
  private val daemonErrors = "stderr reader for .*".r

  /**
   * Whether it serves the process, and the task merely happens to be the first to need it: it is one of a pool with a
   * name and numbers, or only waits until the task is done with a Python worker, so that its wall time would be counted
   * beside the task's, or belongs to the daemon that starts those workers. That one's errors are read by a thread that
   * is called as those of piped programs are, but is of another class.
   */
  def isShared(thread: Thread): Boolean =
    ofProcess.pattern.matcher(thread.getName).matches ||
      daemonErrors.pattern.matcher(thread.getName).matches && thread.getClass.getSimpleName == "RedirectThread"
}

/**
 * Which task has run on which thread and when. Times are those of `System.nanoTime`, the recording's clock.
 *
 * What a task starts, threads such as the one that feeds a piped program, belongs to it until either ends: a thread
 * inherits the task of the one that made it, and is asked for it when it begins.
 */
private[profile] final class TaskSpans extends ThreadWatcher {
  private val current = new ThreadLocal[TaskSpan]
  private val ofMaker = new InheritableThreadLocal[TaskSpan]
  private val spans = mutable.ArrayBuffer.empty[TaskSpan]
  private val stages = mutable.LinkedHashMap.empty[StageAttempt, StageState]

  /** While [[await]] waits: until when, and when there may be something to do at the soonest. */
  private var awaited = 0L
  private var soonest = 0L

  /** On the task's thread. */
  def begin(context: TaskContext): Unit = {
    end() // of one whose end nobody told, as where a task brings its thread down
    val id = StageAttempt(context.stageId(), context.stageAttemptNumber())
    val span =
      new TaskSpan(NativeProfile.thread(), System.nanoTime(), context.taskAttemptId(), id, context.partitionId(), false)
    current.set(span)
    ofMaker.set(span)
    NativeProfile.sample(span.thread, true)
    synchronized {
      spans += span
      if (!stages.contains(id)) wakeFor(span.start)
      val state = stages.getOrElseUpdate(
        id,
        new StageState(
          id,
          span.start,
          Option(context.getLocalProperty("spark.sql.execution.id")).flatMap(id => Try(id.toLong).toOption),
          Option(context.getLocalProperty("spark.job.description")).getOrElse("")))
      state.running += 1
    }
  }

  /** On the task's thread. */
  def end(): Unit = {
    val span = current.get()
    if (span != null) {
      current.remove()
      ofMaker.remove()
      span.end = System.nanoTime()
      NativeProfile.sample(span.thread, false)
      synchronized {
        span.helpers.foreach { helper =>
          helper.end = span.end
          NativeProfile.sample(helper.thread, false)
        }
        span.helpers.clear()
        stages.get(span.stage).foreach { state =>
          state.running -= 1
          state.pause = TaskSpans.pauseMin
          state.nextQuestion = span.end + state.pause
          if (state.running == 0) wakeFor(state.nextQuestion)
        }
      }
    }
  }

  override def begun(thread: Long): Unit = {
    val maker = ofMaker.get()
    if (maker != null && maker.end == 0 && !TaskSpans.isShared(Thread.currentThread())) {
      val span = new TaskSpan(thread, System.nanoTime(), maker.task, maker.stage, maker.partition, isHelper = true)
      current.set(span)
      synchronized {
        if (maker.end == 0) {
          spans += span
          maker.helpers += span
          NativeProfile.sample(thread, true)
        }
      }
    }
  }

  override def ending(): Unit = {
    val span = current.get()
    if (span != null && span.isHelper) synchronized {
      if (span.end == 0) {
        span.end = System.nanoTime()
        NativeProfile.sample(span.thread, false)
      }
      Option(ofMaker.get()).foreach(_.helpers -= span)
    }
  }

  /** Of all that has not been forgotten. */
  def snapshot(): Seq[TaskSpan] = synchronized(spans.toIndexedSeq)

  /** Tasks that had ended then are in the chunks that have been split. */
  def forgetEndedBefore(ns: Long): Unit = synchronized {
    val left = spans.filter(span => span.end == 0 || span.end >= ns)
    spans.clear()
    spans ++= left
  }

  def state: Seq[StageState] = synchronized(stages.values.toIndexedSeq)

  def forget(stage: StageAttempt): Unit = synchronized(stages.remove(stage))

  /** Stages without a running task whose turn it is to be asked about. */
  def quiet(now: Long): Seq[StageState] = synchronized {
    stages.values.filter(state => state.running == 0 && state.nextQuestion <= now).toIndexedSeq
  }

  /** Asks about it later, at growing intervals. */
  def askLater(state: StageState, now: Long): Unit = synchronized {
    state.nextQuestion = now + state.pause
    state.pause = math.min(state.pause * 2, TaskSpans.pauseMax)
  }

  /**
   * Waits until there may be something to do in the chunk that began then.
   *
   * @param mayEnd when the chunk may end at the soonest
   * @param otherPage when the page of threads of no task is due
   */
  def await(chunkBegun: Long, mayEnd: Long, otherPage: Long): Unit = synchronized {
    val now = System.nanoTime()
    val next = stages.values.map { state =>
      val question = if (state.running == 0) state.nextQuestion else Long.MaxValue
      math.min(question, math.min(state.page.next, chunkBegun + TaskSpans.chunk))
    }.foldLeft(otherPage)(math.min).max(mayEnd)
    if (next > now) {
      awaited = next
      soonest = mayEnd
      wait(math.max(1, (next - now) / 1000000))
      awaited = 0
    }
  }

  /** What is to be done at that time cannot wait longer. Tasks begin and end often: seldom is anybody to be woken. */
  private def wakeFor(ns: Long): Unit = if (math.max(ns, soonest) < awaited) notifyAll()

  def wake(): Unit = synchronized(notifyAll())
}
