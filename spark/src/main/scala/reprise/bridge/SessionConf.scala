package reprise.bridge

import java.io.StringWriter

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.internal.SQLConf

import reprise.access.SettingInternals

/** The session's settings as the core gets them. */
object SessionConf {
  private val prefixes = Seq("spark.reprise.", "spark.rapids.", "spark.sql.", "spark.eventLogging.")
  private val flamePrefixes = Seq("spark.reprise.flameGraph.", "spark.rapids.flameGraph.")
  private val jsonFactory = new JsonFactory()

  private case class Asked(set: Map[String, String], read: Map[String, String], overrides: Map[String, String])

  /** The last text and what it says: a session's settings are asked for at every plan and seldom change. */
  @volatile private var last: (Asked, String) = (null, "")

  /** This version of Reprise; the jar's manifest has it. */
  lazy val version: String = Option(getClass.getPackage.getImplementationVersion).getOrElse("unknown")

  /** Flame graphs' are read once, when the application starts: what is wrong with them fails nothing. */
  def isRelevant(key: String): Boolean = prefixes.exists(key.startsWith) && !isOfFlames(key)

  def isOfFlames(key: String): Boolean = flamePrefixes.exists(key.startsWith)

  /** Spark's own settings that the core reads. */
  private lazy val sparkKeys: Seq[String] = {
    NativeLibrary.ensureLoaded()
    new ObjectMapper().readTree(Native.sparkSettings()).elements.asScala.map(_.asText).toSeq
  }

  /** `{key:value}` of every set key that matters, and of Spark's settings as Spark reads them; `overrides` win. */
  def json(conf: SQLConf, overrides: Map[String, String] = Map.empty): String = {
    val asked = Asked(conf.getAllConfs, asSparkReads(conf), overrides)
    val (lastAsked, lastText) = last
    if (asked == lastAsked) lastText
    else {
      val text = json(asked)
      last = (asked, text)
      text
    }
  }

  private def json(asked: Asked): String = {
    val overridden = asked.overrides.keySet ++
      asked.overrides.keySet.map(_.replace("spark.reprise.", "spark.rapids."))
    val set = asked.set.filter { case (key, _) => isRelevant(key) && !overridden(key) }
    json((set ++ asked.read ++ asked.overrides).iterator)
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

  /** Whether the session says no to both of a key's names; of what is wrong with it the core will tell. */
  def isOff(conf: SQLConf, names: String*): Boolean = {
    val said = names.map(conf.getConfString(_, null)).filter(_ != null)
    said.nonEmpty && said.forall(_.trim.equalsIgnoreCase("false"))
  }

  def isTagging(conf: SQLConf): Boolean =
    !isOff(conf, "spark.reprise.lore.tag.enabled", "spark.rapids.sql.lore.tag.enabled")

  def isEnabled(conf: SQLConf): Boolean =
    !isOff(conf, "spark.reprise.sql.enabled", "spark.rapids.sql.enabled")

  /** Whether native operators are to check that their rows come in the order that they promise. */
  def checksOrder(conf: SQLConf): Boolean = conf.getConfString("spark.reprise.order.debug", "false").trim.toBoolean

  def json(settings: Iterator[(String, String)]): String = {
    val text = new StringWriter()
    val out = jsonFactory.createGenerator(text)
    out.writeStartObject()
    settings.foreach { case (key, value) => out.writeStringField(key, value) }
    out.writeEndObject()
    out.close()
    text.toString
  }

  def task(conf: SQLConf): TaskSettings = {
    val set = conf.getAllConfs
    TaskSettings(
      batchRows = set.get("spark.reprise.sql.batchRows").map(_.trim.toLong),
      batchBytes = set.get("spark.reprise.sql.batchBytes").map(_.trim.toLong),
      concurrentTasks = set.get("spark.reprise.concurrentTasks").map(_.trim.toLong),
      memoryDebug = set.get("spark.reprise.memory.debug").map(_.trim.toBoolean),
      denyEvery = set.get("spark.reprise.memory.denyEvery").map(_.trim.toLong),
      captured = CapturedTasks.of(set.get("spark.reprise.lore.when")),
      trace = set.get("spark.reprise.trace.path").map(_.trim).filter(_.nonEmpty).map(trace(_, set)),
      ledger = None)
  }

  /** Has the core look at the directory, so that what is wrong with it is said before tasks run. Driver. */
  private def trace(path: String, set: Map[String, String]): TraceSettings = {
    val keys = Iterator("spark.reprise.trace.path" -> path) ++
      set.get("spark.reprise.trace.maxEventsPerTask").map("spark.reprise.trace.maxEventsPerTask" -> _)
    val checked = new ObjectMapper().readTree(CoreErrors.translated(Native.checkConf(json(keys))))
    TraceSettings(
      checked.get("spark.reprise.trace.path").asText,
      checked.get("spark.reprise.trace.maxEventsPerTask").asText.toLong)
  }
}

/**
 * What a task must know of its session. Where the session says nothing, the core has the default.
 *
 * @param ledger the token of the query whose operators are summed up, if they are
 */
final case class TaskSettings(
    batchRows: Option[Long],
    batchBytes: Option[Long],
    concurrentTasks: Option[Long],
    memoryDebug: Option[Boolean],
    denyEvery: Option[Long],
    captured: CapturedTasks,
    trace: Option[TraceSettings],
    ledger: Option[String])

/** @param directory a local path */
final case class TraceSettings(directory: String, eventsMax: Long)
