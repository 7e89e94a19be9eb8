package reprise.serialize

import java.time.{Instant, ZoneOffset}
import java.time.zone.ZoneOffsetTransitionRule
import java.time.zone.ZoneOffsetTransitionRule.TimeDefinition
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.util.DateTimeUtils

/**
 * What this JVM knows of a time zone, for the core, which knows none: docs/internals/plan-json.md.
 *
 * @param offset seconds east of UTC before the first transition
 * @param transitions instants in seconds, ascending, each followed by the offset from there on
 * @param yearly the rules for the years after the last of them
 */
final case class ZoneRules(offset: Int, transitions: Seq[Long], yearly: Seq[Seq[Int]])

object ZoneRules {

  private val known = new ConcurrentHashMap[String, ZoneRules]

  /** One object a zone, so that a document holds it once. Throws for what Spark takes for no zone. */
  def of(timeZoneId: String): ZoneRules = known.computeIfAbsent(timeZoneId, read(_))

  private def read(timeZoneId: String): ZoneRules = {
    val rules = DateTimeUtils.getZoneId(timeZoneId).getRules
    val transitions = rules.getTransitions.asScala.toIndexedSeq
    val first = transitions.headOption.map(_.getOffsetBefore).getOrElse(rules.getOffset(Instant.EPOCH))
    ZoneRules(
      first.getTotalSeconds,
      transitions.flatMap(t => Seq(t.toEpochSecond, t.getOffsetAfter.getTotalSeconds.toLong)),
      rules.getTransitionRules.asScala.toIndexedSeq.map(yearly))
  }

  private def yearly(rule: ZoneOffsetTransitionRule): Seq[Int] = Seq(
    rule.getMonth.getValue,
    rule.getDayOfMonthIndicator,
    Option(rule.getDayOfWeek).map(_.getValue).getOrElse(0),
    if (rule.isMidnightEndOfDay) 86400 else rule.getLocalTime.toSecondOfDay,
    rule.getTimeDefinition match {
      case TimeDefinition.UTC => 0
      case TimeDefinition.WALL => 1
      case TimeDefinition.STANDARD => 2
    },
    seconds(rule.getStandardOffset),
    seconds(rule.getOffsetBefore),
    seconds(rule.getOffsetAfter))

  private def seconds(offset: ZoneOffset): Int = offset.getTotalSeconds
}
