package reprise.plugin

import scala.collection.mutable.LongMap
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import reprise.exec._
import reprise.serialize.MissingChoice

/**
 * What the core says of one node. `loreId` is 0 where it gives none; `parent` is the operator above, 0 for a root;
 * `ledger` says how rows that Spark gives are checksummed.
 */
private[plugin] final case class NodeAnswer(
    loreId: Long,
    fingerprint: String,
    occurrence: String,
    parent: Long,
    mark: String,
    reasons: Seq[String],
    isRemoved: Boolean,
    native: Option[NativeVerdict],
    record: Option[RecordVerdict],
    check: Option[CheckVerdict],
    ledger: Option[String]) {

  /** Whether the ledger gets checksums of what it gives. */
  def isChecksummed: Boolean = ledger.nonEmpty || native.exists(_.checksummedAs.nonEmpty)
}

/**
 * The core's answer to a plan, as docs/internals/core-interface.md says.
 *
 * @param missing the choices of operators to dump that found none, or may turn out to; none where nothing is chosen
 * @param asksForTaskTimes whether tasks will ask how long others of their stages have taken
 */
private[plugin] final case class CoreAnswer(
    ids: String,
    explain: String,
    missing: Option[Map[String, MissingChoice]],
    asksForTaskTimes: Boolean,
    nodes: LongMap[NodeAnswer],
    nativeToRow: TransitionSpec)

private[plugin] object CoreAnswer {
  private val mapper = new ObjectMapper()

  def read(text: String): CoreAnswer = new AnswerReader(mapper.readTree(text)).answer
}

private final class AnswerReader(json: JsonNode) {
  def answer: CoreAnswer = CoreAnswer(
    json.path("ids").asText(),
    json.path("explain").asText(),
    Option(json.get("missing")).filter(_.isArray).map { choices =>
      choices.elements().asScala.map(c => c.get("choice").asText -> missing(c)).toMap
    },
    json.path("taskTimes").asBoolean(),
    LongMap(json.path("nodes").elements().asScala.map(n => n.get("id").asLong -> node(n)).toIndexedSeq: _*),
    TransitionSpec(
      json.path("nativeToRow").path("name").asText("RepriseNativeToRow"),
      metrics(json.path("nativeToRow").path("metrics"))))

  private def missing(json: JsonNode) = MissingChoice(
    json.get("warning").asText,
    json.path("refused").asBoolean,
    json.path("didNotRun").asBoolean,
    json.path("unless").elements().asScala.map(_.asLong).toSet)

  private def node(json: JsonNode): NodeAnswer = {
    val native = Option(json.get("native")).filterNot(_.isNull)
    val isRemoved = native.exists(_.path("remove").asBoolean(false))
    NodeAnswer(
      json.path("loreId").asLong(0),
      json.path("fingerprint").asText(),
      json.path("occurrence").asText(),
      json.path("parent").asLong(0),
      json.path("mark").asText(),
      json.path("reasons").elements().asScala.map(_.asText).toIndexedSeq,
      isRemoved,
      native.filterNot(_ => isRemoved).map(verdict),
      Option(json.get("record")).map(record),
      Option(json.get("check")).map(check),
      text(json.path("ledger")))
  }

  private def record(json: JsonNode): RecordVerdict = RecordVerdict(
    json.get("operator").toString,
    json.get("capture").toString,
    json.get("apart").asBoolean,
    json.get("inputs").elements().asScala.map(recorder).toIndexedSeq,
    Option(json.get("output")).map(recorder))

  private def check(json: JsonNode): CheckVerdict = CheckVerdict(
    json.get("operator").toString,
    metricsOfKind(json.get("operator").get("kind").asText),
    leaf(json.get("leaf")).get)

  private def recorder(json: JsonNode): RecorderSpec = RecorderSpec(
    json.get("operator").toString,
    metricsOfKind(json.get("operator").get("kind").asText),
    leaf(json.get("leaf")).get,
    json.get("capture").toString,
    json.get("shared").asBoolean)

  private def verdict(json: JsonNode): NativeVerdict = NativeVerdict(
    json.get("name").asText,
    json.path("arguments").asText(),
    json.path("values").elements().asScala.map(v => ShownValue(v.get("before").asText, v.get("value").asText)).toIndexedSeq,
    json.get("operator").toString,
    json.get("input").asText match {
      case "files" => NativeInput.Splits
      case "union" => NativeInput.Union(leaf(json.get("union")).get)
      case "paired" => NativeInput.Paired(json.get("paired").elements().asScala.map(leaf(_).get).toIndexedSeq)
      case "python" => NativeInput.Python(python(json.get("python")))
      case "parts" => NativeInput.Parts(parts(json.get("parts")))
      case _ => NativeInput.Children
    },
    json.get("inputs").elements().asScala.map(leaf).toIndexedSeq,
    metrics(json.path("metrics")),
    leaf(json.path("read")),
    leaf(json.path("sample")),
    json.path("orderSensitive").asBoolean(false),
    json.path("guests").elements().asScala.map(guests).toIndexedSeq,
    Option(json.get("guestCondition")).map(_.elements().asScala.map(_.asInt).toIndexedSeq),
    json.path("functions").elements().asScala.map(function).toIndexedSeq,
    Option(json.get("results")).map(verdict),
    text(json.path("local")).map { local =>
      val kindOf = (member: String) => json.path(member).path("kind").asText
      TwoStages(
        local,
        metricsOfKind(kindOf("local")),
        json.get("write").toString,
        metricsOfKind(kindOf("write")),
        leaf(json.get("read")).get)
    },
    text(json.path("capture")),
    json.path("capture").has("fragment"),
    json.path("shared").elements().asScala.map(s => s.get("input").asInt -> recorder(s)).toMap,
    Option(json.get("checksummedAs")).map(_.asLong),
    !json.path("unordered").asBoolean(false))

  private def guests(json: JsonNode): GuestVerdict = GuestVerdict(
    json.get("input").asInt,
    json.get("name").asText,
    json.get("operator").toString,
    metricsOfKind(json.get("operator").get("kind").asText),
    json.get("reads").elements().asScala.map(_.asInt).toIndexedSeq,
    json.get("expressions").elements().asScala.map(_.elements().asScala.map(_.asLong).toIndexedSeq).toIndexedSeq,
    part(json.path("before")))

  private def function(json: JsonNode): GuestFunctionVerdict = GuestFunctionVerdict(
    json.get("index").asInt,
    Option(json.get("reads")).map(_.elements().asScala.map(_.asInt).toIndexedSeq),
    json.get("unsafe").asBoolean)

  private def python(json: JsonNode): PythonExchange = PythonExchange(
    parts(json, "before"),
    json.get("sent").elements().asScala.map(_.asInt).toIndexedSeq,
    json.get("struct").asBoolean,
    json.get("places").elements().asScala.map(_.elements().asScala.map(_.asInt).toIndexedSeq).toIndexedSeq,
    Some(json.get("groupEnd").asInt).filter(_ >= 0),
    json.get("perGroup").asBoolean,
    leaf(json.get("results")).get,
    parts(json, "after"))

  private def parts(json: JsonNode, member: String): Seq[Part] =
    json.get(member).elements().asScala.map(part(_).get).toIndexedSeq

  private def parts(json: JsonNode): JoinParts = JoinParts(
    part(json.get("pairs")),
    part(json.get("matches")).get,
    part(json.get("write")).get,
    leaf(json.get("read")).get,
    part(json.get("unmatched")).get,
    part(json.get("union")).get,
    leaf(json.get("leaf")).get,
    json.get("streamed").asInt,
    leaf(json.get("whole")).get)

  private def part(spec: JsonNode): Option[Part] =
    text(spec).map(operator => Part(operator, metricsOfKind(spec.get("kind").asText)))

  private def leaf(spec: JsonNode): Option[LeafSpec] = text(spec).map { operator =>
    val kind = spec.get("kind").asText
    LeafSpec(kind, operator, TransitionSpec(spec.path("name").asText, metricsOfKind(kind)))
  }

  /** Figures of operators that stand for no node of the plan. */
  private def metricsOfKind(kind: String): Seq[MetricSpec] =
    if (json.has("metricsOf")) metrics(json.get("metricsOf").path(kind))
    else metrics(json.path("rowToNative").path("metrics"))

  private def text(json: JsonNode): Option[String] =
    if (json.isMissingNode || json.isNull) None else Some(json.toString)

  private def metrics(json: JsonNode): Seq[MetricSpec] =
    json.elements().asScala.map(m => MetricSpec(m.get("name").asText, m.get("label").asText, m.get("unit").asText)).toIndexedSeq
}
