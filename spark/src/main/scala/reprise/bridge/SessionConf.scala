package reprise.bridge

import java.io.StringWriter

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.SparkConf
import org.apache.spark.sql.internal.SQLConf

import reprise.access.SettingInternals

/** The settings as the core gets them, and what it makes of them: no key of Reprise's is read here. */
object SessionConf {
  private val mapper = new ObjectMapper()
  private val jsonFactory = new JsonFactory()

  /** What is handed over. Nothing else: it stands in dumps, and a session's settings may hold passwords. */
  private val prefixes = Seq("spark.reprise.", "spark.rapids.", "spark.sql.", "spark.eventLogging.")

  private case class Asked(set: Map[String, String], read: Map[String, String], overrides: Map[String, String])

  private final class Told(asked: Asked) {
    val text: String = json(asked)
    lazy val task: TaskSettings = {
      val answer = mapper.readTree(CoreErrors.translated(Native.taskSettings(text)))
      TaskSettings(
        answer.get("settings").toString,
        answer.get("checksOrder").asBoolean,
        Option(answer.get("traces")).map(_.asText))
    }
  }

  /** What `make` gave last: a session's settings are asked for at every plan and seldom change. */
  private final class Last[K, V](make: K => V) {
    @volatile private var last: Option[(K, V)] = None

    def apply(key: K): V = last match {
      case Some((`key`, value)) => value
      case _ =>
        val value = make(key)
        last = Some((key, value))
        value
    }
  }

  private val told = new Last[Asked, Told](new Told(_))
  private val switched = new Last[Map[String, String], Switches](set => switchesOf(json(relevant(set.iterator))))

  /** This version of Reprise; the jar's manifest has it. */
  lazy val version: String = Option(getClass.getPackage.getImplementationVersion).getOrElse("unknown")

  /** Spark's own settings that the core reads. */
  private lazy val sparkKeys: Seq[String] = {
    NativeLibrary.ensureLoaded()
    mapper.readTree(Native.sparkSettings()).elements.asScala.map(_.asText).toIndexedSeq
  }

  /** `{key:value}` of every set key that matters, and of Spark's settings as Spark reads them; `overrides` win. */
  def json(conf: SQLConf, overrides: Map[String, String] = Map.empty): String = told(asked(conf, overrides)).text

  /** The same of an application that starts. */
  def json(conf: SparkConf): String = json(relevant(conf.getAll.iterator))

  def switches(conf: SQLConf): Switches = switches(conf.getAllConfs)

  /** @param set all that is set */
  def switches(set: Map[String, String]): Switches = switched(set)

  /** On the driver, where a fragment is made. @throws IllegalArgumentException for what is wrong with a task's key */
  def task(conf: SQLConf): TaskSettings = told(asked(conf, Map.empty)).task

  private def asked(conf: SQLConf, overrides: Map[String, String]) =
    Asked(conf.getAllConfs, asSparkReads(conf), overrides)

  private def switchesOf(json: String): Switches = {
    NativeLibrary.ensureLoaded()
    val answer = mapper.readTree(Native.switches(json))
    def is(name: String) = answer.get(name).asBoolean
    Switches(is("isEnabled"), is("isTagging"), is("isChecksummed"), is("isMasked"), is("isOnce"), answer.get("chosen").asText)
  }

  private def relevant(set: Iterator[(String, String)]) =
    set.collect { case (key, value) if prefixes.exists(key.startsWith) => key -> Secrets.redacted(key, value) }

  private def json(asked: Asked): String = {
    val overridden = asked.overrides.keySet ++
      asked.overrides.keySet.map(_.replace("spark.reprise.", "spark.rapids."))
    val set = relevant(asked.set.iterator).filterNot { case (key, _) => overridden(key) }
    json((set.toMap ++ asked.read ++ asked.overrides).iterator)
  }

  private def asSparkReads(conf: SQLConf): Map[String, String] = {
    val typed = for (key <- sparkKeys; value <- asSparkReads(conf, key)) yield key -> value
    typed.toMap ++ Map(
      SQLConf.SESSION_LOCAL_TIMEZONE.key -> conf.sessionLocalTimeZone,
      SQLConf.ANSI_ENABLED.key -> conf.ansiEnabled.toString)
  }

  /** Empty, which no setting takes, where Spark cannot read it: whether that is an error is for Spark to say. */
  private def asSparkReads(conf: SQLConf, key: String): Option[String] =
    try Option(SettingInternals.read(conf, key))
    catch { case NonFatal(_) => Some("") }

  private def json(settings: Iterator[(String, String)]): String = {
    val text = new StringWriter()
    val out = jsonFactory.createGenerator(text)
    out.writeStartObject()
    settings.foreach { case (key, value) => out.writeStringField(key, value) }
    out.writeEndObject()
    out.close()
    text.toString
  }

  /** When the application starts. @param conf as of [[json]] */
  def application(conf: String): ApplicationSettings = {
    val answer = mapper.readTree(Native.applicationSettings(conf))
    ApplicationSettings(
      Option(answer.get("lineage")).map(it =>
        LineageSettings(
          it.get("path").asText,
          it.get("key").asText,
          it.get("overwritesFile").asBoolean,
          it.get("keepsResults").asBoolean)),
      Option(answer.get("ledger")).map(it => LedgerSettings(it.get("path").asText, it.get("operators").asText)),
      Option(answer.get("memoryReports")).map(_.asText),
      Option(answer.get("spans")).map(_.asText),
      Option(answer.get("traces")).map(_.asText),
      answer.get("hasProfileKeys").asBoolean,
      answer.get("hasTab").asBoolean,
      answer.get("readAtStart").elements.asScala.map(_.asText).toIndexedSeq)
  }
}

/**
 * What is looked at before the core is asked for anything else.
 *
 * @param isEnabled whether plans are looked at
 * @param isTagging whether operators get LORE ids
 * @param isChecksummed  whether a ledger, if there is one, checksums it
 * @param isMasked  whether columns are masked
 * @param isOnce    whether what is chosen holds for one query
 * @param chosen    what says which operators are dumped and checked, and how; empty where none is
 */
final case class Switches(
    isEnabled: Boolean,
    isTagging: Boolean,
    isChecksummed: Boolean,
    isMasked: Boolean,
    isOnce: Boolean,
    chosen: String)

/**
 * What a fragment goes by.
 *
 * @param text        what its tasks must know of their session: travels to the executors, and back into the core
 * @param checksOrder whether its JSON has the orders that its operators promise
 * @param traces      the directory for traces, where that is none of each machine's own
 */
final case class TaskSettings(text: String, checksOrder: Boolean, traces: Option[String])

/**
 * @param lineage        where the application's lineage is recorded to
 * @param memoryReports  the folder in which executors keep reports of their memory
 * @param spans          the address that spans are sent to
 * @param traces         the directory for traces, where that is none of each machine's own
 * @param hasProfileKeys whether anything is said of profiles, right or wrong
 * @param hasTab         whether Spark's page of the application has a tab of ours
 * @param readAtStart    the keys that no session can change
 */
final case class ApplicationSettings(
    lineage: Option[LineageSettings],
    ledger: Option[LedgerSettings],
    memoryReports: Option[String],
    spans: Option[String],
    traces: Option[String],
    hasProfileKeys: Boolean,
    hasTab: Boolean,
    readAtStart: Seq[String])

/**
 * @param key            the one that names the folder
 * @param overwritesFile whether a file may lie there
 * @param keepsResults   whether what tasks give is recorded
 */
final case class LineageSettings(path: String, key: String, overwritesFile: Boolean, keepsResults: Boolean)

/** @param path the folder that the ledger's own is made in; @param operators whose output is checksummed */
final case class LedgerSettings(path: String, operators: String)
