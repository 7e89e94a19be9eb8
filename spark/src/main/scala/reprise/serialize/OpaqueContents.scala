package reprise.serialize

import org.apache.spark.sql.catalyst.expressions.{Literal, PythonFuncExpression, XxHash64}
import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.sql.types.Decimal
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import reprise.access.PortableInternals

/** Hashes of what documents show by its class alone: without them, different operators would have one fingerprint. */
private[serialize] object OpaqueContents {

  /** Of a literal's array, map, struct or interval; none of a literal whose value is shown. */
  def of(literal: Literal): Option[String] = literal.value match {
    case null | _: java.lang.Boolean | _: java.lang.Number | _: Decimal | _: UTF8String | _: Array[Byte] => None
    case _ => Some(new XxHash64(Seq(literal)).eval(null).toString)
  }

  /** Of the bytes that Python has pickled. */
  def of(function: PythonFuncExpression): String = {
    val bytes = PortableInternals.pickled(function)
    java.lang.Long.toString(XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, 0))
  }
}
