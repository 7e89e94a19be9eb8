package reprise.access

import scala.collection.immutable

/** Scala's maps as Java's serialization meets them: hash maps by an object in their place that writes keys and values. */
object WrittenMaps {
  private val substitute = Class.forName("scala.collection.immutable.HashMap$SerializationProxy")
  private val map = substitute.getDeclaredField("orig")
  map.setAccessible(true)

  /** The map that an object is or is written for; null where there is none. */
  def of(value: AnyRef): collection.Map[_, _] = value match {
    case itself: collection.Map[_, _] => itself
    case other if other.getClass == substitute => map.get(other).asInstanceOf[collection.Map[_, _]]
    case _ => null
  }

  /** What is written for `changed` in the place of `value`. */
  def written(value: AnyRef, changed: AnyRef): AnyRef =
    if (value.getClass == substitute) {
      substitute.getConstructor(classOf[immutable.HashMap[_, _]]).newInstance(changed).asInstanceOf[AnyRef]
    } else {
      changed
    }
}
