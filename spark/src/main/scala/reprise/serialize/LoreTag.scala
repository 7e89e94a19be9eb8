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

  def explain(text: String): Unit = synchronized { if (text.nonEmpty) explanation = text }

  def takeExplanation(): String = synchronized {
    val text = explanation
    explanation = ""
    text
  }
}

object QueryIdentity {
  private val tag = TreeNodeTag[QueryIdentity]("reprise.query")

  /**
   * The query that a node belongs to. The node of the logical plan that it was made from knows it too: a node that
   * adaptive execution makes anew comes from the same logical plan, or from one that was derived from it.
   */
  def of(plan: SparkPlan): Option[QueryIdentity] =
    plan.getTagValue(tag).orElse(plan.logicalLink.flatMap(_.getTagValue(tag)))

  /** Spark plans a copy of each query's logical plan, so that the mark concerns no other query. */
  def set(plan: SparkPlan, query: QueryIdentity): Unit = {
    plan.setTagValue(tag, query)
    plan.logicalLink.foreach(_.setTagValue(tag, query))
  }
}
