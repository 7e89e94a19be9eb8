package reprise.profile

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode

import reprise.bridge.NativeProfile

/** Requests to the core: `core/profile/profile_request.h`. */
private[profile] object CoreProfile {
  private val mapper = new ObjectMapper()

  /** Fills in a request and runs it. */
  def run(what: String)(fill: ObjectNode => Unit): JsonNode = {
    val request = text { it =>
      it.put("do", what)
      fill(it)
    }
    parse(NativeProfile.run(request))
  }

  /** A JSON object that has been filled in. */
  def text(fill: ObjectNode => Unit): String = {
    val node = mapper.createObjectNode()
    fill(node)
    mapper.writeValueAsString(node)
  }

  def parse(json: String): JsonNode = mapper.readTree(json)

  def elements(node: JsonNode): Iterator[JsonNode] = {
    val all = node.elements()
    new Iterator[JsonNode] {
      override def hasNext: Boolean = all.hasNext
      override def next(): JsonNode = all.next()
    }
  }
}
