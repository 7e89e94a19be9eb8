package reprise.lineage

import scala.runtime.ScalaRunTime

import org.apache.spark.sql.Row

/**
 * Records and keys, compared by what they hold: arrays by their elements, and NaN equals NaN, also within rows, tuples,
 * case classes and sequences. A class with a `hashCode` of its own is compared by its own `equals`.
 */
private[lineage] object ByValue {
  def same(a: Any, b: Any): Boolean = (a, b) match {
    case (x: Double, y: Double) => x == y || x.isNaN && y.isNaN
    case (x: Float, y: Float) => x == y || x.isNaN && y.isNaN
    case _ =>
      a == b || {
        val (kind, parts) = takenApart(a)
        val (otherKind, others) = takenApart(b)
        kind.nonEmpty && kind == otherKind && parts.corresponds(others)(same)
      }
  }

  def hash(value: Any): Int = {
    val (kind, parts) = takenApart(value)
    if (kind.isEmpty) value.## else parts.foldLeft(1)((sum, part) => 31 * sum + hash(part))
  }

  /** What only parts of the same kind are compared with, none where a value is whole; and the parts. */
  private def takenApart(value: Any): (Option[Any], Iterator[Any]) = value match {
    case array: Array[_] => (Some(array.getClass), array.iterator)
    case row: Row => (Some(classOf[Row]), row.toSeq.iterator)
    case items: collection.Seq[_] => (Some(classOf[collection.Seq[_]]), items.iterator)
    case product: Product if product.hashCode == ScalaRunTime._hashCode(product) =>
      (Some(product.getClass), product.productIterator)
    case _ => (None, Iterator.empty)
  }
}
