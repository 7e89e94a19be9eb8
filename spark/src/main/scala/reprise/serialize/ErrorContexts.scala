package reprise.serialize

import scala.util.hashing.MurmurHash3

import org.apache.spark.QueryContext
import org.apache.spark.sql.catalyst.expressions.{Expression, SupportQueryContext}

/**
 * Where in the query the expressions stand whose errors show it. The core knows the places by keys, made of what they
 * say, and gives the key of the one that has failed: the places themselves travel with the tasks, as Spark's do.
 */
object ErrorContexts {

  /** The key of the expression's place; none where its errors show none. */
  def keyOf(expression: Expression): Option[String] = contextOf(expression).map(key)

  /** The places in `expressions` by their keys. */
  def of(expressions: Seq[Expression]): Map[String, QueryContext] =
    expressions.flatMap(_.collect { case e: SupportQueryContext => contextOf(e) }.flatten).map(c => key(c) -> c).toMap

  private def contextOf(expression: Expression): Option[QueryContext] = expression match {
    case e: SupportQueryContext => Option(e.getContextOrNull())
    case _ => None
  }

  /** Equal places have equal keys, in every process. */
  private def key(context: QueryContext): String = context match {
    case p: Product => f"${MurmurHash3.productHash(p, 1)}%08x${MurmurHash3.productHash(p, 2)}%08x"
    case other => f"${other.hashCode}%08x"
  }
}
