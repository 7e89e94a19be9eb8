package reprise.bridge

import java.io.NotSerializableException
import java.util.{Collections, Properties}
import java.util.concurrent.{ConcurrentHashMap, ConcurrentSkipListMap}

import scala.collection.{immutable, mutable}
import scala.jdk.CollectionConverters._

import reprise.access.WrittenMaps

/**
 * A map of Scala's or Java's that may hold settings, while it is written or read by Java's serialization. Most write
 * their keys and values apart, or as fields, so that only the whole map tells which value belongs to which name.
 */
private[bridge] sealed abstract class SettingMaps {

  /** What stands for the map with other values of its settings, and without those that have none; itself if all stay. */
  def withEntries(changed: (String, String) => Option[String]): AnyRef
}

private[bridge] object SettingMaps {
  private type Change = (String, String) => Option[String]

  def unapply(value: AnyRef): Option[SettingMaps] = value match {
    case map: java.util.Map[_, _] => Some(new OfJava(map.asInstanceOf[java.util.Map[Any, Any]]))
    case other => Option(WrittenMaps.of(other)).map(map => new OfScala(other, map.asInstanceOf[collection.Map[Any, Any]]))
  }

  /** The settings whose values change, with those that they get. */
  private def changes(
      entries: Iterator[(Any, Any)],
      isSetting: String => Boolean,
      changed: Change): Map[Any, Option[String]] =
    entries.flatMap {
      case (name: String, setting: String) if isSetting(name) =>
        Some(changed(name, setting)).filter(!_.contains(setting)).map(name -> _)
      case _ => None
    }.toMap

  /** Fields are of the class that the map has, or of one above it. */
  private def sameClass(map: AnyRef, other: AnyRef): AnyRef =
    if (map.getClass == other.getClass) other
    else throw new NotSerializableException(s"${map.getClass.getName} that holds secrets")

  private final class OfScala(written: AnyRef, map: collection.Map[Any, Any]) extends SettingMaps {
    override def withEntries(changed: Change): AnyRef = {
      val all = changes(map.iterator, Secrets.isSetting, changed)
      if (all.isEmpty) written
      else map match {
        case fixed: immutable.Map[Any, Any] =>
          // Every entry is set anew, so that those of a map in order of insertion stay in it.
          val left = fixed.foldLeft(fixed) { case (made, (name, setting)) =>
            all.getOrElse(name, Some(setting)).fold(made - name)(made.updated(name, _))
          }
          WrittenMaps.written(written, if (all.values.forall(_.nonEmpty)) sameClass(fixed, left) else left)
        case growing: mutable.Map[Any, Any] =>
          val left = growing.clone()
          sameClass(growing, left)
          all.foreach { case (name, setting) => setting.fold[Any](left.remove(name))(left.put(name, _)) }
          left
        case _ => written
      }
    }
  }

  private final class OfJava(map: java.util.Map[Any, Any]) extends SettingMaps {
    override def withEntries(changed: Change): AnyRef = {
      // Nothing but settings is kept in properties, whatever they are called.
      val isSetting: String => Boolean = if (map.isInstanceOf[Properties]) _ => true else Secrets.isSetting
      val all = changes(map.entrySet.iterator.asScala.map(e => (e.getKey, e.getValue)), isSetting, changed)
      if (all.isEmpty) map
      else if (map.getClass == single.getClass) {
        all.head match {
          case (name, Some(setting)) => Collections.singletonMap(name, setting)
          case _ => Collections.emptyMap[Any, Any]
        }
      } else copied.fold[AnyRef](map) { left =>
        sameClass(map, left)
        all.foreach { case (name, setting) => setting.fold[Any](left.remove(name))(left.put(name, _)) }
        left
      }
    }

    private def single = Collections.singletonMap("", "")

    /** None for those that wrap another map, which is met by itself. */
    private def copied: Option[java.util.Map[Any, Any]] = Option(map match {
      case hashed: java.util.HashMap[_, _] => hashed.clone()
      case sorted: java.util.TreeMap[_, _] => sorted.clone()
      case table: java.util.Hashtable[_, _] => table.clone()
      case sorted: ConcurrentSkipListMap[_, _] => sorted.clone()
      case _: ConcurrentHashMap[_, _] => new ConcurrentHashMap[Any, Any](map)
      case _ => null
    }).map(_.asInstanceOf[java.util.Map[Any, Any]])
  }
}
