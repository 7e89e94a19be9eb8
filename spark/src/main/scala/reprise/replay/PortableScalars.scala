package reprise.replay

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeArrayData, UnsafeMapData, UnsafeRow}
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, ArrayData, GenericArrayData}
import org.apache.spark.sql.types.Decimal
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

import reprise.access.{Texts, Variants}

/** Values of Spark's data, each with its class: another reader has only the document to know it by. */
private[replay] object PortableScalars {
  private val json = JsonNodeFactory.instance

  val write: PartialFunction[Any, JsonNode] = {
    case b: Boolean => json.booleanNode(b)
    case n: Int => json.numberNode(n)
    case s: String => json.textNode(s)
    case n: Long => tagged("long", json.textNode(n.toString))
    case n: Short => tagged("short", json.numberNode(n.toInt))
    case n: Byte => tagged("byte", json.numberNode(n.toInt))
    case c: Char => tagged("char", json.numberNode(c.toInt))
    case x: Double => tagged("double", json.textNode(x.toString))
    case x: Float => tagged("float", json.textNode(x.toString))
    case s: UTF8String if Texts.isText(s) => tagged("utf8", json.textNode(s.toString))
    case s: UTF8String => tagged("utf8Bytes", json.binaryNode(s.getBytes))
    case b: Array[Byte] => tagged("bytes", json.binaryNode(b))
    case d: Decimal => decimal(d)
    case i: CalendarInterval =>
      val node = json.arrayNode()
      tagged("interval", node.add(i.months).add(i.days).add(i.microseconds.toString))
    case Variants(value, metadata) =>
      val node = json.arrayNode()
      tagged("variant", node.add(json.binaryNode(value)).add(json.binaryNode(metadata)))
    case r: UnsafeRow => tagged("unsafeRow", json.binaryNode(r.getBytes)).put("fields", r.numFields)
    case a: UnsafeArrayData =>
      tagged("unsafeArray", json.binaryNode(bytesAt(a.getBaseObject, a.getBaseOffset, a.getSizeInBytes)))
    case m: UnsafeMapData =>
      tagged("unsafeMap", json.binaryNode(bytesAt(m.getBaseObject, m.getBaseOffset, m.getSizeInBytes)))
    case r: GenericInternalRow if r.values.forall(isData) => tagged("row", array(r.values.toSeq))
    case a: GenericArrayData if a.array.forall(isData) => tagged("arrayData", array(a.array.toSeq))
    case m: ArrayBasedMapData if isData(m.keyArray) && isData(m.valueArray) =>
      tagged("mapData", array(Seq(m.keyArray, m.valueArray)))
  }

  private def isData(value: Any): Boolean = value == null || write.isDefinedAt(value)

  private def array(values: Seq[Any]): JsonNode = {
    val node = json.arrayNode()
    values.foreach(v => node.add(if (v == null) json.nullNode() else write(v)))
    node
  }

  private def decimal(d: Decimal): JsonNode = {
    val node = tagged("decimal", json.textNode(d.toJavaBigDecimal.toPlainString))
    node.put("precision", d.precision).put("scale", d.scale)
  }

  private def bytesAt(base: AnyRef, offset: Long, length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET, length)
    bytes
  }

  private def tagged(tag: String, value: JsonNode): ObjectNode = {
    val node = json.objectNode()
    node.set[ObjectNode](tag, value)
  }

  /** The reader of each tag: the tagged value, and the object that holds it. */
  val read: Map[String, (JsonNode, JsonNode) => Any] = Map(
    "long" -> ((v, _) => v.asText.toLong),
    "short" -> ((v, _) => v.asInt.toShort),
    "byte" -> ((v, _) => v.asInt.toByte),
    "char" -> ((v, _) => v.asInt.toChar),
    "double" -> ((v, _) => v.asText.toDouble),
    "float" -> ((v, _) => v.asText.toFloat),
    "utf8" -> ((v, _) => UTF8String.fromString(v.asText)),
    "utf8Bytes" -> ((v, _) => UTF8String.fromBytes(v.binaryValue)),
    "bytes" -> ((v, _) => v.binaryValue),
    "decimal" -> { (v, whole) =>
      Decimal(BigDecimal(v.asText), whole.get("precision").asInt, whole.get("scale").asInt)
    },
    "interval" -> ((v, _) => new CalendarInterval(v.get(0).asInt, v.get(1).asInt, v.get(2).asText.toLong)),
    "variant" -> ((v, _) => Variants.of(v.get(0).binaryValue, v.get(1).binaryValue)),
    "unsafeRow" -> { (v, whole) =>
      val row = new UnsafeRow(whole.get("fields").asInt)
      row.pointTo(v.binaryValue, v.binaryValue.length)
      row
    },
    "unsafeArray" -> ((v, _) => unsafeArray(v.binaryValue)),
    "unsafeMap" -> { (v, _) =>
      val map = new UnsafeMapData
      map.pointTo(v.binaryValue, Platform.BYTE_ARRAY_OFFSET, v.binaryValue.length)
      map
    },
    "row" -> ((v, _) => new GenericInternalRow(values(v))),
    "arrayData" -> ((v, _) => new GenericArrayData(values(v))),
    "mapData" -> { (v, _) =>
      val Array(keys, elements) = values(v)
      new ArrayBasedMapData(keys.asInstanceOf[ArrayData], elements.asInstanceOf[ArrayData])
    })

  private def unsafeArray(bytes: Array[Byte]): UnsafeArrayData = {
    val array = new UnsafeArrayData
    array.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)
    array
  }

  private def values(list: JsonNode): Array[Any] = Array.tabulate(list.size)(i => plain(list.get(i)))

  private def plain(node: JsonNode): Any = PortableReader.simple.applyOrElse(
    node,
    { tagged: JsonNode =>
      val tag = PortableReader.tagOf(tagged)
      read(tag)(tagged.get(tag), tagged)
    })
}
