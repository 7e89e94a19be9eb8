package reprise.profile

import java.util.concurrent.{ExecutionException, Executors}

import reprise.bridge.NativeProfile

/**
 * A thread that works where others leave time. What it does makes no threads: they would be as quiet, and some, such as
 * the connections of file systems, serve others as well.
 */
private[profile] final class QuietThread(name: String) {
  private val executor = Executors.newSingleThreadExecutor { work =>
    val thread = new Thread(() => {
      NativeProfile.yieldToOthers()
      work.run()
    }, name)
    thread.setDaemon(true)
    thread
  }
  private var spent = 0L

  /** Waits until it is done. One caller at a time. */
  def run[T](body: => T): T = {
    var result: Option[T] = None
    val done = executor.submit[Long](() => ProcessorTime.of { result = Some(body) })
    try spent += done.get()
    catch { case e: ExecutionException => throw e.getCause }
    result.get
  }

  /** Nanoseconds of the processor that `body` takes, here and on the calling thread. */
  def timeOf(body: => Unit): Long = {
    val before = spent
    ProcessorTime.of(body) + spent - before
  }

  def end(): Unit = executor.shutdown()
}
