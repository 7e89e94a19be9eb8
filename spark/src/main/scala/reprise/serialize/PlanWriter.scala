package reprise.serialize

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Collections, IdentityHashMap, LinkedHashMap}

import scala.collection.mutable.LongMap
import scala.jdk.CollectionConverters._
import scala.util.Properties
import scala.util.control.NonFatal

import com.fasterxml.jackson.core.io.SerializedString
import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.databind.node.TextNode
import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, ExprId, Expression}
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, QueryStageExec}
import org.apache.spark.sql.execution.columnar.{InMemoryRelation, InMemoryTableScanExec}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.types.{DataType, Decimal}
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.unsafe.types.UTF8String

import reprise.access.{DeepJson, Texts}
import reprise.bridge.Secrets
import reprise.serialize.WrittenClass.Form

/** A plan as the core reads it, and the plan's nodes and expressions by their numbers in that document. */
final case class PlanDocument(json: Array[Byte], nodes: LongMap[SparkPlan], expressions: LongMap[Expression])

/** A node of the plug-in, which documents show as the Spark node that it has replaced. */
trait StandsForSparkNode { self: SparkPlan =>

  /** Spark's node, or none where the node is the plug-in's own addition above its only child. */
  def standsFor: Option[SparkPlan]
}

/** A node that the plug-in adds above its only child. */
trait AddedNode extends StandsForSparkNode { self: SparkPlan =>
  override def standsFor: Option[SparkPlan] = None
}

object PlanWriter {

  /**
   * Writes any plan, generically; docs/internals/plan-json.md describes the document. Never throws, runs nothing.
   *
   * @param shown the queries whose tags to write; others belong to a plan that was numbered by itself
   * @param whole whether to write what finished stages and adaptive subqueries hold, which are planned by themselves
   * @param caches whether to write the plans that have filled the caches which are read
   */
  def write(
      plan: SparkPlan,
      shown: QueryIdentity => Boolean = _ => true,
      whole: Boolean = true,
      caches: Boolean = false): PlanDocument =
    new PlanWriter(shown, whole, caches).document(plan)

  private val version = 1

  /** Larger values are data, not a plan. */
  private val valueBytesMax = 1 << 20
  private val collectionElementsMax = 1 << 16

  private val typesMax = 1000

  /** Texts of types that were written last: Spark makes them anew for each who asks, and tables' take long. */
  private val typeTexts = Collections.synchronizedMap(
    new LinkedHashMap[DataType, String](16, 0.75f, true) {
      override def removeEldestEntry(eldest: java.util.Map.Entry[DataType, String]): Boolean = size > typesMax
    })

  private val factory = DeepJson.builder().build()
}

private final class PlanWriter(isShown: QueryIdentity => Boolean, whole: Boolean, caches: Boolean) {
  import PlanWriter._

  private val bytes = new ByteArrayOutputStream(64 * 1024)
  private val out: JsonGenerator = factory.createGenerator(bytes)
  private val nodes = new LongMap[SparkPlan]
  private val expressions = new LongMap[Expression]
  private val numbers = new IdentityHashMap[AnyRef, java.lang.Long]
  // By the numbers in their ids: an attribute's hash is made of all that it has.
  private val attributes = new LongMap[List[AttributeReference]]
  private val types = new IdentityHashMap[DataType, String]
  private val classes = new WrittenClass.Known
  private var lastNumber = 0L
  private var isInCache = false

  def document(plan: SparkPlan): PlanDocument = {
    out.writeStartObject()
    out.writeNumberField("version", version)
    out.writeStringField("spark", SPARK_VERSION)
    out.writeStringField("scala", Properties.versionNumberString)
    out.writeFieldName("root")
    writeNode(plan)
    out.writeEndObject()
    out.close()
    PlanDocument(bytes.toByteArray, nodes, expressions)
  }

  private def writeNode(plan: SparkPlan): Unit = plan match {
    case own: StandsForSparkNode =>
      own.standsFor match {
        case Some(spark) => writeOnce(plan)(writeNodeMembers(plan, spark, _))
        case None => writeNode(plan.children.head)
      }
    case _ => writeOnce(plan)(writeNodeMembers(plan, plan, _))
  }

  /** @param shown Spark's node, whose arguments are written; `plan` has the children and the tag. */
  private def writeNodeMembers(plan: SparkPlan, shown: SparkPlan, number: Long): Unit = {
    if (!isInCache) nodes(number) = plan
    writeClass(shown)
    out.writeStringField("name", text(attempt(classes.of(shown).nodeName(shown), "")))
    out.writeNumberField("id", number)
    LoreTag.of(plan).filter(tag => isShown(tag.query)) match {
      case Some(tag) =>
        out.writeNumberField("loreId", tag.loreId)
        out.writeStringField("fingerprint", tag.fingerprint)
        out.writeStringField("occurrence", tag.occurrence)
      case None =>
        val made = QueryIdentity.madeBefore(plan, isShown)
        if (made.nonEmpty) writeArray("from", made.toIndexedSeq.sorted)(out.writeNumber(_: Long))
    }
    if (attempt(shown.supportsColumnar, false)) out.writeBooleanField("columnar", true)
    if (attempt(CachedTable.unapply(shown).nonEmpty, false)) out.writeBooleanField("cache", true)
    // What it gives is read as the core's blocks, not as rows.
    if (plan.isInstanceOf[QueryStageExec] || plan.isInstanceOf[AQEShuffleReadExec] || plan.isInstanceOf[ReusedExchangeExec]) {
      if (attempt(NativeExchanges.of(plan).nonEmpty, false)) out.writeBooleanField("blocks", true)
    }
    plan match {
      case stage: QueryStageExec if attempt(stage.isMaterialized, false) =>
        attempt(stage.getRuntimeStatistics.rowCount, None).foreach(rows => out.writeNumberField("rows", rows.toLong))
      case _ =>
    }
    writeArray("output", attempt(shown.output, Nil))(writeValue)
    writeArguments(shown, shown.children)
    writeArray("children", plan.children)(writeNode)
    shown match {
      case scan: InMemoryTableScanExec if caches => writeCached(scan.relation)
      case _ =>
    }
  }

  /** What has filled a cache: masks are followed through it, and nothing else looks at it. */
  private def writeCached(relation: InMemoryRelation): Unit = {
    writeArray("cachedOutput", relation.output)(writeValue)
    val before = isInCache
    isInCache = true
    out.writeFieldName("cached")
    writeNode(relation.cacheBuilder.cachedPlan)
    isInCache = before
  }

  private def writeObject(value: AnyRef): Unit = writeOnce(value) { number =>
    writeClass(value)
    out.writeNumberField("id", number)
    value match {
      case expression: Expression =>
        expressions(number) = expression
        // Some expressions are never evaluated and have no type: sort orders, window frames.
        attempt(Some(typeJson(expression.dataType)), None).foreach { json =>
          out.writeFieldName("type")
          out.writeRawValue(json)
        }
        attempt(Some(expression.nullable), None).foreach(out.writeBooleanField("nullable", _))
        writeArguments(expression, expression.children)
        writeArray("children", expression.children)(writeValue)
      case _ => writeArguments(value, Nil)
    }
  }

  private def writeClass(value: AnyRef): Unit = {
    out.writeFieldName("class")
    out.writeString(classes.of(value).name)
  }

  /** The constructor arguments by name. A child is left out, or `{"child":n}` where it sits inside a collection. */
  private def writeArguments(value: AnyRef, children: Seq[TreeNode[_]]): Unit = {
    val known = classes.of(value)
    val positions = new Positions(children)
    def writeAll(arguments: WrittenSpecially.Arguments): Unit = arguments.foreach { case (name, argument) =>
      out.writeFieldName(name)
      writeArgument(argument, positions)
    }
    out.writeObjectFieldStart("args")
    val listed = if (whole) known.listed else known.listedClosed
    listed.flatMap(special => attempt(Some(special.arguments(value)), None)) match {
      case Some(arguments) => writeAll(arguments)
      case None =>
        value match {
          case product: Product => writeReflected(product, known, positions)
          case _ =>
        }
        known.additions.foreach(special => writeAll(attempt(special.arguments(value), Nil)))
    }
    out.writeEndObject()
  }

  private def writeReflected(value: Product, known: WrittenClass, positions: Positions): Unit = {
    val names = attempt(known.argumentNames(value), Array.empty[SerializedString])
    for (i <- names.indices) {
      val argument = attempt(value.productElement(i), WrittenSpecially.Opaque(null))
      if (positions.of(argument) < 0) {
        out.writeFieldName(names(i))
        writeArgument(argument, positions)
      }
    }
  }

  private def writeArgument(value: Any, children: Positions): Unit = value match {
    case null => out.writeNull()
    case Some(inner) => writeArgument(inner, children)
    case _ if children.of(value) >= 0 =>
      out.writeStartObject()
      out.writeNumberField("child", children.of(value))
      out.writeEndObject()
    case _ =>
      val form = classes.of(value).form
      if (form == Form.Collection) writeElements(value)(writeArgument(_, children)) else writeValue(value, form)
  }

  /** An array, or only the class of what holds data. */
  private def writeElements(value: Any)(write: Any => Unit): Unit = {
    val all: Seq[Any] = attempt(
      value match {
        case l: List[_] => l
        case s: scala.collection.Seq[_] => s.toIndexedSeq
        case s: scala.collection.Set[_] => s.toIndexedSeq
        case a: Array[_] => a.toIndexedSeq
        case t: Product => t.productIterator.toIndexedSeq
      },
      null)
    val isPartOfPlan = all != null && all.lengthCompare(collectionElementsMax) <= 0 &&
      all.headOption.forall(v => !v.isInstanceOf[Byte] && !isData(v))
    if (isPartOfPlan) writeArrayValue(all)(write) else writeOpaque(value)
  }

  private def isData(value: Any): Boolean =
    value.isInstanceOf[org.apache.spark.sql.catalyst.InternalRow] || value.isInstanceOf[org.apache.spark.sql.Row]

  private def writeValue(value: Any): Unit = value match {
    case null => out.writeNull()
    case Some(inner) => writeValue(inner)
    case _ => writeValue(value, classes.of(value).form)
  }

  private def writeValue(value: Any, form: Form): Unit = form match {
    case Form.Absent => out.writeNull()
    case Form.Plan =>
      out.writeStartObject()
      out.writeFieldName("plan")
      writeNode(value.asInstanceOf[SparkPlan])
      out.writeEndObject()
    case Form.ExprNumber => out.writeNumber(value.asInstanceOf[ExprId].id)
    case Form.Record => writeObject(value.asInstanceOf[AnyRef])
    case Form.Type => writeDataType(value.asInstanceOf[DataType])
    case Form.Scalar => if (!writeScalar(value)) writeOpaque(value)
    case Form.Entries => writeMap(value.asInstanceOf[scala.collection.Map[_, _]])
    case Form.Options => writeMap(value.asInstanceOf[CaseInsensitiveStringMap].asCaseSensitiveMap.asScala)
    case Form.Collection => writeElements(value)(writeValue)
    case Form.Constant => writeTagged("enum", value.asInstanceOf[Product].productPrefix)
    case Form.Opaque => writeOpaque(value)
  }

  private def writeScalar(value: Any): Boolean = {
    value match {
      case b: Boolean => out.writeBoolean(b)
      case n: Byte => out.writeNumber(n.toInt)
      case n: Short => out.writeNumber(n.toInt)
      case n: Int => out.writeNumber(n)
      case n: Long => out.writeNumber(n)
      case x: Float => writeTagged("double", x.toString)
      case x: Double => writeTagged("double", x.toString)
      case c: Char => out.writeString(text(c.toString))
      case s: String => if (s.length <= valueBytesMax) out.writeString(text(s)) else writeOpaque(s)
      case s: UTF8String => writeUtf8(s)
      case d: Decimal => writeTagged("decimal", d.toJavaBigDecimal.toPlainString)
      case d: java.math.BigDecimal => writeTagged("decimal", d.toPlainString)
      case d: BigDecimal => writeTagged("decimal", d.bigDecimal.toPlainString)
      case n: BigInt => writeTagged("decimal", n.toString)
      case n: java.math.BigInteger => writeTagged("decimal", n.toString)
      case b: Array[Byte] if b.length <= valueBytesMax => writeBytes(b)
      case e: java.lang.Enum[_] => writeTagged("enum", e.name)
      case e: Enumeration#Value => writeTagged("enum", e.toString)
      case _ => return false
    }
    true
  }

  /** A string that is not valid UTF-8 has no JSON form. */
  private def writeUtf8(value: UTF8String): Unit =
    if (value.numBytes > valueBytesMax) writeOpaque(value)
    else if (Texts.isText(value)) out.writeString(value.toString)
    else writeBytes(value.getBytes)

  private def writeDataType(dataType: DataType): Unit =
    attempt(Some(typeJson(dataType)), None) match {
      case Some(json) =>
        out.writeStartObject()
        out.writeFieldName("type")
        out.writeRawValue(json)
        out.writeEndObject()
      case None => writeOpaque(dataType)
    }

  /** Spark's JSON, except where it would lose a string's collation. */
  private def typeJson(dataType: DataType): String = types.computeIfAbsent(
    dataType,
    typeTexts.computeIfAbsent(
      _,
      _ => {
        val name = dataType.catalogString
        if (name.contains("string collate ")) new TextNode(name).toString else dataType.json
      }))

  private def writeMap(map: scala.collection.Map[_, _]): Unit = {
    val entries = attempt(map.toIndexedSeq, null)
    if (entries == null || entries.length > collectionElementsMax) {
      writeOpaque(map)
    } else {
      out.writeStartObject()
      writeArray("map", entries) {
        case (key: String, value: String) => writeArrayValue(Seq(key, Secrets.redacted(key, value)))(writeValue)
        case (key, value) => writeArrayValue(Seq(key, value))(writeValue)
      }
      out.writeEndObject()
    }
  }

  private def writeBytes(value: Array[Byte]): Unit = {
    out.writeStartObject()
    out.writeBinaryField("bytes", value)
    out.writeEndObject()
  }

  private def writeTagged(tag: String, value: String): Unit = {
    out.writeStartObject()
    out.writeStringField(tag, text(value))
    out.writeEndObject()
  }

  private def writeOpaque(value: Any): Unit = writeTagged(
    "opaque",
    value match {
      case WrittenSpecially.Opaque(null) => "unknown"
      case WrittenSpecially.Opaque(inner) => inner.getClass.getName
      case other => other.getClass.getName
    })

  /** Writes an object with a new number, or `{"ref":N}` where it has been written. */
  private def writeOnce(value: AnyRef)(members: Long => Unit): Unit = {
    val known = numberOf(value)
    out.writeStartObject()
    if (known != null) {
      out.writeNumberField("ref", known.longValue)
    } else {
      lastNumber += 1
      numbers.put(value, lastNumber)
      value match {
        case a: AttributeReference => attributes(a.exprId.id) = a :: attributes.getOrElse(a.exprId.id, Nil)
        case _ =>
      }
      members(lastNumber)
    }
    out.writeEndObject()
  }

  /** Equal attributes are the same column, whichever object says so. Null where it has not been written. */
  private def numberOf(value: AnyRef): java.lang.Long = {
    val known = numbers.get(value)
    value match {
      case a: AttributeReference if known == null =>
        val equal = attributes.getOrElse(a.exprId.id, Nil).find(_ == a).map(numbers.get).orNull
        if (equal != null) numbers.put(a, equal)
        equal
      case _ => known
    }
  }

  private def writeArray[T](name: String, values: Iterable[T])(write: T => Unit): Unit = {
    out.writeFieldName(name)
    writeArrayValue(values)(write)
  }

  private def writeArrayValue[T](values: Iterable[T])(write: T => Unit): Unit = {
    out.writeStartArray()
    values.foreach(write)
    out.writeEndArray()
  }

  /** Jackson refuses half a surrogate pair. */
  private def text(value: String): String =
    if (value.exists(Character.isSurrogate)) new String(value.getBytes(UTF_8), UTF_8) else value

  private def attempt[T](body: => T, otherwise: T): T =
    try body
    catch { case NonFatal(_) => otherwise }
}

/** Where a node's or an expression's children stand among them. */
private final class Positions(children: Seq[TreeNode[_]]) {
  private val all = children.toArray[AnyRef]
  private val many = if (all.length > Positions.FewChildren) new IdentityHashMap[Any, Int] else null
  if (many != null) for (i <- all.indices) many.putIfAbsent(all(i), i)

  /** -1: it is none. */
  def of(value: Any): Int = if (many != null) many.getOrDefault(value, -1) else lookThrough(value)

  private def lookThrough(value: Any): Int = {
    var i = 0
    while (i < all.length && (all(i) ne value.asInstanceOf[AnyRef])) i += 1
    if (i < all.length) i else -1
  }
}

private object Positions {

  /** So many are looked through faster than they are put into a map. */
  private val FewChildren = 8
}
