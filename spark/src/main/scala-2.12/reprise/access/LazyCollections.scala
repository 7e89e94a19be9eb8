package reprise.access

/** Collections that compute their elements whenever, or once, they are looked at. */
object LazyCollections {
  val view: Class[_] = classOf[scala.collection.TraversableView[_, _]]
  val classes: Seq[Class[_]] = Seq(view)
}
