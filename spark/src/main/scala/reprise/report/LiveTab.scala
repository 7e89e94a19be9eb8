package reprise.report

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.SparkListenerEvent
import org.apache.spark.sql.execution.access.{LineageAccess, QueryPageListener, ReportListener, ReportTab, RetainedCounts}

import reprise.bridge.EventReport

/** The tab *Reprise* of a running application's page, and LORE ids in the pages of its queries. */
final class LiveTab private (val context: SparkContext, report: EventReport) extends AutoCloseable {
  private val names = LiveTab.report(context)

  private lazy val namesOperators: Unit = QueryPageListener.attach(
    context,
    (event: SparkListenerEvent) => names.add(LineageAccess.json(event)),
    names.labels)

  override def close(): Unit = {
    LiveTab.current = None
    report.close()
    names.close()
  }
}

object LiveTab {
  @volatile private var current: Option[LiveTab] = None

  /** None where the application has no page. */
  def begin(context: SparkContext): Option[LiveTab] = {
    current = ReportTab.ofApplication(context).map { ui =>
      val shown = report(context)
      ReportListener.attach(context, shown.add, "reprise-report")
      ReportTab.announce(context, "spark.reprise.ui.address")
      ReportTab.attach(ui, () => EventReport.page(), () => shown.json())
      new LiveTab(context, shown)
    }
    current
  }

  /** Whether pages of queries show LORE ids. To be asked before the first query starts, when there is a session. */
  def showsIds(context: SparkContext): Boolean = {
    val tab = current.filter(_.context eq context)
    tab.foreach(_.namesOperators)
    tab.nonEmpty
  }

  private def report(context: SparkContext) = {
    val conf = context.getConf
    new EventReport(RetainedCounts.queries(conf), RetainedCounts.stages(conf))
  }
}
