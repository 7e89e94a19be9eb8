package reprise

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

import reprise.plugin.Planning
import reprise.serialize.PlanWriter

/** What Reprise makes of a query, without running it. */
object Explain {

  /** The query's physical plan as the core reads it. */
  def planJson(df: DataFrame): String = new String(PlanWriter.write(physicalPlan(df)).json, UTF_8)

  /**
   * Which operators would run natively, and why the others would not.
   *
   * @param mode as `spark.reprise.sql.explain`: ALL, or NOT_NATIVE for what would not alone
   */
  def explain(df: DataFrame, mode: String = "ALL"): String = Planning.explain(physicalPlan(df), mode)

  private def physicalPlan(df: DataFrame): SparkPlan =
    df.asInstanceOf[classic.Dataset[_]].queryExecution.executedPlan match {
      case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
      case plan => plan
    }
}
