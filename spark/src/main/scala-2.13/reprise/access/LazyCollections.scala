package reprise.access

import scala.collection.immutable

/** Collections that compute their elements whenever, or once, they are looked at. */
object LazyCollections {
  val view: Class[_] = classOf[scala.collection.View[_]]
  val classes: Seq[Class[_]] = Seq(view, classOf[immutable.LazyList[_]])
}
