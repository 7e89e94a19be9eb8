package reprise

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.internal.SQLConf

import reprise.access.SparkTypes.Dataset
import reprise.plugin.Planning
import reprise.serialize.PlanWriter

/** What Reprise makes of a query, without running it. */
object Explain {

  /** The query's physical plan as the core reads it. */
  def planJson(df: DataFrame): String =
    asItsSession(df) { new String(PlanWriter.write(physicalPlan(df)).json, UTF_8) }

  /**
   * Which operators would run natively, and why the others would not.
   *
   * @param mode as `spark.reprise.sql.explain`: ALL, or NOT_NATIVE for what would not alone
   */
  def explain(df: DataFrame, mode: String = "ALL"): String =
    asItsSession(df) { Planning.explain(physicalPlan(df), mode) }

  /** With the settings of the query's session, whichever session this thread used last. */
  private def asItsSession[T](df: DataFrame)(body: => T): T =
    SQLConf.withExistingConf(df.asInstanceOf[Dataset[_]].sparkSession.sessionState.conf)(body)

  private def physicalPlan(df: DataFrame) = Planning.wholePlan(df.asInstanceOf[Dataset[_]].queryExecution)
}
