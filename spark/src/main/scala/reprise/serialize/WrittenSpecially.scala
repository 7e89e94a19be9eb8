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

  /** The classes that `closed` and `arguments` concern. */
  val withArguments: Seq[Class[_]] = Seq(
    classOf[AttributeReference],
    classOf[AdaptiveSparkPlanExec],
    classOf[QueryStageExec],
    classOf[HadoopFsRelation],
    classOf[FileIndex],
    classOf[logical.Range])

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

  private val opaque: Seq[Class[_]] = Seq(
    classOf[logical.LogicalPlan],
    classOf[BaseRelation],
    classOf[Rule[_]],
    classOf[AdaptiveExecutionContext],
    classOf[InternalRow],
    classOf[Row],
    classOf[Opaque])

  /** Written by its class alone, although reflection could go on: data, secrets, back links, other people's classes. */
  def isOpaque(written: Class[_]): Boolean = {
    def is(one: Class[_]) = one.isAssignableFrom(written)
    !is(classOf[HadoopFsRelation]) && !is(classOf[logical.Range]) &&
    // A pickled function is bytes, private to Spark.
    (opaque.exists(is) || written.getName.startsWith("org.apache.spark.api.python."))
  }

  /** The classes that `additions` concerns. */
  val withAdditions: Seq[Class[_]] = Seq(classOf[NamedExpression], classOf[RangeExec], classOf[TimeZoneAwareExpression])

  /** Identities that reflection misses because they stand in a second parameter list; what a time zone's name means. */
  val additions: PartialFunction[Any, Arguments] = {
    case n: NamedExpression if !n.isInstanceOf[Attribute] && n.resolved => Seq("exprId" -> n.exprId)
    // The number of its partitions may be the session's default.
    case r: RangeExec => Seq("slices" -> r.numSlices)
    case e: TimeZoneAwareExpression if e.timeZoneId.isDefined => Seq("zoneRules" -> ZoneRules.of(e.timeZoneId.get))
  }
}
