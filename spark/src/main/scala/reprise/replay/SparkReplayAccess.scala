package reprise.replay

import org.apache.spark.sql.SparkSession

import reprise.ReplayReport

/** The replay as [[reprise.Dump]] offers it. */
private[reprise] object SparkReplayAccess {
  def name(folder: String): String = RecordedDump.open(folder).name

  def replay(folder: String, spark: SparkSession, options: Seq[String]): ReplayReport = {
    val master = spark.sparkContext.master
    if (!master.startsWith("local")) {
      throw new IllegalArgumentException(s"a replay needs a session whose master is local, not $master")
    }
    val report = new Array[String](1)
    val status = SparkReplay.replay(folder, options, spark, Map.empty, Some(report))
    ReplayReport(status == 0, report(0))
  }
}
