package reprise.profile

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode

/** A try of a stage, as Spark numbers it. */
final case class StageAttempt(stage: Int, attempt: Int)

/** What an executor tells or asks the driver. */
sealed trait FlameMessage extends Serializable

/**
 * An executor's question: which of these are over? The answer is an array of booleans. Answers are Java's own types:
 * Spark reads them with a class loader that knows only Spark.
 */
final case class WhichHaveEnded(stages: Array[StageAttempt]) extends FlameMessage

/** An executor's question: what does a query's plan call its operators? The answer is an array of [[OperatorName.tag]]. */
final case class WhatOperators(executionId: Long) extends FlameMessage

/**
 * An operator, or the operators that a class of generated code computes.
 *
 * @param number a LORE id, or the number of the class
 */
final case class OperatorName(isCodegen: Boolean, number: Long, name: String) {

  /** As recordings have it: `core/profile/span_tag.h`. */
  def tag: String = s"name ${if (isCodegen) "codegen" else "loreId"}=$number $name"
}

/** An executor takes profiles. */
final case class TakesProfiles(executor: String) extends FlameMessage

/** An executor has written all it had. */
final case class ProfilesEnded(executor: String) extends FlameMessage

/** An executor cannot take profiles, or takes them otherwise than was asked for. */
final case class ProfilerSays(executor: String, message: String) extends FlameMessage

/** What a stage's page shows. @param name of the files, without their endings @param bytes of the recording */
final case class PageWritten(
    executor: String,
    stage: StageAttempt,
    name: String,
    cpuSamples: Long,
    wallSamples: Long,
    otherSamples: Array[EventSamples],
    operators: Array[OperatorSamples],
    bytes: Long,
    isLast: Boolean) {
  def samples: Long = cpuSamples + wallSamples + otherSamples.map(_.samples).sum
}

/** An executor has written these. */
final case class PagesWritten(pages: Array[PageWritten]) extends FlameMessage

object PageWritten {
  /** @param shown the core's answer, of which samples the page is */
  private[profile] def of(
      executor: String,
      stage: StageAttempt,
      name: String,
      shown: JsonNode,
      bytes: Long,
      isLast: Boolean): PageWritten = {
    val operators = CoreProfile.elements(shown.get("operators")).map { one =>
      OperatorSamples(one.get("loreId").asLong, one.get("name").asText, one.get("samples").asLong)
    }
    val cpu = shown.get("cpuSamples").asLong
    val wall = shown.get("wallSamples").asLong
    PageWritten(executor, stage, name, cpu, wall, EventSamples.of(shown), operators.toArray, bytes, isLast)
  }
}

/** Samples of an event that is neither the processor's time nor the clock: "page-faults", "alloc". */
final case class EventSamples(event: String, samples: Long)

object EventSamples {
  /** @param shown the core's answer, of which samples a page is */
  private[profile] def of(shown: JsonNode): Array[EventSamples] = {
    val counts = shown.get("otherSamples")
    val all = Array.newBuilder[EventSamples]
    counts.fieldNames().forEachRemaining(event => all += EventSamples(event, counts.get(event).asLong))
    all.result()
  }

  def write(all: Array[EventSamples], to: ObjectNode): Unit = {
    val counts = to.putObject("otherSamples")
    all.foreach(one => counts.put(one.event, one.samples))
  }
}

final case class OperatorSamples(loreId: Long, name: String, samples: Long)

/** The page of an executor's threads that belong to no task. */
final case class OtherPageWritten(
    executor: String,
    name: String,
    cpuSamples: Long,
    wallSamples: Long,
    otherSamples: Array[EventSamples])
  extends FlameMessage

/** A stage's files had to go to keep an executor within `maxBytes`. */
final case class PageDropped(executor: String, stage: StageAttempt) extends FlameMessage
