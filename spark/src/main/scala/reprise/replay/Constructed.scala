package reprise.replay

import java.lang.reflect.{Constructor, Field, InvocationTargetException, Parameter}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.trees.TreeNode

import reprise.access.{EarlierArguments, ElementNames}

/** Objects as calls of their constructors: what an object was made of, and how one is made again. */
private[replay] object Constructed {

  /** The arguments of the primary constructor, of all of its lists, by name. */
  def arguments(value: AnyRef): Seq[(String, Any)] = {
    val known = value match {
      case product: Product => ElementNames.of(product)
      case _ => IndexedSeq.empty
    }
    val names = namesOf(primary(value.getClass, known))
    val first = value match {
      case product: Product => (0 until product.productArity).map(product.productElement)
      case _ => IndexedSeq.empty
    }
    val more = names.drop(known.length)
    val others = value match {
      case node: TreeNode[_] if more.nonEmpty => otherCopyArguments(node)
      case _ => Nil
    }
    names.take(known.length).zip(first) ++
      (if (others.length == more.length) more.zip(others) else more.map(name => name -> field(value, name)))
  }

  /** The constructor whose parameters begin with the names of a case class's elements. */
  private def primary(of: Class[_], known: Seq[String]): Constructor[_] = {
    val fitting = of.getDeclaredConstructors.filter { c =>
      val parameters = c.getParameters
      parameters.forall(_.isNamePresent) && namesOf(c).startsWith(known) && c.getParameterCount >= known.length
    }
    if (fitting.isEmpty) throw new NotPortable(s"${of.getName} has no constructor whose parameters are its fields")
    val chosen = fitting.minBy(c => if (known.nonEmpty) c.getParameterCount else -c.getParameterCount)
    if (namesOf(chosen).contains("$outer")) throw new NotPortable(s"${of.getName} is a class inside of an object")
    chosen
  }

  private def namesOf(constructor: Constructor[_]): Seq[String] = constructor.getParameters.map(_.getName).toIndexedSeq

  private lazy val otherCopyArgs = {
    val method = classOf[TreeNode[_]].getDeclaredMethod("otherCopyArgs")
    method.setAccessible(true)
    method
  }

  private def otherCopyArguments(node: TreeNode[_]): Seq[Any] = otherCopyArgs.invoke(node).asInstanceOf[Seq[Any]]

  private def field(value: AnyRef, name: String): Any = {
    val found = Iterator
      .iterate[Class[_]](value.getClass)(_.getSuperclass)
      .takeWhile(_ != null)
      .flatMap(_.getDeclaredFields)
      .find((f: Field) => f.getName == name || f.getName.endsWith("$$" + name))
      .getOrElse(throw new NotPortable(s"${value.getClass.getName} does not keep its argument $name"))
    found.setAccessible(true)
    found.get(value)
  }

  /**
   * Makes an object. Parameters that `recorded` lacks take their defaults; what it has beside the class's parameters is
   * left out where it is nothing, or what this version of Spark does by itself: another one has a use for it that this
   * one was not put to.
   *
   * @throws NotPortable where a class has no such parameter, or another one that has no default
   */
  def make(of: Class[_], recorded: Map[String, Any]): AnyRef = {
    val known = of.getDeclaredConstructors.flatMap(namesOf(_)).toSet
    val arguments = joined(of, recorded, known).filter { case (name, value) =>
      known(name) || !(value == None || value == null || isImplied(of, name, value))
    }
    val fitting = of.getDeclaredConstructors.filter(c => arguments.keySet.subsetOf(namesOf(c).toSet))
    if (fitting.isEmpty) {
      val missing = (arguments.keySet -- known).toIndexedSeq.sorted
      throw new NotPortable(s"${of.getName} has no parameter ${missing.mkString(", ")} in this version of Spark")
    }
    // Of two constructors with the same names the one that takes the values.
    val shortest = fitting.filter(_.getParameterCount == fitting.map(_.getParameterCount).min)
    val constructor = shortest.find(takes(_, arguments)).getOrElse(shortest.head)
    constructor.setAccessible(true)
    val values = constructor.getParameters.foldLeft(Vector.empty[Any]) { (before, parameter) =>
      val value = arguments.getOrElse(parameter.getName, default(of, parameter, before))
      before :+ fitted(value, parameter.getType)
    }
    try constructor.newInstance(values.map(_.asInstanceOf[AnyRef]): _*).asInstanceOf[AnyRef]
    catch {
      case e: InvocationTargetException => throw e.getCause
      case e: IllegalArgumentException =>
        val classes = values.map(v => if (v == null) "null" else v.getClass.getName).mkString(", ")
        throw new NotPortable(s"${of.getName} does not take the arguments ($classes): ${e.getMessage}")
    }
  }

  private def isImplied(of: Class[_], name: String, value: Any): Boolean =
    Option(EarlierArguments.IMPLIED.get(s"${of.getName}.$name")).contains(value)

  private def takes(constructor: Constructor[_], arguments: Map[String, Any]): Boolean =
    constructor.getParameters.forall { parameter =>
      val wanted = parameter.getType
      val value = fitted(arguments.getOrElse(parameter.getName, null), wanted)
      value == null || wanted.isPrimitive || wanted.isInstance(value)
    }

  /** What an earlier version has recorded by itself, as a member of what this one takes in its place. */
  private def joined(of: Class[_], recorded: Map[String, Any], known: Set[String]): Map[String, Any] =
    EarlierArguments.BY_CLASS.asScala.foldLeft(recorded) { case (arguments, (name, member)) =>
      of.getDeclaredConstructors.iterator.flatMap(_.getParameters).find(_.getType.getName == name) match {
        case Some(p) if arguments.contains(member) && !known(member) =>
          arguments - member + (p.getName -> make(p.getType, Map(member -> arguments(member))))
        case _ => arguments
      }
    }

  private def default(of: Class[_], parameter: Parameter, before: Vector[Any]): Any = {
    val suffix = s"$$default$$${before.length + 1}"
    val companion =
      try Some(Class.forName(of.getName + "$", true, of.getClassLoader).getField("MODULE$").get(null))
      catch { case _: ReflectiveOperationException => None }
    val method = companion.flatMap { c =>
      c.getClass.getMethods.find(m => m.getName == "apply" + suffix || m.getName == "$lessinit$greater" + suffix)
    }
    method match {
      // A default of a later list of parameters is computed from the arguments before it.
      case Some(m) => m.invoke(companion.get, before.take(m.getParameterCount).map(_.asInstanceOf[AnyRef]): _*)
      case None if parameter.getType == classOf[Option[_]] => None
      case None => throw new NotPortable(s"${of.getName} needs a parameter ${parameter.getName} in this version of Spark")
    }
  }

  /** A collection of the kind that a parameter wants. */
  private def fitted(value: Any, wanted: Class[_]): Any = value match {
    case list: List[_] if !wanted.isInstance(list) && wanted.isAssignableFrom(classOf[Vector[_]]) => list.toVector
    case list: List[_] if !wanted.isInstance(list) && wanted.isAssignableFrom(classOf[Set[_]]) => list.toSet
    case other => other
  }
}
