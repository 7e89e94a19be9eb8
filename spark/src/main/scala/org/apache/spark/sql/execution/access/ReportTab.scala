package org.apache.spark.sql.execution.access

import java.net.HttpURLConnection.{HTTP_BAD_METHOD, HTTP_INTERNAL_ERROR}
import java.nio.charset.StandardCharsets.UTF_8

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
  PageHandlers.attach(ui, s"/$prefix/report", new ReportServlet("text/html", policy => ReportTab.allowed(page(), policy)))
  PageHandlers.attach(ui, s"/$prefix/report/data", new ReportServlet("application/json", _ => data()))
}

object ReportTab {
  def attach(ui: SparkUI, page: () => Array[Byte], data: () => Array[Byte]): Unit =
    ui.attachTab(new ReportTab(ui, page, data))

  private val nonce = "'nonce-([^']+)'".r

  /** The page with its scripts marked as its own where `policy`, Spark's since 4.2, runs no others. */
  def allowed(page: Array[Byte], policy: Option[String]): Array[Byte] =
    policy.flatMap(nonce.findFirstMatchIn(_)).map(_.group(1)) match {
      case Some(mark) => new String(page, UTF_8).replace("<script>", s"""<script nonce="$mark">""").getBytes(UTF_8)
      case None => page
    }

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

/** @param body what is sent under a policy about the page's contents, if there is one */
private final class ReportServlet(contentType: String, body: Option[String] => Array[Byte]) extends Servlet with Logging {
  override def doGet(request: Request, response: Response): Unit =
    try {
      val sent = body(Option(response.getHeader("Content-Security-Policy")))
      response.setContentType(s"$contentType;charset=utf-8")
      response.setHeader("Cache-Control", "no-cache, no-store, must-revalidate")
      response.setHeader("X-Content-Type-Options", "nosniff")
      response.getOutputStream.write(sent)
    } catch {
      case NonFatal(e) =>
        logWarning(s"reprise: the report could not be made: $e")
        response.sendError(HTTP_INTERNAL_ERROR, s"the report could not be made: ${e.getMessage}")
    }

  // Clients that only ask are told nothing.
  override def doTrace(request: Request, response: Response): Unit =
    response.sendError(HTTP_BAD_METHOD)
}
