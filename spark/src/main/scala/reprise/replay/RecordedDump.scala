package reprise.replay

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import reprise.bridge.{CoreErrors, Native, NativeLibrary}

/**
 * One input of a dumped operator.
 *
 * @param isReplicated every partition of the operator reads all of it
 * @param columns      the input's and, behind them, what Spark has evaluated for the core's operator
 */
private[reprise] final case class RecordedStream(partitions: Int, isReplicated: Boolean, columns: Int)

/** What the folder of an operator's dump says of it. */
private[reprise] final class RecordedDump(val folder: String, description: JsonNode) {
  def name: String = description.get("name").asText
  def kind: String = description.get("kind").asText
  def partitions: Int = description.get("partitions").asInt

  /** Whether its output has, behind the columns of its rows, the partition that each goes to. */
  def tellsPartitions: Boolean = description.get("tellsPartitions").asBoolean

  /** The settings of the session that was captured. */
  def conf: Map[String, String] = {
    val node = description.get("conf")
    node.fieldNames.asScala.map(key => key -> node.get(key).asText).toMap
  }

  def inputs: IndexedSeq[RecordedStream] = description.get("inputs").asScala.toIndexedSeq.map { input =>
    RecordedStream(input.get("partitions").asInt, input.get("replicated").asBoolean, input.get("schema").size)
  }

  def portable: Array[Byte] = {
    val spark = description.get("spark")
    if (spark == null || spark.isNull) {
      throw new NotPortable(s"$folder holds no Spark operator: it was recorded by a Reprise that wrote none")
    }
    RecordedDump.mapper.writeValueAsBytes(spark)
  }
}

private[reprise] object RecordedDump {
  private val mapper = new ObjectMapper()

  def open(folder: String): RecordedDump = {
    NativeLibrary.ensureLoaded()
    new RecordedDump(folder, mapper.readTree(CoreErrors.translated(Native.describeDump(folder))))
  }
}
