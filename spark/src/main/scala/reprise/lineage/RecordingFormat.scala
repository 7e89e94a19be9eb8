package reprise.lineage

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.CRC32C

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode

/**
 * The recording's folder: `docs/internals/recording-format.md`.
 * {{{
 *   lineage.jsonl   what there is, a checked line each
 *   objects         what the lines refer to: compressed Java serialization
 *   events          a Spark event log
 * }}}
 */
private[reprise] object RecordingFormat {
  val version = 1
  val lines = "lineage.jsonl"
  val objects = "objects"
  val events = "events"

  val json = new ObjectMapper()

  def node(): ObjectNode = json.createObjectNode()

  /** `1a2b3c4d {…}` */
  def line(content: JsonNode): Array[Byte] = {
    val text = json.writeValueAsBytes(content)
    val out = new ByteArrayOutputStream(text.length + 10)
    out.write(f"${checksum(text)}%08x ".getBytes(UTF_8))
    out.write(text)
    out.write('\n')
    out.toByteArray
  }

  /** The line's content, without its end; none where it is damaged. */
  def parse(line: Array[Byte]): Option[JsonNode] =
    if (line.length < 10 || line(8) != ' ') None
    else {
      val text = line.drop(9)
      val sum = new String(line, 0, 8, UTF_8)
      if (sum != f"${checksum(text)}%08x") None
      else
        try Some(json.readTree(text))
        catch { case _: JsonProcessingException => None }
    }

  def checksum(bytes: Array[Byte]): Long = {
    val sum = new CRC32C
    sum.update(bytes)
    sum.getValue
  }
}

/** A place in the file of objects. */
private[reprise] final case class Blob(offset: Long, bytes: Long, checksum: Long) {
  def write(to: ObjectNode, name: String): Unit =
    to.putObject(name).put("offset", offset).put("bytes", bytes).put("checksum", checksum)
}

private[reprise] object Blob {
  def read(node: JsonNode): Option[Blob] = Option(node).filter(_.isObject).map { blob =>
    Blob(blob.get("offset").asLong, blob.get("bytes").asLong, blob.get("checksum").asLong)
  }
}
