package reprise.ledger

/** Collections of the kinds of which this version of Scala computes the elements when they are looked at. */
object LazyValues {
  def all: Seq[Any] = Seq(Seq(1).view, LazyList(1))
}
