package reprise.profile

import java.lang.management.ManagementFactory

/** What the work on profiles takes of the processor, so that it can be spread. */
private[profile] object ProcessorTime {

  /** Work waits this many times as long as it has taken before it goes on: a four-hundredth of one core. */
  val share = 400L
  private val threads = ManagementFactory.getThreadMXBean

  /** Nanoseconds of the calling thread that `body` takes. */
  def of(body: => Unit): Long = {
    val before = threads.getCurrentThreadCpuTime
    body
    threads.getCurrentThreadCpuTime - before
  }
}
