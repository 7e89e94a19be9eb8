package reprise.replay

import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.JsonNodeFactory
import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.SparkPlan

import reprise.access.DeepJson

/** Why a plan has no portable form, or a portable form no plan here; `getMessage` is written for the user. */
final class NotPortable(reason: String, cause: Throwable = null) extends Exception(reason, cause)

/** What a portable plan reads: the columns of an input and what was promised of its rows. */
final case class PortableInput(output: Seq[Attribute], partitioning: Partitioning, ordering: Seq[SortOrder])

/**
 * One operator of Spark as a document from which another process, perhaps of another version of Spark, makes it again.
 * docs/internals/plan-json.md describes the document, under "The portable form".
 */
final class PortablePlan private (reader: PortableReader, val inputs: Seq[PortableInput]) {

  /** The operator over `children`, one an input. */
  def over(children: Seq[SparkPlan]): SparkPlan = PortablePlan.explained(reader.plan(children))
}

object PortablePlan {
  val version = 1

  /**
   * The document of an operator without what stands below it. Its subqueries must have run. Never throws: where there is
   * no portable form the document says why.
   */
  def write(node: SparkPlan): Array[Byte] = {
    val written =
      try Right(mapper.writeValueAsBytes(new PortableWriter(node).document()))
      catch {
        case e: NotPortable => Left(e.getMessage)
        case _: StackOverflowError => Left("its expressions are nested too deeply")
        case e: LinkageError => Left(e.toString)
        case NonFatal(e) => Left(e.toString)
      }
    written.fold(reason => mapper.writeValueAsBytes(refusal(reason)), identity)
  }

  /**
   * Reads a document. There must be an active session.
   *
   * @throws NotPortable for a document that says why there is none, one of another version, and one that names what this
   *                     Spark does not know
   */
  def open(json: Array[Byte]): PortablePlan = explained {
    val reader = new PortableReader(mapper.readTree(json), session)
    new PortablePlan(reader, reader.inputs())
  }

  /** The operator of a document over `children`. */
  def read(json: Array[Byte], children: Seq[SparkPlan]): SparkPlan = open(json).over(children)

  private def session: SparkSession = SparkSession.active

  private def explained[T](body: => T): T =
    try body
    catch {
      case e: NotPortable => throw e
      case NonFatal(e) => throw new NotPortable(s"the operator cannot be made: $e", e)
    }

  private def refusal(reason: String) = {
    val document = JsonNodeFactory.instance.objectNode()
    document.put("version", version).put("spark", SPARK_VERSION).put("unportable", reason)
  }

  private val mapper = new ObjectMapper(DeepJson.builder().build())

  private[replay] val unknownPartitioning: Partitioning = UnknownPartitioning(0)
}
