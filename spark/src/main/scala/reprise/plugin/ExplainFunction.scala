package reprise.plugin

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.{FunctionIdentifier, InternalRow}
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, ExpressionInfo}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.execution.CommandExecutionMode
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

import reprise.access.SparkTypes

/**
 * `SELECT * FROM reprise_explain('SELECT …', 'NOT_NATIVE')`: what explain says of a query, a line a row, for who has SQL
 * alone and does not see the driver's log. As EXPLAIN it runs nothing, a command neither.
 */
private[plugin] object ExplainFunction {
  private val name = "reprise_explain"
  private val usage =
    "_FUNC_(query[, mode]) - which operators of the query would run natively, and why others would not: " +
      "of ALL, or of those that are NOT_NATIVE alone"

  def inject(extensions: SparkSessionExtensions): Unit = {
    val info = new ExpressionInfo(
      getClass.getName.stripSuffix("$"), null, name, usage, "", "", "", "table_funcs", "", "", "built-in")
    extensions.injectTableFunction((FunctionIdentifier(name), info, lines(_)))
  }

  private def lines(arguments: Seq[Expression]): LogicalPlan = {
    val (query, mode) = arguments.map(text) match {
      case Seq(query) => (query, "ALL")
      case Seq(query, mode) => (query, mode)
      case _ => throw new IllegalArgumentException(s"$name takes a query, and a mode if any: got ${arguments.size} arguments")
    }
    val session = SparkSession.active.asInstanceOf[SparkTypes.Session].sessionState
    val execution = session.executePlan(session.sqlParser.parsePlan(query), CommandExecutionMode.SKIP)
    val told = Planning.explain(Planning.wholePlan(execution), mode).linesIterator.filter(_.nonEmpty)
    val rows = told.map(line => InternalRow(UTF8String.fromString(line))).toIndexedSeq
    LocalRelation(Seq(AttributeReference("plan", StringType, nullable = false)()), rows)
  }

  private def text(argument: Expression): String =
    if (argument.foldable && argument.dataType.isInstanceOf[StringType] && argument.eval() != null) argument.eval().toString
    else throw new IllegalArgumentException(s"$name takes texts that are known beforehand, got ${argument.sql}")
}
