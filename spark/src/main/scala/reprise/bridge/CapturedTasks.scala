package reprise.bridge

/** Which tasks of an operator are dumped: `spark.reprise.lore.when`, which the core has checked. */
sealed trait CapturedTasks extends Serializable

object CapturedTasks {
  case object All extends CapturedTasks
  case object Failed extends CapturedTasks

  /** Those that take so many times the median of their stage's tasks that have ended. */
  final case class Slow(factor: Double) extends CapturedTasks

  private val slow = "slow:(.*)x".r

  def of(setting: Option[String]): CapturedTasks = setting.map(_.trim) match {
    case None | Some("always") => All
    case Some(slow(factor)) => Slow(factor.toDouble)
    case Some(_) => Failed
  }
}
