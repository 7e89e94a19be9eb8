package reprise.access

/** Scala's maps as Java's serialization meets them: most by an object in their place that writes tuples. */
object WrittenMaps {

  /** The map that an object is; null where it is none. */
  def of(value: AnyRef): collection.Map[_, _] = value match {
    case itself: collection.Map[_, _] => itself
    case _ => null
  }

  /** What is written for `changed` in the place of `value`. */
  def written(value: AnyRef, changed: AnyRef): AnyRef = changed
}
