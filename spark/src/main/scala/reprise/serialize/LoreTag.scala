package reprise.serialize

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

/**
 * What the core's first look at a query said about one operator. It travels as a tree-node tag, because Spark copies
 * tags with its nodes through every later rule.
 *
 * @param loreId      the operator's number within its query
 * @param fingerprint its structural hash
 * @param occurrence  "Filter#0": its name and its number among those of that name
 * @param query       the query that the numbers belong to
 */
final case class LoreTag(loreId: Long, fingerprint: String, occurrence: String, query: QueryIdentity)

object LoreTag {
  private val tag = TreeNodeTag[LoreTag]("reprise.lore")

  def of(plan: SparkPlan): Option[LoreTag] = plan.getTagValue(tag)
  def set(plan: SparkPlan, value: LoreTag): Unit = plan.setTagValue(tag, value)
}

/**
 * One query, from its first look to the end of its last stage.
 *
 * @param token names the query in captures
 */
final class QueryIdentity(val token: String) {

  /** The core's own memory of the query's numbers; opaque. */
  @volatile var ids: Option[String] = None

  /** The explanation that still has to be shown; taken once. */
  private var explanation = ""

  def explain(text: String): Unit = synchronized { explanation = text }

  def takeExplanation(): String = synchronized {
    val text = explanation
    explanation = ""
    text
  }
}
