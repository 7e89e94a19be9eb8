package reprise.serialize

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, NamedExpression, TimeZoneAwareExpression}
import org.apache.spark.sql.catalyst.plans.logical
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.RangeExec
import org.apache.spark.sql.execution.adaptive.{AdaptiveExecutionContext, AdaptiveSparkPlanExec, QueryStageExec, TableCacheQueryStageExec}
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation}
import org.apache.spark.sql.sources.BaseRelation

/** The classes whose constructor arguments say too little, too much, or what must not be looked at. */
private[serialize] object WrittenSpecially {

  type Arguments = Seq[(String, Any)]

  /** An argument of which only the class is written. */
  final case class Opaque(value: Any)

  /** Plans inside other plans that are planned by themselves: without what they hold. */
  val closed: PartialFunction[Any, Arguments] = {
    case a: AdaptiveSparkPlanExec => Seq("isSubquery" -> a.isSubquery)
    case q: QueryStageExec if !q.isInstanceOf[TableCacheQueryStageExec] => Seq("id" -> q.id)
  }

  /** Objects whose arguments are listed here instead of being found by reflection. */
  val arguments: PartialFunction[Any, Arguments] = {
    case a: AttributeReference => Seq("name" -> a.name, "exprId" -> a.exprId)
    // Its constructor holds the plan before planning, the rules that made it, and the session.
    case a: AdaptiveSparkPlanExec => Seq("isSubquery" -> a.isSubquery, "plan" -> a.executedPlan)
    // Its constructor also holds the canonical form of the whole plan.
    case q: QueryStageExec => Seq("id" -> q.id, "plan" -> q.plan)
    case r: HadoopFsRelation =>
      Seq(
        "location" -> r.location,
        "partitionSchema" -> r.partitionSchema,
        "dataSchema" -> r.dataSchema,
        "bucketSpec" -> r.bucketSpec,
        "fileFormat" -> Opaque(r.fileFormat),
        "options" -> r.options)
    // Without its listing.
    case i: FileIndex => Seq("rootPaths" -> i.rootPaths.map(_.toString))
    case r: logical.Range =>
      Seq("start" -> r.start, "end" -> r.end, "step" -> r.step, "numSlices" -> r.numSlices)
  }

  /** Written by its class alone, although reflection could go on: data, secrets, back links, other people's classes. */
  def isOpaque(value: Any): Boolean = value match {
    case _: HadoopFsRelation | _: logical.Range => false
    case _: logical.LogicalPlan | _: BaseRelation | _: Rule[_] | _: AdaptiveExecutionContext | _: InternalRow |
        _: Row | _: Opaque =>
      true
    // A pickled function: bytes, private to Spark.
    case other => other.getClass.getName.startsWith("org.apache.spark.api.python.")
  }

  /** Identities that reflection misses because they stand in a second parameter list; what a time zone's name means. */
  val additions: PartialFunction[Any, Arguments] = {
    case n: NamedExpression if !n.isInstanceOf[Attribute] && n.resolved => Seq("exprId" -> n.exprId)
    // The number of its partitions may be the session's default.
    case r: RangeExec => Seq("slices" -> r.numSlices)
    case e: TimeZoneAwareExpression if e.timeZoneId.isDefined => Seq("zoneRules" -> ZoneRules.of(e.timeZoneId.get))
  }
}
