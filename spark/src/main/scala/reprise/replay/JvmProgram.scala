package reprise.replay

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession

/** What the main classes that the program `reprise` starts have in common. */
private[replay] object JvmProgram {
  val badInput = 2

  /** Ends this JVM with the status that `run` gives, or with that of bad input where it fails. */
  def end(run: => Int): Unit = {
    val status =
      try run
      catch {
        case NonFatal(e) =>
          System.err.println(s"reprise: ${e.getMessage}")
          badInput
      }
    // Whatever threads the functions of the user's have left behind.
    System.out.flush()
    Runtime.getRuntime.halt(status)
  }

  def session(name: String, settings: Seq[(String, String)]): SparkSession = {
    val builder = SparkSession
      .builder()
      .appName(name)
      .config("spark.ui.enabled", "false")
      .config("spark.driver.host", "127.0.0.1")
    settings.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }
}
