package reprise.telemetry

import java.net.{URI, URLDecoder}
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.access.ReportListener

import reprise.bridge.{Native, NativeLibrary}

/**
 * Sends the spans of an application, which the core makes of its events, to `spark.reprise.otlp.endpoint`. What is wrong
 * there is told once and costs spans, never the application.
 */
private[reprise] final class SpanExport private (server: SpanServer) extends AutoCloseable with Logging {
  import SpanExport._

  private val spans = Native.openSpans(fromEnvironment("TRACEPARENT"), fromEnvironment("OTEL_SERVICE_NAME"))
  @volatile private var isClosed = false

  /** Until when requests are tried again: while the application runs, and a little longer. */
  @volatile private var until = Long.MaxValue
  private var hasWarned = false

  private val thread = new Thread(() => run(), "reprise-spans")
  thread.setDaemon(true)
  thread.start()

  private def add(event: String): Unit =
    try if (!isClosed) Native.addSpanEvent(spans, event)
    catch { case NonFatal(e) => warnOnce(s"an event is left out of the spans: $e") }

  private def run(): Unit =
    while (!isClosed) {
      try Thread.sleep(everyMs)
      catch { case _: InterruptedException => } // it is closed
      if (!isClosed) send()
    }

  private def send(): Unit = synchronized {
    try {
      val request = Native.takeSpans(spans)
      if (request.nonEmpty) server.send(request, isOver = () => System.nanoTime() > until).foreach(warnOnce)
    } catch { case NonFatal(e) => warnOnce(s"spans are lost: $e") }
  }

  private def warnOnce(text: String): Unit = if (!hasWarned) {
    hasWarned = true
    logWarning(s"reprise: $text; this is not told again")
  }

  /** Sends what is left. The listener has been told of the application's end. */
  override def close(): Unit = {
    until = System.nanoTime() + lastMs * 1000000
    isClosed = true
    thread.interrupt()
    send()
    Native.closeSpans(spans)
  }
}

private[reprise] object SpanExport {
  private val everyMs = 2000L
  private val lastMs = 3000L

  def begin(context: SparkContext, address: String): SpanExport = {
    NativeLibrary.ensureLoaded()
    val sent = new SpanExport(new SpanServer(URI.create(address).toURL, headers(fromEnvironment("OTEL_EXPORTER_OTLP_HEADERS"))))
    ReportListener.attach(context, sent.add, "reprise-spans")
    sent
  }

  private def fromEnvironment(name: String): String = sys.env.getOrElse(name, "")

  /** "name=value,name=value", with values as W3C's Baggage encodes them. */
  private[telemetry] def headers(text: String): Seq[(String, String)] =
    text.split(',').toIndexedSeq.map(_.split("=", 2)).collect { case Array(name, value) =>
      name.trim -> URLDecoder.decode(value.trim.replace("+", "%2B"), UTF_8)
    }
}
