package reprise.profile

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode

import reprise.bridge.NativeProfile

/** Requests to the core: `core/profile/profile_request.h`. */
private[profile] object CoreProfile {
  private val mapper = new ObjectMapper()

  /** Fills in a request and runs it. */
  def run(what: String)(fill: ObjectNode => Unit): JsonNode = {
    val request = mapper.createObjectNode()
    request.put("do", what)
    fill(request)
    parse(NativeProfile.run(mapper.writeValueAsString(request)))
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
