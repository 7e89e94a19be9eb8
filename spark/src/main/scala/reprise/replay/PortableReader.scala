package reprise.replay

import java.util.UUID
import java.util.concurrent.atomic.AtomicReference

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.{DataType, Metadata}

import reprise.access.{Collations, EarlierArguments}
import reprise.bridge.Secrets

private[replay] object PortableReader {

  val primitives: Map[String, Class[_]] = Seq[Class[_]](
    classOf[Boolean], classOf[Byte], classOf[Short], classOf[Char], classOf[Int], classOf[Long], classOf[Float],
    classOf[Double]).map(c => c.getName -> c).toMap

  /** What stands beside a tag; whoever has kept the document may have put the members into another order. */
  private val besideTags = Set("class", "name", "of", "jvm", "fields", "precision", "scale")

  def tagOf(node: JsonNode): String = node.fieldNames.asScala
    .find(!besideTags(_))
    .getOrElse(throw new NotPortable(s"a damaged portable plan: $node"))

  /** The objects that a document refers to by their numbers, wherever in it they stand. */
  private final class Numbered(document: JsonNode) {
    private val made = mutable.Map.empty[Int, Any]
    private val objects = mutable.Map.empty[Int, JsonNode]
    find(document)

    private def find(node: JsonNode): Unit = {
      if (node.has("id") && node.has("class")) objects(node.get("id").asInt) = node
      node.fieldNames.asScala.foreach(name => if (!ownNumbers(name)) find(node.get(name)))
      if (node.isArray) node.elements.asScala.foreach(find)
    }

    def written(number: Int): JsonNode =
      objects.getOrElse(number, throw new NotPortable(s"a damaged portable plan: nothing has the number $number"))

    def of(number: Int, make: => Any): Any = made.get(number) match {
      case Some(known) => known
      case None =>
        val value = make
        made.getOrElseUpdate(number, value)
    }
  }

  /** Members of an input with numbers of their own. */
  private val ownNumbers = Set("partitioning", "ordering")

  /** Values that JSON itself can say. */
  val simple: PartialFunction[JsonNode, Any] = {
    case node if node.isNull => null
    case node if node.isBoolean => node.booleanValue
    case node if node.isInt => node.intValue
    case node if node.isTextual => node.textValue
  }
}

/** Reads what [[PortableWriter]] has written. */
private[replay] final class PortableReader(document: JsonNode, session: SparkSession) {
  import PortableReader.Numbered

  private var numbered = new Numbered(document)
  private var children: Seq[SparkPlan] = Nil

  Option(document.get("unportable")).foreach { reason =>
    throw new NotPortable(s"the operator can't be made again: ${reason.asText}")
  }
  if (document.path("version").asInt != PortablePlan.version || !document.has("root")) {
    val version = document.path("version").asText("?")
    throw new NotPortable(s"a portable plan of version $version; this Reprise reads version ${PortablePlan.version}")
  }

  def inputs(): Seq[PortableInput] = document.path("inputs").asScala.toIndexedSeq.map { node =>
    val output = value(node.get("output")).asInstanceOf[Seq[Attribute]]
    PortableInput(
      output,
      promised(node.get("partitioning")).fold(PortablePlan.unknownPartitioning)(_.asInstanceOf[Partitioning]),
      promised(node.get("ordering")).fold(Seq.empty[SortOrder])(_.asInstanceOf[Seq[SortOrder]]))
  }

  /** Has numbers of its own. */
  private def promised(node: JsonNode): Option[Any] = Option(node).map { written =>
    val before = numbered
    numbered = new Numbered(written)
    try value(written)
    finally numbered = before
  }

  def plan(over: Seq[SparkPlan]): SparkPlan = {
    val expected = document.path("inputs").size
    if (over.length != expected) throw new NotPortable(s"the operator has $expected inputs, not ${over.length}")
    children = over
    value(document.get("root")).asInstanceOf[SparkPlan]
  }

  private def value(node: JsonNode): Any = node match {
    case list if list.isArray => elements(list).toList
    case simple if PortableReader.simple.isDefinedAt(simple) => PortableReader.simple(simple)
    case made if made.has("class") && made.has("args") => constructed(made)
    case tagged if tagged.isObject && tagged.size > 0 => ofTag(tagged)
    case other => throw new NotPortable(s"a damaged portable plan: $other")
  }

  private def elements(list: JsonNode): Iterator[Any] = list.elements.asScala.map(value)

  private def constructed(node: JsonNode): Any =
    if (node.has("id")) numbered.of(node.get("id").asInt, made(node)) else made(node)

  private def made(node: JsonNode): AnyRef = {
    val args = node.get("args")
    val arguments = args.fieldNames.asScala.map(name => argument(name, args.get(name))).toMap
    val name = node.get("class").asText
    PortableForms.remade(name, session).getOrElse(Constructed.make(JavaObjects.load(name), _))(arguments)
  }

  /** An argument by its name, in the form that this version of Spark takes. */
  private def argument(name: String, written: JsonNode): (String, Any) = {
    val of = written.path("class").asText
    Option(EarlierArguments.BY_CLASS.get(of)).filterNot(_ => JavaObjects.isKnown(of)) match {
      case Some(member) => member -> value(written.path("args").path(member))
      case None => name -> value(written)
    }
  }

  private def ofTag(whole: JsonNode): Any = {
    val tag = PortableReader.tagOf(whole)
    val inner = whole.get(tag)
    PortableScalars.read.get(tag) match {
      case Some(read) => read(inner, whole)
      case None => structured(tag, inner, whole)
    }
  }

  private def structured(tag: String, inner: JsonNode, whole: JsonNode): Any = tag match {
    case "none" => None
    case "some" => Some(value(inner))
    case "ref" => numbered.of(inner.asInt, constructed(numbered.written(inner.asInt)))
    case "input" => children(inner.asInt)
    case "relation" => LocalRelation(value(inner).asInstanceOf[Seq[Attribute]])
    case "type" => DataType.fromJson(inner.asText)
    case "collation" => Collations.collated(inner.asText)
    case "metadata" => Metadata.fromJson(inner.asText)
    case "path" => new Path(inner.asText)
    case "uri" => new java.net.URI(inner.asText)
    case "exprId" => ExprId(inner.asLong, UUID.fromString(whole.get("jvm").asText))
    case "javaClass" => classNamed(inner.asText)
    case "cell" => new AtomicReference[Any]()
    case "session" => session
    case "object" => moduleOf(inner.asText)
    case "enumeration" => moduleOf(inner.asText).asInstanceOf[Enumeration].withName(whole.get("name").asText)
    case "enum" => enumConstant(inner.asText, whole.get("name").asText)
    case "java" => JavaObjects.read(inner.binaryValue, whole.get("class").asText)
    case "byteSeq" => inner.binaryValue.toSeq
    case "map" => entries(inner).toMap
    case "set" => elements(inner).toSet
    case "tuple" => tuple(elements(inner).toIndexedSeq)
    case "array" => arrayOf(classNamed(whole.get("of").asText), elements(inner).toIndexedSeq)
    case "javaMap" => new java.util.HashMap[Any, Any](entries(inner).toMap.asJava)
    case "javaList" => new java.util.ArrayList[Any](elements(inner).toIndexedSeq.asJava)
    case _ => throw new NotPortable(s"a portable plan with $tag, which this version of Reprise does not know")
  }

  private def entries(list: JsonNode): Iterator[(Any, Any)] =
    list.elements.asScala.map(pair => value(pair.get(0)) -> value(pair.get(1))).filter(_._2 != Secrets.hidden)

  private def moduleOf(name: String): AnyRef = JavaObjects.load(name).getField("MODULE$").get(null)

  private def enumConstant(name: String, constant: String): AnyRef = JavaObjects
    .load(name)
    .getEnumConstants
    .collectFirst { case e: java.lang.Enum[_] if e.name == constant => e }
    .getOrElse(throw new NotPortable(s"$name has no $constant in this version of Spark"))

  private def tuple(values: IndexedSeq[Any]): AnyRef =
    JavaObjects.load(s"scala.Tuple${values.length}").getConstructors.head
      .newInstance(values.map(_.asInstanceOf[AnyRef]): _*).asInstanceOf[AnyRef]

  private def arrayOf(of: Class[_], values: IndexedSeq[Any]): AnyRef = {
    val array = java.lang.reflect.Array.newInstance(of, values.length)
    values.zipWithIndex.foreach { case (v, i) => java.lang.reflect.Array.set(array, i, v) }
    array
  }

  private def classNamed(name: String): Class[_] = PortableReader.primitives.getOrElse(name, JavaObjects.load(name))
}
