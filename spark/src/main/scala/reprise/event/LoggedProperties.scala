package reprise.event

import java.util.Properties

/** Of a job's properties those that readers of event logs ask for: settings may be secrets. */
private[reprise] object LoggedProperties {
  private val keys = Seq(
    "spark.sql.execution.id",
    "spark.sql.execution.root.id",
    "spark.job.description",
    "spark.jobGroup.id",
    "spark.rdd.scope",
    "callSite.short")

  def of(all: Properties): Properties = {
    val kept = new Properties
    if (all != null) {
      for (key <- keys; value <- Option(all.getProperty(key))) kept.setProperty(key, value)
    }
    kept
  }
}
