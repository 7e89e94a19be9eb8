package reprise.ledger

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.{ObjectNode, TextNode}

/** The gate for what Spark's events and names of columns tell of values, where columns of queries are masked. */
private[ledger] object HiddenTexts {
  private val mapper = new ObjectMapper()
  private val hidden = "(masked)"

  /** Messages of errors, with the values that they complain of. */
  private val messages =
    Set("Message", "Failure Reason", "Description", "Full Stack Trace", "errorMessage", "Loss Reason", "Kill Reason")

  /** What a user or a cache may have made of a query's text; else it is where the user's program asks. */
  private val names = Set("description", "details", "spark.job.description", "Stage Name", "Name")
  private val place = """[\w.$<>]*( at [\w.$<>/-]+:\d+)?""".r

  /** An event of Spark's, as JSON. */
  def in(event: String): String = {
    val json = mapper.readTree(event)
    hide(json)
    json.toString
  }

  /** Spark calls a column without a name after its expression, literals and all. */
  def inNames(columns: Seq[String]): Seq[String] = columns.zipWithIndex.map { case (name, i) =>
    if (name.forall(c => c.isLetterOrDigit || c == '_')) name else s"column $i"
  }

  private def hide(json: JsonNode): Unit = {
    json match {
      case members: ObjectNode =>
        // Of a plan the operators' names stay: they are what a ledger names.
        if (members.has("simpleString")) {
          members.set[JsonNode]("simpleString", members.path("nodeName"))
          members.putObject("metadata")
        }
        members.properties.asScala.toIndexedSeq.foreach(member => hide(members, member.getKey, member.getValue))
      case _ =>
    }
    json.elements.asScala.foreach(hide)
  }

  private def hide(within: ObjectNode, key: String, value: JsonNode): Unit =
    if (value.isTextual && !value.asText.isEmpty) {
      val isPlace = place.pattern.matcher(value.asText).matches
      if (messages(key) || (names(key) && !isPlace)) within.set[JsonNode](key, TextNode.valueOf(hidden))
    }
}
