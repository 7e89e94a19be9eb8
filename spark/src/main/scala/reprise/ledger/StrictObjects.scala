package reprise.ledger

import java.io.{Externalizable, ObjectOutputStream, OutputStream, Serializable}
import java.lang.reflect.{Field, Modifier}

import scala.util.control.NonFatal

/**
 * Writes objects as Java serializes them, but without what their lazy vals hold: that depends on whether anybody has
 * asked for them. Such an object is written as the name of its class and its other fields.
 */
private[ledger] final class StrictObjects(out: OutputStream) extends ObjectOutputStream(out) {
  enableReplaceObject(true)

  override protected def replaceObject(value: AnyRef): AnyRef =
    if (value == null) null
    else {
      val strict = StrictObjects.fieldsOf.get(value.getClass)
      if (strict.isEmpty) value else value.getClass.getName +: strict.map(_.get(value))
    }
}

private object StrictObjects {

  /** Empty for classes without lazy vals, and for those that say themselves how they are written. */
  val fieldsOf: ClassValue[Array[Field]] = new ClassValue[Array[Field]] {
    override def computeValue(of: Class[_]): Array[Field] =
      try {
        val written = Iterator.iterate[Class[_]](of)(_.getSuperclass).takeWhile(isWritten).toArray
        if (!written.exists(hasLazyVals) || written.exists(writesItself)) Array.empty
        else written.flatMap(strictFields)
      } catch { case NonFatal(_) | _: LinkageError => Array.empty } // one that it refers to may not be there
  }

  private def isWritten(of: Class[_]): Boolean = of != null && classOf[Serializable].isAssignableFrom(of)

  private def hasLazyVals(of: Class[_]): Boolean = of.getDeclaredMethods.exists(_.getName.endsWith(lazily))

  private def writesItself(of: Class[_]): Boolean =
    classOf[Externalizable].isAssignableFrom(of) ||
      of.getDeclaredMethods.exists(method => method.getName == "writeObject" || method.getName == "writeReplace")

  private def strictFields(of: Class[_]): Array[Field] = {
    val lazyOnes = of.getDeclaredMethods.map(_.getName).filter(_.endsWith(lazily)).map(_.stripSuffix(lazily)).toSet
    val strict = of.getDeclaredFields.filterNot { field =>
      Modifier.isStatic(field.getModifiers) || Modifier.isTransient(field.getModifiers) ||
      lazyOnes(field.getName) || field.getName.startsWith("bitmap$")
    }
    strict.foreach(_.setAccessible(true))
    strict.sortBy(_.getName)
  }

  /** How Scala's compiler ends the name of the method that computes a lazy val. */
  private val lazily = "$lzycompute"
}
