package reprise.replay

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession

/**
 * What the program `reprise` starts in a JVM of its own: a command over dumps whose operators run on Spark.
 *
 * {{{MAIN-CLASS [options of the command] -- DUMP/loreId-N…}}}
 * The exit status is that of the command, of several folders the worst: 2, 1, 3, 0.
 */
private[replay] abstract class SparkProgram {
  private val confOption = "--conf"
  private val isFalse = 1
  private val notCompared = 3
  private val worstFirst = Seq(JvmProgram.badInput, isFalse, notCompared, 0)

  /** @return the exit status */
  protected def run(folder: String, options: Seq[String], session: SparkSession, settings: Map[String, String]): Int

  def main(arguments: Array[String]): Unit = JvmProgram.end(run(arguments.toSeq))

  private def run(arguments: Seq[String]): Int = {
    val (options, rest) = arguments.span(_ != "--")
    val (conf, others) = confOf(options)
    // Reprise's own settings are the core's to judge.
    val (own, settings) = conf.partition { case (key, _) =>
      key.startsWith("spark.reprise.") || key.startsWith("spark.rapids.")
    }
    val passed = others ++ own.flatMap { case (key, value) => Seq(confOption, s"$key=$value") }
    val session = JvmProgram.session("reprise replay", ("spark.master" -> "local[1]") +: settings)
    val statuses = rest.drop(1).map { folder =>
      try run(folder, passed, session, settings.toMap)
      catch {
        // The others have something to say, too.
        case NonFatal(e) if rest.length > 2 =>
          println(s"$folder: ${e.getMessage}")
          if (e.isInstanceOf[NotPortable]) notCompared else isFalse
      }
    }
    worstFirst.find(statuses.contains).getOrElse(JvmProgram.badInput)
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
}
