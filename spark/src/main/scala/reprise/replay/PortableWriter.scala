package reprise.replay

import java.util.{HashMap, IdentityHashMap}
import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}
import org.apache.hadoop.fs.Path
import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, ExprId, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.{DataType, Metadata, StringType}

import reprise.access.Collations
import reprise.bridge.Secrets
import reprise.replay.PortableForms._

/** Writes one operator: see [[PortablePlan]]. Every method throws NotPortable for what has no form. */
private[replay] final class PortableWriter(root: SparkPlan) {
  private val json = JsonNodeFactory.instance
  private val inputs = new IdentityHashMap[AnyRef, Integer]
  private val numbers = new IdentityHashMap[AnyRef, Integer]
  private val attributeNumbers = new HashMap[AttributeReference, Integer]
  private val typeTexts = new HashMap[DataType, Option[String]]
  private var lastNumber = 0

  def document(): JsonNode = {
    refusalOf(root).foreach(reason => throw new NotPortable(reason))
    root.children.zipWithIndex.foreach { case (child, i) => inputs.putIfAbsent(child, i) }
    val document = json.objectNode()
    document.put("version", PortablePlan.version).put("spark", SPARK_VERSION).put("name", root.nodeName)
    val described = document.putArray("inputs")
    root.children.foreach(child => described.add(input(child)))
    document.set[JsonNode]("root", made(root, argumentsOf(root)))
    document
  }

  private def input(child: SparkPlan): JsonNode = {
    val described = json.objectNode()
    described.set[JsonNode]("output", value(child.output))
    // What is promised of the rows makes some operators do less; without it they do it again.
    optional(child.outputPartitioning).foreach(described.set[JsonNode]("partitioning", _))
    optional(child.outputOrdering).foreach(described.set[JsonNode]("ordering", _))
    described
  }

  /** By a writer of its own: what was written before a refusal leaves no number behind. */
  private def optional(described: => Any): Option[JsonNode] =
    try Some(new PortableWriter(root).value(described))
    catch { case NonFatal(_) => None }

  private def value(any: Any): JsonNode = any match {
    case null => json.nullNode()
    case scalar if PortableScalars.write.isDefinedAt(scalar) => PortableScalars.write(scalar)
    case None => tagged("none", json.booleanNode(true))
    case Some(inner) => tagged("some", value(inner))
    case ref: AnyRef => reference(ref)
  }

  private def reference(ref: AnyRef): JsonNode = ref match {
    case plan: SparkPlan => place(plan)
    case subquery if valueOf.isDefinedAt(subquery) => value(valueOf(subquery))
    case dataType: DataType => typeOf(dataType)
    case metadata: Metadata => tagged("metadata", json.textNode(metadata.json))
    case path: Path => tagged("path", json.textNode(path.toString))
    case uri: java.net.URI => tagged("uri", json.textNode(uri.toString))
    case id: ExprId => tagged("exprId", json.numberNode(id.id)).put("jvm", id.jvmId.toString)
    case c: Class[_] => tagged("javaClass", json.textNode(c.getName))
    case e: Enumeration#Value => enumeration(e)
    // The value of a lambda's variable, which its evaluation sets.
    case _: AtomicReference[_] => tagged("cell", json.booleanNode(true))
    case _: org.apache.spark.sql.SparkSession => tagged("session", json.booleanNode(true))
    case serialized if isJavaObject(serialized) => javaObject(serialized)
    case other => collection(other).getOrElse(constructed(other))
  }

  private def place(plan: SparkPlan): JsonNode = {
    val position = inputs.get(plan)
    if (position == null) throw new NotPortable(s"${plan.nodeName} stands among the arguments of ${root.nodeName}")
    tagged("input", json.numberNode(position))
  }

  private def enumeration(value: Enumeration#Value): JsonNode = {
    val outer = value.getClass.getMethods.find(_.getName == "scala$Enumeration$$outerEnum")
    val owner = outer.map(_.invoke(value)).getOrElse(throw new NotPortable(s"the enumeration of $value is not known"))
    val node = tagged("enumeration", json.textNode(owner.getClass.getName))
    node.put("name", value.toString)
  }

  private def javaObject(value: AnyRef): JsonNode = {
    val node = tagged("java", json.binaryNode(JavaObjects.write(value)))
    node.put("class", value.getClass.getName)
  }

  private def collection(ref: AnyRef): Option[JsonNode] = Option(ref match {
    case bytes: scala.collection.Seq[_] if bytes.nonEmpty && bytes.forall(_.isInstanceOf[Byte]) =>
      tagged("byteSeq", json.binaryNode(bytes.asInstanceOf[scala.collection.Seq[Byte]].toArray))
    case map: scala.collection.Map[_, _] => tagged("map", entries(map))
    case set: scala.collection.Set[_] => tagged("set", array(set))
    case seq: scala.collection.Seq[_] => array(seq)
    case values: Array[_] =>
      tagged("array", array(values)).put("of", values.getClass.getComponentType.getName)
    case map: java.util.Map[_, _] => tagged("javaMap", entries(map.asScala))
    case list: java.util.List[_] => tagged("javaList", array(list.asScala))
    case tuple: Product if tuple.getClass.getName.startsWith("scala.Tuple") =>
      tagged("tuple", array(tuple.productIterator.toIndexedSeq))
    case _ => null
  })

  private def array(values: Iterable[Any]): JsonNode = {
    if (values.size > elementsMax) throw new NotPortable(s"a collection of ${values.size} elements")
    val node = json.arrayNode()
    values.foreach(v => node.add(value(v)))
    node
  }

  private def entries(map: scala.collection.Map[_, _]): JsonNode =
    array(map.toIndexedSeq.map {
      case (key: String, inner: String) => Seq(key, Secrets.redacted(key, inner))
      case (key, inner) => Seq(key, inner)
    })

  private def constructed(ref: AnyRef): JsonNode = {
    refusalOf(ref).foreach(reason => throw new NotPortable(reason))
    val name = ref.getClass.getName
    ref match {
      case relation: LogicalPlan if !isNeeded(relation) => tagged("relation", value(relation.output))
      case _ if name.endsWith("$") && isModule(ref) => tagged("object", json.textNode(name))
      case e: java.lang.Enum[_] =>
        tagged("enum", json.textNode(e.getDeclaringClass.getName)).put("name", e.name)
      case expression: Expression => numbered(expression)
      case _: Product if isOwn(name) => made(ref, argumentsOf(ref))
      case _ if hasNoArguments(ref) => made(ref, Nil)
      case _: java.io.Serializable => javaObject(ref)
      case _ => throw new NotPortable(s"${ref.getClass.getName} has no portable form")
    }
  }

  /** Classes of other people may be made in any way; they say themselves how they are serialized. */
  private def isOwn(name: String): Boolean = name.startsWith("org.apache.spark.") || name.startsWith("reprise.")

  private def isModule(ref: AnyRef): Boolean =
    ref.getClass.getFields.exists(f => f.getName == "MODULE$" && (f.get(null) eq ref))

  private def argumentsOf(ref: AnyRef): Seq[(String, Any)] = special.applyOrElse(ref, Constructed.arguments)

  private def made(ref: AnyRef, arguments: Seq[(String, Any)]): ObjectNode = {
    val node = json.objectNode()
    node.put("class", ref.getClass.getName)
    val args = node.putObject("args")
    arguments.foreach { case (name, argument) => args.set[JsonNode](name, named(ref, name, argument)) }
    node
  }

  /** An error says where the trouble sits. */
  private def named(ref: AnyRef, name: String, argument: Any): JsonNode =
    try value(argument)
    catch {
      case e: NotPortable if ref eq root => throw new NotPortable(s"argument $name: ${e.getMessage}", e)
    }

  /** Expressions are written once. Equal attributes are the same, whichever object says so. */
  private def numbered(expression: Expression): JsonNode = {
    val known = expression match {
      case a: AttributeReference => attributeNumbers.get(a)
      case other => numbers.get(other)
    }
    if (known != null) return tagged("ref", json.numberNode(known))
    val node = made(expression, argumentsOf(expression))
    lastNumber += 1
    node.put("id", lastNumber)
    expression match {
      case a: AttributeReference => attributeNumbers.put(a, lastNumber)
      case other => numbers.put(other, lastNumber)
    }
    node
  }

  /** Spark's JSON of a type, where Spark reads the same from it. */
  private def typeOf(dataType: DataType): JsonNode = dataType match {
    case s: StringType if s.getClass == classOf[StringType] && s != StringType =>
      tagged("collation", json.textNode(Collations.of(s)))
    case _ =>
      val text = typeTexts.computeIfAbsent(dataType, t => Some(t.json).filter(isReadBack(t, _)))
      text match {
        case Some(known) => tagged("type", json.textNode(known))
        case None => constructed(dataType)
      }
  }

  private def isReadBack(dataType: DataType, text: String): Boolean =
    try DataType.fromJson(text) == dataType
    catch { case NonFatal(_) => false }

  private def tagged(tag: String, value: JsonNode): ObjectNode = {
    val node = json.objectNode()
    node.set[ObjectNode](tag, value)
  }
}
