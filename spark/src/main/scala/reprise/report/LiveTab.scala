package reprise.report

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.access.{LineageAccess, ReportListener, ReportTab, RetainedCounts}

import reprise.bridge.EventReport

/** The tab *Reprise* of a running application's page. */
final class LiveTab private (report: EventReport) extends AutoCloseable {
  override def close(): Unit = report.close()
}

object LiveTab {

  /** None where the application has no page. */
  def begin(context: SparkContext): Option[LiveTab] =
    ReportTab.ofApplication(context).map { ui =>
      val conf = context.getConf
      val report = new EventReport(RetainedCounts.queries(conf), RetainedCounts.stages(conf))
      report.add(s"""{"Event":"SparkListenerLogStart","Spark Version":"${context.version}"}""") // told to logs alone
      LineageAccess.addListener(context, new ReportListener(report.add), "reprise-report")
      ReportTab.announce(context, "spark.reprise.ui.address")
      ReportTab.attach(ui, () => EventReport.page(), () => report.json())
      new LiveTab(report)
    }
}
