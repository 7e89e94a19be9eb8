package reprise.replay

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession

import reprise.bridge.Native

/**
 * Replays operators of dumps by Spark's own operators, in this JVM: what `reprise replay --engine spark` starts.
 *
 * {{{SparkReplay [options of reprise replay] -- DUMP/loreId-N…}}}
 * The exit status is that of `reprise replay`, of several folders the greatest.
 */
object SparkReplay {
  private val confOption = "--conf"
  private val badInput = 2

  def main(arguments: Array[String]): Unit = {
    val status =
      try run(arguments.toSeq)
      catch {
        case NonFatal(e) =>
          System.err.println(s"reprise: ${e.getMessage}")
          badInput
      }
    // Whatever threads the operator's functions have left behind.
    System.out.flush()
    Runtime.getRuntime.halt(status)
  }

  private def run(arguments: Seq[String]): Int = {
    val (options, rest) = arguments.span(_ != "--")
    val (conf, others) = confOf(options)
    // Reprise's own settings are the core's to judge.
    val (own, settings) = conf.partition { case (key, _) =>
      key.startsWith("spark.reprise.") || key.startsWith("spark.rapids.")
    }
    val passed = others ++ own.flatMap { case (key, value) => Seq(confOption, s"$key=$value") }
    val session = local(settings)
    rest.drop(1).map(folder => replay(folder, passed, session, settings.toMap, None)).maxOption.getOrElse(badInput)
  }

  private def confOf(options: Seq[String]): (Seq[(String, String)], Seq[String]) = options match {
    case Seq(`confOption`, setting, rest @ _*) =>
      val (conf, others) = confOf(rest)
      setting.split("=", 2) match {
        case Array(key, value) => ((key, value) +: conf, others)
        case _ => throw new IllegalArgumentException(s"--conf $setting: expected KEY=VALUE")
      }
    case Seq(option, rest @ _*) =>
      val (conf, others) = confOf(rest)
      (conf, option +: others)
    case _ => (Nil, Nil)
  }

  private def local(settings: Seq[(String, String)]): SparkSession = {
    val builder = SparkSession
      .builder()
      .appName("reprise replay")
      .master("local[1]")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.host", "127.0.0.1")
    settings.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }

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
    val dump = RecordedDump.open(folder)
    val own = withCaptured(session.newSession(), dump.conf, settings)
    val before = SparkSession.getActiveSession
    val operator = new OperatorOnSpark(dump, own)
    try {
      SparkSession.setActiveSession(own)
      // What can't be made is said before anything is printed.
      operator.check()
      Native.replay((options :+ folder).toArray, operator, report.orNull)
    } finally {
      operator.close()
      before.fold(SparkSession.clearActiveSession())(SparkSession.setActiveSession)
    }
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
