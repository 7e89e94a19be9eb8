package reprise.bridge

import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._
import scala.util.matching.Regex
import scala.util.matching.Regex.quoteReplacement

import org.apache.hadoop.conf.Configuration
import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import reprise.access.SecretInternals

/**
 * The gate that settings and options pass on their way into dumps and recordings. Those whose names match
 * `spark.redaction.regex` leave without their values, and URLs without their passwords; who reads them takes his own.
 */
private[reprise] object Secrets {

  /** What stands for a value: as in Spark's own logs. */
  val hidden: String = "*********(redacted)"

  // After "password=", and between "//user:" and "@".
  private val passwordInUrl =
    "(?i)([?&;,](?:password|passwd|pwd|passphrase|secret|token|sig)=)[^&;,\\s]+|(//[^/?#@:\\s]*:)[^/?#@\\s]+(?=@)".r
  private val known = new ConcurrentHashMap[String, java.lang.Boolean]
  @volatile private var pattern: Option[Regex] = None

  def isSecret(name: String): Boolean = {
    val current = patternNow
    if (!pattern.contains(current)) {
      known.clear()
      pattern = Some(current)
    }
    known.computeIfAbsent(name, current.findFirstIn(_).nonEmpty)
  }

  def redacted(name: String, value: String): String =
    if (value == null) null else if (isSecret(name)) hidden else withoutPassword(value)

  /** A text of a plan, as Spark redacts it by `spark.sql.redaction.string.regex`. */
  def redactedText(pattern: Option[Regex], text: String): String =
    pattern.fold(text)(_.replaceAllIn(text, quoteReplacement(hidden)))

  /** A text of at most so many characters, as Spark cuts it by `spark.sql.maxMetadataStringLength`. */
  def shortened(text: String, lengthMax: Int): String =
    if (text.length <= lengthMax) text else text.take(lengthMax - 3) + "..."

  private def withoutPassword(value: String): String =
    if (!value.contains("://") && !value.startsWith("jdbc:")) value
    else {
      passwordInUrl.replaceAllIn(value, found => quoteReplacement(found.subgroups.filter(_ != null).mkString + hidden))
    }

  private def tells(name: String, value: Any): Boolean = value match {
    case text: String => redacted(name, text) != text
    case _ => false
  }

  def redacted[V](settings: Map[String, V]): Map[String, V] = settings.map {
    case (name, value: String) => name -> redacted(name, value).asInstanceOf[V]
    case other => other
  }

  /**
   * A value that holds settings, without secrets; any other value is returned as it is.
   *
   * @throws NotSerializableException for a map of a class of its own, which cannot be made again without its secrets
   */
  def without(value: AnyRef): AnyRef = value match {
    // An entry of a session's settings: some of Scala's maps are written as tuples.
    case (name: String, setting: String) if isSetting(name) => (name, redacted(name, setting))
    // Readers keep the URL beside the options that they have it of.
    case url: String => if (url.startsWith("jdbc:")) withoutPassword(url) else url
    case conf: SparkConf if conf.getAll.exists { case (name, setting) => tells(name, setting) } =>
      val copied = conf.clone()
      conf.getAll.foreach { case (name, setting) => copied.set(name, redacted(name, setting)) }
      copied
    case options: CaseInsensitiveMap[_] if options.exists { case (name, option) => tells(name, option) } =>
      CaseInsensitiveMap(redacted(options.originalMap))
    case SettingMaps(map) => map.withEntries((name, setting) => Some(redacted(name, setting)))
    case other =>
      val conf = SecretInternals.wrapped(other)
      val names = if (conf == null) Nil else namesIn(conf).filter(name => tells(name, conf.getRaw(name)))
      if (names.isEmpty) other
      else {
        val copied = new Configuration(conf)
        names.foreach(name => copied.set(name, redacted(name, conf.getRaw(name))))
        SecretInternals.wrappedAnew(other, copied)
      }
  }

  /** What else has such a name may be a user's row. */
  def isSetting(name: String) = name.startsWith("spark.") || name.startsWith("fs.")

  /** What [[without]] has hidden, from this application's own settings, or left out where it has none. */
  def restored(value: AnyRef, own: SparkConf, hadoop: Configuration): AnyRef = {
    def ownSetting(name: String) = Option(hadoop.getRaw(name)).orElse(own.getOption(name))
    value match {
      case (name: String, setting: String) if isSetting(name) && setting.contains(hidden) =>
        (name, ownSetting(name).getOrElse(""))
      case conf: SparkConf =>
        conf.getAll.filter(_._2.contains(hidden)).foreach { case (name, _) =>
          own.getOption(name).fold(conf.remove(name))(conf.set(name, _))
        }
        conf
      case options: CaseInsensitiveMap[_] if options.valuesIterator.contains(hidden) =>
        CaseInsensitiveMap(options.originalMap.filter(_._2 != hidden))
      case SettingMaps(map) =>
        map.withEntries((name, setting) => if (setting.contains(hidden)) ownSetting(name) else Some(setting))
      case other =>
        Option(SecretInternals.wrapped(other)).foreach { conf =>
          namesIn(conf).filter(conf.getRaw(_).contains(hidden)).foreach { name =>
            ownSetting(name).fold(conf.unset(name))(conf.set(name, _))
          }
        }
        other
    }
  }

  private def namesIn(conf: Configuration): Seq[String] = conf.iterator.asScala.map(_.getKey).toIndexedSeq

  private def patternNow: Regex =
    SecretInternals.pattern(Option(SparkEnv.get).fold(new SparkConf(false))(_.conf))
}
