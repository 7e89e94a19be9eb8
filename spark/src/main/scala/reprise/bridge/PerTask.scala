package reprise.bridge

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.TaskContext

/**
 * One `T` for each task attempt, made when it is first asked for and ended with the attempt.
 *
 * Listeners of a task's end are called in reverse: what is asked for earlier ends later.
 */
private[reprise] final class PerTask[T <: AnyRef](make: TaskContext => T, end: T => Unit) {
  private val tasks = new ConcurrentHashMap[Long, T]

  def of(context: TaskContext): T = {
    val id = context.taskAttemptId()
    Option(tasks.get(id)).getOrElse {
      val made = make(context)
      val kept = tasks.putIfAbsent(id, made)
      if (kept != null) kept
      else {
        context.addTaskCompletionListener[Unit] { _ =>
          tasks.remove(id)
          end(made)
        }
        made
      }
    }
  }
}
