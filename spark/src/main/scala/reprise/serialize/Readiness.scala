package reprise.serialize

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * A part of a query has been made ready to run, and may run only after other operators were chosen for dumping, as where
 * `explain()` has planned a `DataFrame` before. It stands at the part's root.
 *
 * @param again the part as the settings are now, where they choose others
 */
final class Readiness(val again: SparkPlan => Option[SparkPlan])

object Readiness {
  private val tag = TreeNodeTag[Readiness]("reprise.ready")

  def set(root: SparkPlan, readiness: Readiness): Unit = root.setTagValue(tag, readiness)

  /** The part as it is to run, where that is no longer `root`. */
  def now(root: SparkPlan): Option[SparkPlan] = root.getTagValue(tag).flatMap(_.again(root))
}
