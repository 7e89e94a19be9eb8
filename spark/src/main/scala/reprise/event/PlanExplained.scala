package reprise.event

import org.apache.spark.scheduler.SparkListenerEvent

/**
 * What Reprise has decided about the operators of a query, or of one stage of it. Posted whenever a plan is made ready
 * to run, so that Spark's event log holds it; a reader that lacks this class skips it, as Spark's history server does.
 *
 * An operator may be told of more than once: what comes later counts. After an execution that ran a plan which was made
 * ready before it began, the operators are told of again, with that execution's number.
 *
 * @param executionId Spark's number of the SQL execution; -1 outside of one, as where a DataFrame's RDD is used
 * @param query       names the query, as in its dumps
 * @param planning    a number that the process gives once
 * @param replaces    the queries whose operators this one has taken in: without adaptive execution Spark plans subqueries
 *                    first, as queries of their own
 * @param foretold    of the first plan of adaptive execution, before any stage of it was made: what it would become
 */
final case class PlanExplained(
    executionId: Long,
    query: String,
    planning: Long,
    replaces: Seq[String],
    operators: Seq[OperatorExplained],
    foretold: Boolean = false)
  extends SparkListenerEvent

/**
 * @param id          the operator's number among those of this event
 * @param loreId      its number within the query
 * @param name        Spark's name of it
 * @param occurrence  "Filter#0", by the query's first plan: a join may run as another kind by now
 * @param fingerprint 16 hexadecimal digits
 * @param mark        `*` runs natively, `!` cannot, `@` could but a neighbour forbids it, `#` was removed
 * @param depth       in its tree; roots 0
 * @param reasons     why it does not run natively; of one that does, why Spark evaluates some of its expressions
 * @param parent      the `id` of the operator that consumes it, or in whose expressions it stands; 0: none
 * @param cachedBy    the `query` whose plan makes what a scan of a cached table reads; empty for others
 */
final case class OperatorExplained(
    id: Long,
    loreId: Long,
    name: String,
    occurrence: String,
    fingerprint: String,
    mark: String,
    native: Boolean,
    depth: Int,
    reasons: Seq[String],
    parent: Long,
    cachedBy: String)
