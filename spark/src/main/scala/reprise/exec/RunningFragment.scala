package reprise.exec

import java.util.concurrent.CancellationException

import org.apache.spark.{QueryContext, SparkException, TaskContext, TaskKilledException}
import org.apache.spark.internal.Logging

import reprise.access.SparkInternals
import reprise.bridge.{CoreErrors, Native, NativeLibrary, RaisedError, RowSource}
import reprise.ledger.TaskLedger

private[exec] object RunningFragment {

  /** Starts a fragment in this task; the task's end closes it, whichever way the task ends. */
  def open(
      fragment: String,
      contexts: Map[String, QueryContext],
      task: String,
      inputs: Seq[LeafInput],
      guests: Seq[RowSource],
      metrics: FragmentMetrics,
      ledger: Option[String],
      context: TaskContext): RunningFragment = {
    NativeLibrary.ensureLoaded()
    // The ledger's listener before the fragments': listeners are called in reverse, and it sends what they tell.
    val told = ledger.map(query => FragmentLedger(query, TaskLedger.of(context)))
    val fragments = TaskFragments.of(context)
    val memory = new FragmentMemory(context) {
      override def medianTaskMs(): Long = TaskTimes.median(context)
    }
    val handle = CoreErrors.translatedIn(contexts)(Native.open(fragment, task, TaskJson.sources(inputs) ++ guests, memory))
    memory.attach(handle)
    // Where Spark reads parts, what it says comes by itself.
    val files = inputs.collect { case files: FileInput if files.pieces.isEmpty => files }
    val running = new RunningFragment(handle, contexts, metrics, memory, told, files, fragments, context)
    fragments.add(running)
    running
  }
}

/** Where what a fragment's operators have given is told. @param query the token of their query */
private[exec] final case class FragmentLedger(query: String, task: TaskLedger)

/**
 * A fragment in its task.
 *
 * Spark may take what comes out on another thread than the task's (Python's writer, say), so that the task can end
 * while a batch is being computed: calls to the core and the end exclude each other.
 */
private[exec] final class RunningFragment(
    val handle: Long,
    contexts: Map[String, QueryContext],
    val metrics: FragmentMetrics,
    memory: FragmentMemory,
    ledger: Option[FragmentLedger],
    files: Seq[FileInput],
    task: TaskFragments,
    context: TaskContext)
  extends Logging {
  private var atEnd = false
  @volatile private var isClosed = false
  private val reported = new Array[Long](metrics.core.length)
  private val figures = new Array[Long](metrics.core.length)

  def isOpen: Boolean = !isClosed

  /** The handle of the next batch, 0 at the end. */
  def nextBatch(): Long = synchronized {
    SparkInternals.killTaskIfInterrupted(context)
    val batch = if (atEnd) 0L else translated(Native.next(handle))
    ended(batch == 0)
    batch
  }

  /** The next encoded block, null at the end. @param out gets its partition and its rows */
  def nextBlock(out: Array[Long]): Array[Byte] = synchronized {
    SparkInternals.killTaskIfInterrupted(context)
    val block = if (atEnd) null else translated(Native.nextBlock(handle, out))
    ended(block == null)
    block
  }

  /** The rows of a batch of this fragment: see `Native.toRows`. */
  def toRows(batch: Long, rows: Array[Long]): Int = synchronized(translated(Native.toRows(handle, batch, rows)))

  private def ended(now: Boolean): Unit = {
    atEnd = now
    if (!isClosed) report()
  }

  /** The task has ended: lets go of all that is held, also of other fragments. See [[TaskFragments]]. */
  def finish(): Unit = synchronized {
    if (!isClosed) {
      isClosed = true
      atEnd = true
      // As a failed task, should the rest fail: what is dumped of it may not be whole.
      var failed = true
      TaskFragments.inTurn(Seq(
        () => {
          tell()
          failed = context.isFailed() || context.isInterrupted()
        },
        () => translated(Native.finish(handle, failed, task.failure.map(RaisedError.json).orNull))))
    }
  }

  /** Gives the memory back, when all fragments of the task have finished. */
  def close(): Unit = synchronized(translated(Native.close(handle, true)))

  /** What the fragment leaves behind in figures. */
  private def tell(): Unit = {
    val waited = report()
    memory.reportPeak()
    ledger.foreach(l => l.task.add(translated(Native.ledgerEntries(handle, l.query)).stripPrefix("[").stripSuffix("]")))
    if (waited > 0) logInfo(s"waited ${waited / 1000000} ms to compute (spark.reprise.concurrentTasks)")
  }

  /** Adds what the core has counted since the last time. @return the time it has waited to compute, in ns */
  private def report(): Long = {
    translated(Native.metrics(handle, figures))
    metrics.scans.foreach { scan =>
      SparkInternals.addInput(context, scan.bytes.fold(0L)(growth), scan.rows.fold(0L)(growth))
    }
    metrics.core.indices.foreach { i =>
      metrics.core(i).add(growth(i))
      reported(i) = figures(i)
    }
    translated(memory.report())
  }

  private def growth(i: Int): Long = figures(i) - reported(i)

  private def translated[T](call: => T): T =
    try CoreErrors.translatedIn(contexts)(call)
    catch {
      case e: SparkException if files.nonEmpty => throw FailedReads.asSpark(e, files)
      case _: CancellationException =>
        SparkInternals.killTaskIfInterrupted(context)
        throw new TaskKilledException("cancelled")
    }
}
