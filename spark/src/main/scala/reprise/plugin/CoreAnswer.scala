package reprise.plugin

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import reprise.exec.{MetricSpec, NativeVerdict, TransitionSpec}

/** What the core says of one node. `loreId` is 0 where it gives none. */
private[plugin] final case class NodeAnswer(
    loreId: Long,
    fingerprint: String,
    occurrence: String,
    native: Option[NativeVerdict])

/** The core's answer to a plan, as docs/internals/core-interface.md says. */
private[plugin] final case class CoreAnswer(
    ids: String,
    explain: String,
    nodes: Map[Long, NodeAnswer],
    rowToNative: TransitionSpec,
    nativeToRow: TransitionSpec)

private[plugin] object CoreAnswer {
  private val mapper = new ObjectMapper()

  def read(text: String): CoreAnswer = {
    val json = mapper.readTree(text)
    CoreAnswer(
      json.path("ids").asText(),
      json.path("explain").asText(),
      json.path("nodes").elements().asScala.map(n => n.get("id").asLong -> node(n)).toMap,
      transition(json.path("rowToNative"), "RepriseRowToNative"),
      transition(json.path("nativeToRow"), "RepriseNativeToRow"))
  }

  private def node(json: JsonNode): NodeAnswer = NodeAnswer(
    json.path("loreId").asLong(0),
    json.path("fingerprint").asText(),
    json.path("occurrence").asText(),
    Option(json.get("native")).filterNot(_.isNull).map(verdict))

  private def verdict(json: JsonNode): NativeVerdict = NativeVerdict(
    json.get("name").asText,
    json.path("arguments").asText(),
    json.get("operator").toString,
    json.get("input").asText == "files",
    json.path("rowInputs").elements().asScala.map(text).toSeq,
    metrics(json),
    text(json.path("capture")))

  private def text(json: JsonNode): Option[String] =
    if (json.isMissingNode || json.isNull) None else Some(json.toString)

  private def transition(json: JsonNode, name: String): TransitionSpec =
    TransitionSpec(json.path("name").asText(name), metrics(json))

  private def metrics(json: JsonNode): Seq[MetricSpec] = json
    .path("metrics")
    .elements()
    .asScala
    .map(m => MetricSpec(m.get("name").asText, m.get("label").asText, m.get("unit").asText))
    .toSeq
}
