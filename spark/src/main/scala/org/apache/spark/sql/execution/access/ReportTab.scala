package org.apache.spark.sql.execution.access

import java.net.HttpURLConnection.{HTTP_BAD_METHOD, HTTP_INTERNAL_ERROR}

import scala.util.control.NonFatal
import scala.xml.Node

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.ui.{SparkUI, SparkUITab, UIUtils, WebUIPage}

import reprise.access.PageHandlers
import reprise.access.SparkTypes.{Request, Response, Servlet}

/**
 * The report, as a tab of Spark's page of an application or of its history server.
 *
 * @param page what draws it, which asks for "data" below itself
 * @param data the report as JSON
 */
final class ReportTab private (ui: SparkUI, page: () => Array[Byte], data: () => Array[Byte])
  extends SparkUITab(ui, "reprise") {

  override val name: String = "Reprise"

  attachPage(new ReportFrame(this))
  Seq(("report", "text/html", page), ("report/data", "application/json", data)).foreach { case (path, contentType, bytes) =>
    PageHandlers.attach(ui, s"/$prefix/$path", new BytesServlet(contentType, bytes))
  }
}

object ReportTab {
  def attach(ui: SparkUI, page: () => Array[Byte], data: () => Array[Byte]): Unit =
    ui.attachTab(new ReportTab(ui, page, data))

  /** Spark's page of a running application, where there is one. */
  def ofApplication(context: SparkContext): Option[SparkUI] = context.ui

  /** Makes the address of the application's page known to its sessions. */
  def announce(context: SparkContext, key: String): Unit = context.uiWebUrl.foreach(context.conf.set(key, _))
}

/** Spark's own head with its tabs, and the report below. */
private final class ReportFrame(tab: ReportTab) extends WebUIPage("") {
  override def render(request: Request): Seq[Node] = {
    val report = UIUtils.prependBaseUri(request, tab.basePath, "/reprise/report/")
    // As high as the window, less Spark's head.
    val frame = <iframe src={report} title="Reprise" style="border: 0; width: 100%; height: calc(100vh - 130px)"></iframe>
    UIUtils.headerSparkPage(request, "Reprise", frame, tab)
  }
}

private final class BytesServlet(contentType: String, bytes: () => Array[Byte]) extends Servlet with Logging {
  override def doGet(request: Request, response: Response): Unit =
    try {
      val body = bytes()
      response.setContentType(s"$contentType;charset=utf-8")
      response.setHeader("Cache-Control", "no-cache, no-store, must-revalidate")
      response.setHeader("X-Content-Type-Options", "nosniff")
      response.getOutputStream.write(body)
    } catch {
      case NonFatal(e) =>
        logWarning(s"reprise: the report could not be made: $e")
        response.sendError(HTTP_INTERNAL_ERROR, s"the report could not be made: ${e.getMessage}")
    }

  // Clients that only ask are told nothing.
  override def doTrace(request: Request, response: Response): Unit =
    response.sendError(HTTP_BAD_METHOD)
}
