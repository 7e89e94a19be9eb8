package reprise.lineage

import java.lang.reflect.{Field, Modifier}
import java.util.concurrent.ConcurrentHashMap

import scala.reflect.ClassTag

import org.apache.spark.{NarrowDependency, Partition, Partitioner, RangePartitioner}
import org.apache.spark.rdd.RDD

/**
 * Spark's RDDs and partitions keep on the driver, in transient fields, what they are sent to executors with: a
 * `UnionPartition` asks its RDD for the parent's partition each time it is serialized. A recording needs these too.
 */
private[lineage] object TransientFields {
  private val known = new ConcurrentHashMap[Class[_], Array[Field]]

  /** Those of `owner` and its superclasses below `last`. */
  private def of(owner: Class[_], last: Class[_]): Array[Field] =
    all(owner).filter(field => field.getDeclaringClass != last && last.isAssignableFrom(field.getDeclaringClass))

  private def all(owner: Class[_]): Array[Field] =
    known.computeIfAbsent(
      owner,
      _ =>
        Iterator
          .iterate[Class[_]](owner)(_.getSuperclass)
          .takeWhile(c => c != null && c != classOf[AnyRef])
          .flatMap(_.getDeclaredFields)
          .filter(f => Modifier.isTransient(f.getModifiers) && !Modifier.isStatic(f.getModifiers))
          .filterNot(f => f.getName.contains("Logging$$log_") || f.getName.startsWith("bitmap$"))
          .flatMap(f => try { f.setAccessible(true); Some(f) } catch { case _: RuntimeException => None })
          .toArray)

  /** The values that are worth keeping: RDDs, places, numbers, partitions that a dependency has chosen. */
  def kept(value: AnyRef, last: Class[_]): Array[(String, String, AnyRef)] =
    of(value.getClass, last).flatMap { field =>
      Option(field.get(value)).filter(isKept(_, value)).map((field.getDeclaringClass.getName, field.getName, _))
    }

  private def isKept(value: AnyRef, owner: AnyRef): Boolean = value match {
    case _: RDD[_] | _: java.lang.Number | _: java.lang.Boolean | _: String => true
    case _: Partitioner => true
    case Some(inner: AnyRef) => isKept(inner, owner)
    case rdds: Seq[_] if rdds.nonEmpty && rdds.forall(_.isInstanceOf[RDD[_]]) => true
    // The rows of a collection may be strings; the places of a partition are few.
    case places: Seq[_] if !owner.isInstanceOf[RDD[_]] => places.forall(_.isInstanceOf[String])
    case places: Array[String] => !owner.isInstanceOf[RDD[_]]
    // An RDD's own are recorded as such.
    case partitions: Array[Partition] => owner.isInstanceOf[NarrowDependency[_]]
    case _ => false
  }

  def restore(value: AnyRef, fields: Array[(String, String, AnyRef)]): Unit =
    fields.foreach { case (owner, name, content) => set(value, owner, name, content) }

  /** Where nothing was kept, an empty sequence or option instead of a null that nobody expects. */
  def fillEmpty(value: AnyRef): Unit = all(value.getClass).foreach { field =>
    if (!field.getType.isPrimitive && field.get(value) == null) {
      val kind = field.getType
      if (kind == classOf[Option[_]]) field.set(value, None)
      else if (kind.isAssignableFrom(Nil.getClass) && classOf[scala.collection.Iterable[_]].isAssignableFrom(kind)) {
        field.set(value, Nil)
      } else if (kind == classOf[Array[String]]) field.set(value, Array.empty[String])
    }
  }

  /** By a serializer that is not Java's, Spark sends ranges without the type of their keys; to be sent again they need it. */
  def fillKeyType(ranges: RangePartitioner[_, _]): Unit = {
    def field(name: String) = {
      val named = classOf[RangePartitioner[_, _]].getDeclaredField(name)
      named.setAccessible(true)
      named
    }
    val tag = field("evidence$2")
    val bounds = field("rangeBounds").get(ranges)
    if (tag.get(ranges) == null && bounds != null) tag.set(ranges, ClassTag(bounds.getClass.getComponentType))
  }

  def set(value: AnyRef, owner: String, name: String, content: Any): Unit = {
    val declaring = Iterator
      .iterate[Class[_]](value.getClass)(_.getSuperclass)
      .takeWhile(_ != null)
      .find(_.getName == owner)
      .getOrElse(throw new IllegalStateException(s"${value.getClass.getName} is no $owner"))
    val field = declaring.getDeclaredField(name)
    field.setAccessible(true)
    field.set(value, content)
  }
}
