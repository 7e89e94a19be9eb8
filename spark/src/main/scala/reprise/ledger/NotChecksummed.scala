package reprise.ledger

import scala.util.control.NonFatal

/** Why there is no sum of something whose classes are the user's: it must not fail the job. */
private[ledger] object NotChecksummed {
  def unapply(error: Throwable): Option[String] = error match {
    case unhashable: Unhashable => Some(unhashable.getMessage)
    case _: StackOverflowError => Some("its objects refer to each other too deeply")
    case NonFatal(_) | _: LinkageError => Some(error.toString)
    case _ => None
  }
}
