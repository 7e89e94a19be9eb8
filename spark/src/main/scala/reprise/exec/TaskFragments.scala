package reprise.exec

import scala.collection.mutable

import org.apache.spark.TaskContext

import reprise.bridge.PerTask

/**
 * The fragments of a task attempt, which end together when it ends, whichever way it does.
 *
 * Any of them may hold batches of any other, and when they were opened does not tell which: those below a coalesce are
 * opened when their turn comes. So all of them let go of what they hold before any gives its memory back.
 */
private[exec] final class TaskFragments private (context: TaskContext) {
  private val open = mutable.ArrayBuffer.empty[RunningFragment]
  private var isOver = false
  @volatile private var error: Option[Throwable] = None
  context.addTaskFailureListener((_, raised) => error = Some(raised))

  /** With what the task has failed. */
  def failure: Option[Throwable] = error

  def add(fragment: RunningFragment): Unit =
    if (synchronized { if (!isOver) open += fragment; isOver }) TaskFragments.end(Seq(fragment))

  // Those that were opened last most often read the others: they are told first that there is no more.
  private def end(): Unit = TaskFragments.end(synchronized { isOver = true; open.reverse.toIndexedSeq })
}

private[exec] object TaskFragments {
  private val tasks = new PerTask[TaskFragments](new TaskFragments(_), _.end())

  def of(context: TaskContext): TaskFragments = tasks.of(context)

  private def end(fragments: Seq[RunningFragment]): Unit =
    inTurn(fragments.map(f => () => f.finish()) ++ fragments.map(f => () => f.close()))

  /** Takes every step, also after one that throws. What was thrown first is thrown in the end. */
  def inTurn(steps: Seq[() => Unit]): Unit = {
    var failure: Throwable = null
    steps.foreach { step =>
      try step()
      catch { case e: Throwable => if (failure == null) failure = e else if (failure ne e) failure.addSuppressed(e) }
    }
    if (failure != null) throw failure
  }
}
