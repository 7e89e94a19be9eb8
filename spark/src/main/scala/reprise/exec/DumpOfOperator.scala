package reprise.exec

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.{SPARK_VERSION, SparkException}
import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, InSet, Literal}
import org.apache.spark.sql.execution.{InSubqueryExec, ScalarSubquery, SparkPlan}
import org.apache.spark.sql.execution.adaptive.QueryStageExec

import reprise.access.QueryEvents
import reprise.bridge.{CoreErrors, Native, SessionConf}
import reprise.replay.PortablePlan

/** A stream of an operator that is dumped. @param isShared every task reads all of it, and it is recorded once */
private[exec] final case class DumpedStream(partitions: Int, isShared: Boolean = false) {
  def json: String = s"""{"partitions":$partitions,"replicated":$isShared}"""
}

private[exec] object DumpedStream {
  val shared: DumpedStream = DumpedStream(1, isShared = true)
}

/**
 * The dump of one operator, as the driver begins it.
 *
 * @param capture  the core's request
 * @param operator the operator's specification
 * @param node     Spark's operator
 * @param values   those that the specification names by numbers
 * @param fragment the JSON of the fragment whose root the operator is, once it is whole: that is dumped in its place
 */
private[exec] final class DumpOfOperator(
    capture: String,
    operator: String,
    isApart: Boolean,
    node: SparkPlan,
    values: RuntimeValues,
    fragment: Option[() => String] = None) {
  private val request = DumpOfOperator.mapper.readTree(capture)

  /** @param inputs none where the stream is begun later */
  def begin(inputs: Seq[Option[DumpedStream]], output: Option[DumpedStream]): Unit = {
    val versions = s"""{"spark":"$SPARK_VERSION","reprise":"${SessionConf.version}"}"""
    val members = Seq(
      Some(s""""capture":$capture"""),
      Some(fragment.fold(s""""operator":$operator""")(whole => s""""fragment":${whole()}""")),
      values.json.map(json => s""""values":$json"""),
      Some(s""""conf":${SessionConf.json(node.conf)}"""),
      Some(s""""versions":$versions"""),
      if (fragment.isEmpty) Some(s""""inputs":[${inputs.map(_.fold("null")(_.json)).mkString(",")}]""") else None,
      output.map(o => s""""outputPartitions":${o.partitions},"outputReplicated":${o.isShared}"""),
      if (isApart) Some(""""apart":true""") else None,
      Some(s""""spark":$portable"""))
    // The end of a query before this one may still have to remove what it has begun and not filled.
    if (isKeptBack) QueryEvents.awaitListeners(node.session.sparkContext)
    try CoreErrors.translated(Native.beginDump(members.flatten.mkString("{", ",", "}")))
    catch {
      // One that Python shows without Java's stack.
      case e: SparkException => throw new IllegalArgumentException(s"spark.reprise.lore.dumpPath: ${e.getMessage}", e)
    }
    BegunDumps.note(request.get("query").asText, request.get("loreId").asLong)
    OnceChoices.begun(node, request.get("query").asText)
  }

  private def portable: String =
    if (fragment.isEmpty) new String(PortablePlan.write(hidden(ready(unwrapped))), UTF_8)
    else """{"unportable":"it is a fragment of several operators, which the core alone runs as one"}"""

  private def isKeptBack = request.has("when")

  /** The scan of a cached table stands for itself. */
  private def unwrapped: SparkPlan = node match {
    case stage: QueryStageExec => stage.plan
    case other => other
  }

  /** Without the values of those subqueries that may give masked ones. */
  private def hidden(node: SparkPlan): SparkPlan =
    Option(request.get("hidden")).fold(node) { said =>
      val clear = said.get("clearValues").elements.asScala.map(_.asLong).toSet
      node.transformExpressions {
        case pruning @ DynamicPruningExpression(s: InSubqueryExec) =>
          if (clear(s.exprId.id)) pruning else Literal.TrueLiteral
        case s: ScalarSubquery if !clear(s.exprId.id) => Literal(null, s.dataType)
        case s: InSubqueryExec if !clear(s.exprId.id) => InSet(s.child, Set(null))
      }
    }

  /** With the values of its subqueries: Spark runs those of the node that it executes, of which this may be a copy. */
  private def ready(node: SparkPlan): SparkPlan = {
    node.expressions.foreach(_.foreach {
      case subquery: ScalarSubquery if Try(subquery.eval(null)).isFailure => subquery.updateResult()
      case subquery: InSubqueryExec if subquery.values().isEmpty => subquery.updateResult()
      case _ =>
    })
    node
  }
}

private object DumpOfOperator {
  val mapper = new ObjectMapper()
}
