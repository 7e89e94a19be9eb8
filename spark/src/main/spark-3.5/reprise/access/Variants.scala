package reprise.access

/** Values of the type VARIANT, which this version of Spark lacks. */
object Variants {
  def unapply(value: Any): Option[(Array[Byte], Array[Byte])] = None

  def of(value: Array[Byte], metadata: Array[Byte]): Any =
    throw new IllegalArgumentException("this version of Spark has no variants")
}
