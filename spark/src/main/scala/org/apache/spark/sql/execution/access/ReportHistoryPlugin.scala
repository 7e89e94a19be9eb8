package org.apache.spark.sql.execution.access

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import scala.util.Using

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Status
import org.apache.spark.scheduler.SparkListener
import org.apache.spark.sql.internal.StaticSQLConf
import org.apache.spark.status.{AppHistoryServerPlugin, ElementTrackingStore}
import org.apache.spark.status.KVUtils.KVIndexParam
import org.apache.spark.ui.SparkUI

import reprise.bridge.EventReport

/** In the history server: makes the report while the log is read, and keeps it beside what Spark keeps of the log. */
final class ReportHistoryPlugin extends AppHistoryServerPlugin {

  override def createListeners(conf: SparkConf, store: ElementTrackingStore): Seq[SparkListener] = {
    val report = new EventReport(RetainedCounts.queries(conf), RetainedCounts.stages(conf))
    store.onFlush {
      store.write(new StoredReport(StoredReport.key, StoredReport.zipped(report.json())))
      report.close()
    }
    // What labels depend on the report has been told of.
    Seq(new ReportListener(report.add), new QueryPageListener(store, _ => (), report.labels))
  }

  override def setupUI(ui: SparkUI): Unit =
    if (ui.store.store.count(classOf[StoredReport]) > 0) {
      val report = ui.store.store.read(classOf[StoredReport], StoredReport.key)
      ReportTab.attach(ui, () => EventReport.page(), () => StoredReport.unzipped(report.json))
    }

  /** After Spark's own. */
  override def displayOrder: Int = 100
}

/** How much Spark's own pages keep. */
object RetainedCounts {
  def queries(conf: SparkConf): Long = conf.get(StaticSQLConf.UI_RETAINED_EXECUTIONS)
  def stages(conf: SparkConf): Long = conf.get(Status.MAX_RETAINED_STAGES)
}

/** @param json compressed */
private[spark] final class StoredReport(@KVIndexParam val id: String, val json: Array[Byte])

private[spark] object StoredReport {
  val key = "reprise"

  def zipped(bytes: Array[Byte]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    Using.resource(new GZIPOutputStream(out))(_.write(bytes))
    out.toByteArray
  }

  def unzipped(bytes: Array[Byte]): Array[Byte] =
    Using.resource(new GZIPInputStream(new ByteArrayInputStream(bytes)))(_.readAllBytes())
}
