package reprise.serialize

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan

import reprise.event.OperatorExplained

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

  /** What hides masked values in its dumps; stands in none of them. */
  val secret: String = UUID.randomUUID().toString

  /** The core's own memory of the query's numbers; opaque. */
  @volatile var ids: Option[String] = None

  /** The SQL execution in which the query was first made ready to run. */
  @volatile var execution: Option[Long] = None

  /** Its operators were numbered as those of a subquery of another query. */
  @volatile var isSuperseded = false

  /** What its first plan would become, as long as nobody has been told. */
  @volatile var foretold: Seq[OperatorExplained] = Nil

  /** What has been told of its operators, by their numbers, and in which executions. */
  val explained = new ConcurrentHashMap[Long, OperatorExplained]
  val explainedIn: java.util.Set[Long] = ConcurrentHashMap.newKeySet[Long]()

  /** What was chosen to be dumped and checked when a part of it was made ready to run last; see `Switches.chosen`. */
  @volatile var chosen = ""

  /** The choices of operators to dump that no plan of the query has fulfilled yet. */
  val missing = new MissingChoices

  /** The explanation that still has to be shown; taken once. */
  private var explanation = ""

  def explain(text: String): Unit = synchronized { if (text.nonEmpty) explanation = text }

  def takeExplanation(): String = synchronized {
    val text = explanation
    explanation = ""
    text
  }
}

/**
 * A choice of operators to dump that found none.
 *
 * @param isRefused the query has the operator, and it cannot be dumped
 * @param didNotRun the query has the operator, and nothing else is known
 * @param unless    the operators that it has found: it has found none where none of them runs
 */
final case class MissingChoice(warning: String, isRefused: Boolean, didNotRun: Boolean, unless: Set[Long])

/** What all of several plans lack, by choice. */
final class MissingChoices {
  private var lacking: Option[Map[String, MissingChoice]] = None
  private var unless = Map.empty[String, Set[(String, Long)]]

  /** @param query names that of the plan */
  def note(query: String, missing: Map[String, MissingChoice]): Unit = synchronized {
    lacking = Some(lacking.fold(missing)(before => missing.filter { case (choice, _) => before.contains(choice) }))
    for ((choice, found) <- missing) {
      unless += choice -> (unless.getOrElse(choice, Set.empty) ++ found.unless.map(query -> _))
    }
  }

  /** Those in whose plans something was found. */
  def queries: Set[String] = synchronized(unless.values.flatten.map(_._1).toSet)

  /**
   * Warnings, given once.
   *
   * @param hasFailed of a query that failed nobody wonders that operators did not run
   * @param isDumped  whether the dump of a query's operator has begun
   */
  def take(hasFailed: Boolean, isDumped: (String, Long) => Boolean): Seq[String] = synchronized {
    val taken = lacking.getOrElse(Map.empty).collect {
      case (choice, missing) if !(hasFailed && missing.didNotRun) && !unless(choice).exists(isDumped.tupled) =>
        missing.warning
    }
    lacking = lacking.map(_ => Map.empty)
    taken.toIndexedSeq.sorted
  }
}

object QueryIdentity {
  private val tag = TreeNodeTag[QueryIdentity]("reprise.query")
  private val madeFrom = TreeNodeTag[Set[Long]]("reprise.made")

  /**
   * The query that a node belongs to. The node of the logical plan that it was made from knows it too: a node that
   * adaptive execution makes anew comes from the same logical plan, or from one that was derived from it.
   */
  def of(plan: SparkPlan): Option[QueryIdentity] =
    plan.getTagValue(tag).orElse(plan.logicalLink.flatMap(_.getTagValue(tag)))

  /** Spark plans a copy of each query's logical plan, so that the mark concerns no other query. */
  def set(plan: SparkPlan, query: QueryIdentity): Unit = {
    plan.setTagValue(tag, query)
    plan.logicalLink.foreach(mark(_, query))
  }

  /** Notes with the node of the logical plan which operator was made from it. */
  def setMade(plan: SparkPlan, loreId: Long): Unit = plan.logicalLink.foreach { logical =>
    logical.setTagValue(madeFrom, logical.getTagValue(madeFrom).getOrElse(Set.empty) + loreId)
  }

  /** The operators of the query that were made from the node of the logical plan that this one is made from. */
  def madeBefore(plan: SparkPlan, isOf: QueryIdentity => Boolean): Set[Long] =
    plan.logicalLink.filter(_.getTagValue(tag).exists(isOf)).flatMap(_.getTagValue(madeFrom)).getOrElse(Set.empty)

  private def mark(logical: LogicalPlan, query: QueryIdentity): Unit =
    if (!logical.getTagValue(tag).exists(_ eq query)) {
      logical.setTagValue(tag, query)
      logical.unsetTagValue(madeFrom)
    }
}
