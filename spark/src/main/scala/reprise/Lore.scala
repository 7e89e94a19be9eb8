package reprise

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{DataFrame, SparkSession}

import reprise.access.SparkTypes
import reprise.bridge.Native
import reprise.plugin.Planning
import reprise.replay.WholeQuery

/** Takes operators of a query home, in one call. */
object Lore {
  private val idsKey = "spark.reprise.lore.idsToDump"
  private val pathKey = "spark.reprise.lore.dumpPath"
  private val perQueryKey = "spark.reprise.lore.perQuery"

  /** Every operator that can be dumped, below `spark.reprise.lore.dumpPath`. */
  def dump(df: DataFrame): String = dump(df, "*")

  /** @param ids as `spark.reprise.lore.idsToDump` has them */
  def dump(df: DataFrame, ids: String): String =
    dump(
      df,
      ids,
      df.sparkSession.conf
        .getOption(pathKey)
        .filter(_.nonEmpty)
        .getOrElse(throw new IllegalArgumentException(s"there is no path to dump to: give one, or set $pathKey")))

  /**
   * Plans the query anew and runs it while the operators that `ids` chooses are dumped.
   *
   * @param path the directory below which the query gets one of its own
   * @return that directory
   */
  def dump(df: DataFrame, ids: String, path: String): String =
    Option(folderOf(df, ids, path)).getOrElse(throw new IllegalStateException(s"nothing was dumped of $ids: the log says why"))

  /** The same for Python; null where nothing was dumped. */
  def folderOf(df: DataFrame, ids: String, path: String): String = {
    val session = df.sparkSession.asInstanceOf[SparkTypes.Session]
    val query = withSettings(session, Map(idsKey -> ids, pathKey -> path, perQueryKey -> "true")) {
      val execution = session.sessionState.executePlan(df.queryExecution.commandExecuted)
      WholeQuery.read(execution, "dump")
      Planning.identityOf(execution.executedPlan)
    }
    val below = new Path(path)
    val files = below.getFileSystem(session.sessionState.newHadoopConf())
    query.foreach(q => Native.endDumps(q.token))
    val found = query.toIndexedSeq.flatMap(q => Option(files.globStatus(new Path(below, s"query-*${q.token.take(8)}"))).toIndexedSeq.flatten)
    found.headOption.map(_.getPath.toString).orNull
  }

  private def withSettings[T](session: SparkSession, settings: Map[String, String])(body: => T): T = {
    val before = settings.keys.map(key => key -> session.conf.getOption(key)).toIndexedSeq
    settings.foreach { case (key, value) => session.conf.set(key, value) }
    try body
    finally before.foreach { case (key, value) => value.fold(session.conf.unset(key))(session.conf.set(key, _)) }
  }
}
