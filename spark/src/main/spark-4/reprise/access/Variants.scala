package reprise.access

import org.apache.spark.unsafe.types.VariantVal

/** Values of Spark's type VARIANT. */
object Variants {
  def unapply(value: Any): Option[(Array[Byte], Array[Byte])] = value match {
    case variant: VariantVal => Some((variant.getValue, variant.getMetadata))
    case _ => None
  }

  def of(value: Array[Byte], metadata: Array[Byte]): Any = new VariantVal(value, metadata)
}
