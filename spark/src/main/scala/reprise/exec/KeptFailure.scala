package reprise.exec

import scala.util.control.NonFatal

import reprise.bridge.ColumnSource

/** Keeps what is thrown until the core asks for it: the rows before leave first. */
private[exec] trait KeptFailure {
  private var failure: Throwable = _

  protected def caught(answer: => Long): Long =
    try answer
    catch {
      case NonFatal(thrown) =>
        failure = thrown
        ColumnSource.FAILED
    }

  def raise(): Unit = throw failure
}
