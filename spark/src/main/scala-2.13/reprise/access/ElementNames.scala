package reprise.access

/** What the elements of a case class are called. */
object ElementNames {

  /** Empty where an element has no name. */
  def of(value: Product): IndexedSeq[String] = value.productElementNames.toIndexedSeq
}
