package reprise.ledger

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.access.LineageAccess

import reprise.bridge.{LedgerSettings, SessionConf}

/** What a task attempt has checksummed: a line of the ledger. */
final case class TaskChecksums(line: String)

/**
 * The ledger of an application, on the driver. A folder that can no longer be written to ends it with a warning; jobs
 * never fail by it.
 */
private[reprise] final class Ledger private (folder: LedgerFolder) extends Logging {
  private val described = mutable.HashSet.empty[(String, Long)]
  private var isOpen = true
  private var flushed = System.nanoTime()
  private var hidesValues = false

  /** From now on nothing that is written tells a value: columns of a query are masked. */
  def hideValues(): Unit = synchronized { hidesValues = true }

  /** Names the columns of an operator's output. */
  def describe(query: String, loreId: Long, columns: Seq[String]): Unit = recording {
    if (described.add((query, loreId))) {
      val line = LedgerFolder.node()
      val names = line.putObject("operator").put("query", query).put("loreId", loreId).putArray("columns")
      (if (hidesValues) HiddenTexts.inNames(columns) else columns).foreach(names.add)
      folder.line(line.toString)
    }
  }

  def add(checksums: TaskChecksums): Unit = recording {
    folder.line(checksums.line)
    val now = System.nanoTime()
    if (now - flushed > Ledger.flushNs) {
      flushed = now
      folder.flush()
    }
  }

  private[ledger] def event(json: String, flush: Boolean): Unit = recording {
    folder.event(if (hidesValues) HiddenTexts.in(json) else json)
    if (flush) folder.flush()
  }

  private def recording(body: => Unit): Unit = synchronized {
    if (isOpen) {
      try body
      catch {
        case NonFatal(e) =>
          isOpen = false
          logWarning(s"reprise: the ledger ${folder.path} ends here: $e", e)
          folder.close()
      }
    }
  }

  private def close(): Unit = recording {
    isOpen = false
    folder.flush()
    folder.close()
  }
}

private[reprise] object Ledger {
  private val flushNs = 1000000000L
  private val ledgers = new java.util.WeakHashMap[SparkContext, Ledger]

  def of(context: SparkContext): Option[Ledger] = ledgers.synchronized(Option(ledgers.get(context)))

  /** When the context knows its application's id, and no job has run. */
  def begin(context: SparkContext, application: String, settings: LedgerSettings): Unit = {
    val name = application + context.applicationAttemptId.fold("")("-" + _)
    val folder = LedgerFolder.create(settings.path, name, context.hadoopConfiguration)
    val header = LedgerFolder.node()
    header
      .putObject("ledger")
      .put("format", 2)
      .put("reprise", SessionConf.version)
      .put("spark", context.version)
      .put("application", context.appName)
      .put("id", application)
      .put("operators", settings.operators)
    folder.line(header.toString)
    val start = LedgerFolder.node()
    start.put("Event", "SparkListenerLogStart").put("Spark Version", context.version)
    folder.event(start.toString)
    folder.flush()
    val ledger = new Ledger(folder)
    LineageAccess.addListener(context, new LedgerEvents(ledger))
    ledgers.synchronized(ledgers.put(context, ledger))
  }

  def end(context: SparkContext): Unit = ledgers.synchronized(Option(ledgers.remove(context))).foreach(_.close())
}
