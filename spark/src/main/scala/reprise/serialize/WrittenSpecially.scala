package reprise.serialize

import java.time.LocalDateTime
import java.util.TimeZone

import scala.reflect.ClassTag

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  Literal,
  NamedExpression,
  PythonFuncExpression,
  SupportQueryContext,
  TimeZoneAwareExpression
}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.plans.logical
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.{FileSourceScanExec, RangeExec}
import org.apache.spark.sql.execution.access.WrittenParquet
import org.apache.spark.sql.execution.adaptive.{AdaptiveExecutionContext, AdaptiveSparkPlanExec, QueryStageExec, TableCacheQueryStageExec}
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, TextBasedFileFormat, WriteFilesExec}
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.sources.BaseRelation

/** The classes whose constructor arguments say too little, too much, or what must not be looked at. */
private[serialize] object WrittenSpecially {

  type Arguments = Seq[(String, Any)]

  /** An argument of which only the class is written. */
  final case class Opaque(value: Any)

  /** How the values of a class, and of those derived from it, are written. */
  final class Special(val of: Class[_], val arguments: Any => Arguments)

  private def special[T](arguments: T => Arguments)(implicit tag: ClassTag[T]): Special =
    new Special(tag.runtimeClass, value => arguments(value.asInstanceOf[T]))

  // Its constructor also holds the canonical form of the whole plan.
  private def wholeStage(stage: QueryStageExec) = Seq("id" -> stage.id, "plan" -> stage.plan)

  /** Plans inside other plans that are planned by themselves: without what they hold. The first that fits counts. */
  val closed: Seq[Special] = Seq(
    special[AdaptiveSparkPlanExec](a => Seq("isSubquery" -> a.isSubquery)),
    special[TableCacheQueryStageExec](wholeStage(_)),
    special[QueryStageExec](q => Seq("id" -> q.id)))

  /** Objects whose arguments are listed here instead of being found by reflection. The first that fits counts. */
  val arguments: Seq[Special] = Seq(
    special[AttributeReference](a => Seq("name" -> a.name, "exprId" -> a.exprId)),
    // Its constructor holds the plan before planning, the rules that made it, and the session.
    special[AdaptiveSparkPlanExec](a => Seq("isSubquery" -> a.isSubquery, "plan" -> a.executedPlan)),
    special[QueryStageExec](wholeStage(_)),
    special[HadoopFsRelation](r =>
      Seq(
        "location" -> r.location,
        "partitionSchema" -> r.partitionSchema,
        "dataSchema" -> r.dataSchema,
        "bucketSpec" -> r.bucketSpec,
        "fileFormat" -> Opaque(r.fileFormat),
        "options" -> r.options) ++ zoneOfText(r) ++ readerOfOrc(r)),
    // Without its listing.
    special[FileIndex](i => Seq("rootPaths" -> i.rootPaths.map(_.toString))),
    special[logical.Range](r =>
      Seq("start" -> r.start, "end" -> r.end, "step" -> r.step, "numSlices" -> r.numSlices)))

  /** The zone of timestamps in text that name none. */
  private def zoneOfText(relation: HadoopFsRelation): Arguments = relation.fileFormat match {
    case _: TextBasedFileFormat =>
      val zone = CaseInsensitiveMap(relation.options)
        .getOrElse("timeZone", relation.sparkSession.sessionState.conf.sessionLocalTimeZone)
      Seq("timeZoneId" -> zone, "zoneRules" -> ZoneRules.of(zone))
    case _ => Nil
  }

  /** What Spark's reader of ORC goes by beside the plan. */
  private def readerOfOrc(relation: HadoopFsRelation): Arguments = relation.fileFormat match {
    case _: OrcFileFormat =>
      val zone = TimeZone.getDefault
      // From there on the seconds of timestamps are counted.
      val epoch = LocalDateTime.of(2015, 1, 1, 0, 0).atZone(zone.toZoneId).toEpochSecond
      Seq("jvmTimeZoneId" -> zone.getID, "jvmEpoch" -> epoch, "orcSettings" -> OrcSettings.changed(relation))
    case _ => Nil
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

  /**
   * Identities that reflection misses because they stand in a second parameter list; what a time zone's name means;
   * what a scan's columns are where files lack them; how a write's files are to be; where in the query an expression stands; whose method is called; what an aggregate function keeps of a group; of what is opaque, by what it differs from others of its class.
   */
  val additions: Seq[Special] = Seq(
    special[NamedExpression](n =>
      if (!n.isInstanceOf[Attribute] && n.resolved) Seq("exprId" -> n.exprId) else Nil),
    // The number of its partitions may be the session's default.
    special[RangeExec](r => Seq("slices" -> r.numSlices)),
    special[FileSourceScanExec](scan => ExistenceDefaults.of(scan.requiredSchema)),
    special[WriteFilesExec](WrittenParquet.settings(_)),
    special[Literal](OpaqueContents.of(_).map(hash => "contents" -> hash).toIndexedSeq),
    special[StaticInvoke](i => Seq("calledClass" -> i.staticObject.getName)),
    special[AggregateFunction](f => Seq("buffer" -> f.aggBufferAttributes)),
    special[PythonFuncExpression](f => Seq("contents" -> OpaqueContents.of(f))),
    special[SupportQueryContext](e => ErrorContexts.keyOf(e).map(key => "context" -> key).toIndexedSeq),
    special[TimeZoneAwareExpression](_.timeZoneId.map(zone => "zoneRules" -> ZoneRules.of(zone)).toIndexedSeq))
}
