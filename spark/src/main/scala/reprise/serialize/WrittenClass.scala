package reprise.serialize

import java.util.IdentityHashMap

import scala.util.control.NonFatal

import com.fasterxml.jackson.core.io.SerializedString
import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression}
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.datasources.FileIndex
import org.apache.spark.sql.types.{DataType, Decimal}
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.unsafe.types.UTF8String

import reprise.access.{ElementNames, LazyCollections}
import reprise.serialize.WrittenClass.Form
import reprise.serialize.WrittenSpecially.Special

/**
 * What the writer knows of a class, found once: a plan holds thousands of objects of a few dozen classes, the JVM is
 * slow to say that an object has not one of many traits, and Scala makes the names of a product's elements anew for
 * each who asks.
 */
private[serialize] final class WrittenClass private (written: Class[_]) {
  val name = new SerializedString(written.getName)


  /** How its values are written. */
  val form: Form = WrittenClass.formOf(written)

  /** How the arguments are listed where not by reflection, and the same where what is planned by itself is left out. */
  val listed: Option[Special] = fitting(WrittenSpecially.arguments).headOption
  val listedClosed: Option[Special] = fitting(WrittenSpecially.closed).headOption.orElse(listed)

  /** What reflection misses. */
  val additions: Seq[Special] = fitting(WrittenSpecially.additions)

  private def fitting(table: Seq[Special]) = table.filter(_.of.isAssignableFrom(written))

  private lazy val isNamedByClass =
    try written.getMethod("nodeName").getDeclaringClass == classOf[TreeNode[_]]
    catch { case NonFatal(_) | _: LinkageError => false }

  @volatile private var nameOfAll = ""

  /** The name of `node`, which is one of this class. Spark makes most names of the class, anew for each who asks. */
  def nodeName(node: SparkPlan): String =
    if (!isNamedByClass) node.nodeName
    else {
      if (nameOfAll.isEmpty) nameOfAll = node.nodeName
      nameOfAll
    }

  @volatile private var names = Array.empty[SerializedString]

  /** The names of the constructor arguments of `value`, which is one of this class; "_1" where they have none. */
  def argumentNames(value: Product): Array[SerializedString] = {
    if (names.length != value.productArity) {
      val said =
        try ElementNames.of(value)
        catch { case NonFatal(_) => IndexedSeq.empty }
      names = Array.tabulate(value.productArity) { i =>
        new SerializedString(said.lift(i).filter(_.nonEmpty).getOrElse(s"_${i + 1}"))
      }
    }
    names
  }
}

private[serialize] object WrittenClass {

  /** The forms of values in a plan's document. */
  sealed trait Form
  object Form {
    case object Absent extends Form
    case object Plan extends Form
    case object ExprNumber extends Form
    case object Type extends Form
    case object Scalar extends Form
    case object Entries extends Form
    case object Options extends Form
    case object Collection extends Form
    case object Constant extends Form
    case object Record extends Form
    case object Opaque extends Form
  }

  private val all = new ClassValue[WrittenClass] {
    override def computeValue(written: Class[_]): WrittenClass = new WrittenClass(written)
  }

  /** Those met in one document. The JVM's own table takes a lock where Scala, too, keeps things of a class. */
  final class Known {
    private val met = new IdentityHashMap[Class[_], WrittenClass]

    def of(value: Any): WrittenClass = {
      val written = value.getClass
      val known = met.get(written)
      if (known != null) known
      else {
        val found = all.get(written)
        met.put(written, found)
        found
      }
    }
  }


  private val scalars: Seq[Class[_]] = Seq(
    classOf[java.lang.Boolean],
    classOf[java.lang.Byte],
    classOf[java.lang.Short],
    classOf[java.lang.Integer],
    classOf[java.lang.Long],
    classOf[java.lang.Float],
    classOf[java.lang.Double],
    classOf[java.lang.Character],
    classOf[String],
    classOf[UTF8String],
    classOf[Decimal],
    classOf[java.math.BigDecimal],
    classOf[BigDecimal],
    classOf[BigInt],
    classOf[java.math.BigInteger],
    classOf[Array[Byte]],
    classOf[java.lang.Enum[_]],
    classOf[Enumeration#Value])

  private def formOf(written: Class[_]): Form = {
    def is(classes: Class[_]*) = classes.exists(_.isAssignableFrom(written))
    val isProduct = is(classOf[Product])
    if (written == None.getClass) Form.Absent
    else if (WrittenSpecially.isOpaque(written)) Form.Opaque
    else if (is(classOf[SparkPlan])) Form.Plan
    else if (is(classOf[ExprId])) Form.ExprNumber
    else if (is(classOf[Expression])) Form.Record
    else if (is(classOf[DataType])) Form.Type
    else if (is(scalars: _*)) Form.Scalar
    else if (is(classOf[scala.collection.Map[_, _]])) Form.Entries
    else if (is(classOf[CaseInsensitiveStringMap])) Form.Options
    else if (is(LazyCollections.view)) Form.Opaque
    else if (is(classOf[scala.collection.Seq[_]], classOf[scala.collection.Set[_]]) || written.isArray) Form.Collection
    else if (isProduct && written.getName.startsWith("scala.Tuple")) Form.Collection
    else if (isProduct && written.getName.endsWith("$")) Form.Constant
    else if (isProduct && isKnownPackage(written.getName) || is(classOf[FileIndex])) Form.Record
    else Form.Opaque
  }

  /** Other people's classes may hold or do anything. */
  private def isKnownPackage(name: String): Boolean =
    (name.startsWith("org.apache.spark.") || name.startsWith("reprise.")) && !name.contains("$$anon")
}
