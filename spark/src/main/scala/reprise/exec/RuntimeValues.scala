package reprise.exec

import java.io.StringWriter

import scala.collection.mutable

import com.fasterxml.jackson.core.{JsonFactory, JsonGenerator}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.{InSubqueryExec, ScalarSubquery}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import reprise.access.{SparkTypes, Texts}

/** Values that are known only when a query runs: the core puts them where its specifications name their numbers. */
private[exec] final class RuntimeValues {
  private val written = mutable.LinkedHashMap.empty[Long, String]

  /** Those of the subqueries in `expressions`, which must have run. */
  def add(expressions: Seq[Expression]): Unit = expressions.foreach(_.foreach {
    case s: ScalarSubquery =>
      written(s.exprId.id) = RuntimeValues.json { out =>
        s.dataType match {
          case t: StructType => RuntimeValues.writeFields(out, s.eval(null).asInstanceOf[InternalRow], t)
          case other =>
            out.writeFieldName("value")
            RuntimeValues.write(out, s.eval(null), other)
        }
      }
    case s: InSubqueryExec =>
      s.values().filter(_ => s.plan.output.length == 1).foreach { values =>
        written(s.exprId.id) = RuntimeValues.json { out =>
          out.writeArrayFieldStart("values")
          values.foreach(RuntimeValues.write(out, _, s.child.dataType))
          out.writeEndArray()
          out.writeBooleanField("emptyIsFalse", !SparkTypes.isNullInEmptyNull(SQLConf.get))
        }
      }
    case _ =>
  })

  /** The bounds of a range partitioning, whose number is 0. */
  def addBounds(rows: Seq[InternalRow], types: Seq[DataType]): Unit =
    written(0) = RuntimeValues.json { out =>
      out.writeArrayFieldStart("rows")
      rows.foreach { row =>
        out.writeStartArray()
        types.zipWithIndex.foreach { case (dataType, i) => RuntimeValues.writeField(out, row, i, dataType) }
        out.writeEndArray()
      }
      out.writeEndArray()
    }

  /** What a write that begins is about, whose number is 0 too. @param json an object */
  def addWrite(json: String): Unit = written(0) = s"""{"rows":[$json]}"""

  /** All of them by number. */
  def json: Option[String] =
    if (written.isEmpty) None
    else Some(written.map { case (number, json) => s""""$number":$json""" }.mkString("{", ",", "}"))

  /** A fragment's JSON with the values at its root. */
  def addTo(fragment: String): String = json.fold(fragment)(values => s"""{"values":$values,""" + fragment.drop(1))
}

private object RuntimeValues {
  private val factory = new JsonFactory()

  private def json(members: JsonGenerator => Unit): String = {
    val text = new StringWriter()
    val out = factory.createGenerator(text)
    out.writeStartObject()
    members(out)
    out.writeEndObject()
    out.close()
    text.toString
  }

  /** Those of a struct: Spark merges scalar subqueries into one of a struct. */
  private def writeFields(out: JsonGenerator, row: InternalRow, struct: StructType): Unit =
    if (row == null) out.writeNullField("fields")
    else {
      out.writeArrayFieldStart("fields")
      struct.fields.indices.foreach(i => writeField(out, row, i, struct(i).dataType))
      out.writeEndArray()
    }

  private def writeField(out: JsonGenerator, row: InternalRow, i: Int, dataType: DataType): Unit =
    write(out, if (row.isNullAt(i)) null else row.get(i, dataType), dataType)

  /**
   * A value as a literal of core/plan/spec.h. Null for those of types without a native form: no specification names
   * them, since the core's rules refuse expressions of such types, but a node's expressions may hold them.
   */
  private def write(out: JsonGenerator, value: Any, dataType: DataType): Unit = (value, dataType) match {
    case (null, _) => out.writeNull()
    case (b: Boolean, _) => out.writeBoolean(b)
    case (n: Byte, _) => out.writeNumber(n.toInt)
    case (n: Short, _) => out.writeNumber(n.toInt)
    case (n: Int, _) => out.writeNumber(n)
    case (n: Long, _) => out.writeNumber(n)
    case (x: Float, _) => writeDouble(out, x, x.toString)
    case (x: Double, _) => writeDouble(out, x, x.toString)
    case (d: Decimal, t: DecimalType) =>
      out.writeString(d.toJavaBigDecimal.setScale(t.scale).unscaledValue.toString)
    case (s: UTF8String, _) if Texts.isText(s) => out.writeString(s.toString)
    case (s: UTF8String, _) =>
      out.writeStartObject()
      out.writeBinaryField("bytes", s.getBytes)
      out.writeEndObject()
    case (b: Array[Byte], _) => out.writeBinary(b)
    case _ => out.writeNull()
  }

  private def writeDouble(out: JsonGenerator, value: Double, text: String): Unit =
    if (value.isNaN || value.isInfinite || text == "-0.0") out.writeString(text) else out.writeRawValue(text)
}
