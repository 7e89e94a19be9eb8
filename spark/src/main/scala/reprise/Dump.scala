package reprise

import org.apache.spark.sql.SparkSession

import reprise.replay.{RecordedDump, SparkReplay}

/**
 * A dumped operator, to be replayed in a Spark session of the user's.
 *
 * {{{
 * val report = reprise.Dump.open("/tmp/dump/loreId-5").replay(spark)
 * assert(report.holds, report.json)
 * }}}
 */
final class Dump private (val folder: String) {

  /** Spark's name of the operator. */
  def name: String = RecordedDump.open(folder).name

  /**
   * Replays by Spark's own operator, in this JVM; the master must be local.
   *
   * @param options those of `reprise replay`, for example "--partition", "3", "--out", "rows.parquet"
   * @throws IllegalArgumentException for what is wrong with the dump or the options
   * @throws reprise.replay.NotPortable where the operator can't be made in this Spark
   */
  def replay(spark: SparkSession, options: String*): ReplayReport = {
    val master = spark.sparkContext.master
    if (!master.startsWith("local")) {
      throw new IllegalArgumentException(s"a replay needs a session whose master is local, not $master")
    }
    val report = new Array[String](1)
    val status = SparkReplay.replay(folder, options, spark, Map.empty, Some(report))
    ReplayReport(status == 0, report(0))
  }
}

object Dump {

  /** @param folder DUMP/loreId-N */
  def open(folder: String): Dump = new Dump(folder)
}

/** What a replay has found. @param json the report of `reprise replay --json` */
final case class ReplayReport(holds: Boolean, json: String)
