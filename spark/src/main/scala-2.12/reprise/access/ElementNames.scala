package reprise.access

import java.lang.reflect.Constructor

/**
 * What the elements of a case class are called. Its objects do not say in this version of Scala: they are what the
 * first parameters of its constructor are called.
 */
object ElementNames {
  private val known = new ClassValue[IndexedSeq[String]] {
    override def computeValue(of: Class[_]): IndexedSeq[String] = found(of)
  }

  /** Empty where an element has no name. */
  def of(value: Product): IndexedSeq[String] = {
    val names = known.get(value.getClass)
    if (names.length >= value.productArity) names.take(value.productArity)
    else IndexedSeq.fill(value.productArity)("")
  }

  /** Of the class that has the elements, which `of` may be derived from. */
  private def found(of: Class[_]): IndexedSeq[String] = {
    val owner = Iterator.iterate[Class[_]](of)(_.getSuperclass).takeWhile(_ != null).find { c =>
      c.getDeclaredMethods.exists(m => m.getName == "productArity" && !m.isBridge)
    }
    val candidates = owner.toSeq.flatMap(c => c.getDeclaredConstructors.toSeq.map(named(c, _)))
    if (candidates.isEmpty) IndexedSeq.empty else candidates.maxBy(_.length)
  }

  /** As many of the constructor's first parameters as are elements, each with a method of its name. */
  private def named(of: Class[_], constructor: Constructor[_]): IndexedSeq[String] = {
    val methods = of.getMethods.filter(_.getParameterCount == 0).map(_.getName).toSet
    constructor.getParameters.toIndexedSeq.filter(_.isNamePresent).map(_.getName).filter(_ != "$outer").takeWhile(methods)
  }
}
