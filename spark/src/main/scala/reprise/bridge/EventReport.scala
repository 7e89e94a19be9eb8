package reprise.bridge

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.internal.Logging

/** The report of one application, which the core makes of its events. */
final class EventReport(queries: Long, stages: Long) extends AutoCloseable with Logging {
  NativeLibrary.ensureLoaded()
  private val handle = Native.openReport(queries, stages)
  @volatile private var closed = false
  private var told = false

  /** An event that cannot be read is left out: a report is no reason for an application to fail. */
  def add(event: String): Unit =
    try if (!closed) Native.addEvent(handle, event)
    catch {
      case NonFatal(e) if !told && !closed =>
        told = true
        logWarning(s"reprise: the report leaves out an event, and will not warn again: $e")
      case NonFatal(_) =>
    }

  /** JSON in UTF-8. */
  def json(): Array[Byte] = Native.reportJson(handle)

  /** What is put behind the names of the operators of a query's last plan, in pre-order. */
  def labels(execution: Long): Seq[String] =
    if (closed) Nil
    else EventReport.mapper.readTree(Native.operatorLabels(handle, execution)).elements().asScala.map(_.asText).toIndexedSeq

  override def close(): Unit = {
    closed = true
    Native.closeReport(handle)
  }
}

object EventReport {
  private val mapper = new ObjectMapper()

  /** The page that shows a report, in UTF-8; it asks for the JSON at "data" below it. */
  def page(): Array[Byte] = {
    NativeLibrary.ensureLoaded()
    Native.reportPage()
  }
}
