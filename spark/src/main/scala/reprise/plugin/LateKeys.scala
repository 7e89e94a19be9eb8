package reprise.plugin

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.sql.internal.SQLConf

/** The keys that are read when the application starts. A session may set them, which changes nothing: it is told so. */
private[reprise] object LateKeys extends Logging {
  // What the application has of each.
  @volatile private var atStart = Map.empty[String, Option[String]]
  private val told = ConcurrentHashMap.newKeySet[(String, String)]

  def begin(keys: Seq[String], conf: SparkConf): Unit = atStart = keys.map(key => key -> conf.getOption(key)).toMap

  /** Once for each key and value. */
  def warn(conf: SQLConf): Unit = for (warning <- warnings(conf)) logWarning(warning)

  private[plugin] def warnings(conf: SQLConf): Seq[String] =
    for {
      (key, ofApplication) <- atStart.toIndexedSeq if conf.contains(key)
      value = conf.getConfString(key) if !ofApplication.contains(value) && told.add(key -> value)
    } yield s"$key is read when the application starts, which had it ${ofApplication.fold("not set")(_ => "set otherwise")}: " +
      "what a session sets it to changes nothing. Set it with --conf, or in spark-defaults.conf"
}
