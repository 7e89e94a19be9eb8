package reprise.replay

import org.apache.spark.sql.SparkSession

import reprise.bridge.Native

/** What `reprise replay --engine spark` starts: replays operators of dumps by Spark's own operators, in this JVM. */
object SparkReplay extends SparkProgram {
  override protected def run(
      folder: String,
      options: Seq[String],
      session: SparkSession,
      settings: Map[String, String]): Int = replay(folder, options, session, settings, None)

  /**
   * Replays one folder.
   *
   * @param options  of `reprise replay`
   * @param settings go before those that were captured
   * @param report   receives the report as JSON, which is then not printed
   * @return the exit status
   */
  private[reprise] def replay(
      folder: String,
      options: Seq[String],
      session: SparkSession,
      settings: Map[String, String],
      report: Option[Array[String]]): Int = {
    val before = SparkSession.getActiveSession
    val operator = open(folder, session, settings)
    try Native.replay((options :+ folder).toArray, operator, report.orNull)
    finally {
      operator.close()
      before.fold(SparkSession.clearActiveSession())(SparkSession.setActiveSession)
    }
  }

  /** The operator of a dump, in a session of its own, which becomes the active one. */
  def open(folder: String, session: SparkSession, settings: Map[String, String]): OperatorOnSpark = {
    val dump = RecordedDump.open(folder)
    val own = withCaptured(session.newSession(), dump.conf, settings)
    SparkSession.setActiveSession(own)
    val operator = new OperatorOnSpark(dump, own)
    // What can't be made is said before anything is printed.
    operator.check()
    operator
  }

  /** What was set when the operator was captured; what this Spark does not know, or not let be set, stays as it is. */
  private def withCaptured(
      session: SparkSession,
      captured: Map[String, String],
      settings: Map[String, String]): SparkSession = {
    (captured ++ settings).foreach { case (key, value) =>
      if (key.startsWith("spark.sql.") && session.conf.isModifiable(key)) session.conf.set(key, value)
    }
    session
  }
}
