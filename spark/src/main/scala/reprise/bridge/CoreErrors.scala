package reprise.bridge

import scala.util.control.NonFatal

import org.apache.spark.{QueryContext, SparkException}
import org.apache.spark.sql.catalyst.trees.Origin

import reprise.access.SparkInternals
import reprise.access.SparkInternals.Kind

/** Turns the core's errors into the exceptions that Spark itself would raise. */
object CoreErrors {

  /** Spark's exception class by the first part of the condition's name; Spark's own code chooses the same. */
  private val kinds: Map[String, Kind] = Map(
    "ARITHMETIC_OVERFLOW" -> Kind.ARITHMETIC,
    "BINARY_ARITHMETIC_OVERFLOW" -> Kind.ARITHMETIC,
    "CAST_OVERFLOW" -> Kind.ARITHMETIC,
    "DATETIME_OVERFLOW" -> Kind.ARITHMETIC,
    "DIVIDE_BY_ZERO" -> Kind.ARITHMETIC,
    "INTERVAL_ARITHMETIC_OVERFLOW" -> Kind.ARITHMETIC,
    "INTERVAL_DIVIDED_BY_ZERO" -> Kind.ARITHMETIC,
    "NUMERIC_OUT_OF_SUPPORTED_RANGE" -> Kind.ARITHMETIC,
    "NUMERIC_VALUE_OUT_OF_RANGE" -> Kind.ARITHMETIC,
    "REMAINDER_BY_ZERO" -> Kind.ARITHMETIC,
    "INVALID_ARRAY_INDEX" -> Kind.ARRAY_INDEX,
    "INVALID_ARRAY_INDEX_IN_ELEMENT_AT" -> Kind.ARRAY_INDEX,
    "INCONSISTENT_BEHAVIOR_CROSS_VERSION" -> Kind.UPGRADE,
    "FAILED_READ_FILE" -> Kind.OTHER)

  /** Where a string cannot be cast, the class depends on what to. */
  private val castKinds: Map[String, Kind] = Map(
    "\"BOOLEAN\"" -> Kind.RUNTIME,
    "\"DATE\"" -> Kind.DATE_TIME,
    "\"TIME\"" -> Kind.DATE_TIME,
    "\"TIMESTAMP\"" -> Kind.DATE_TIME,
    "\"TIMESTAMP_NTZ\"" -> Kind.DATE_TIME)

  /** What Java raises itself and Spark lets pass, by its class. */
  private val ofJava: Map[String, String => Exception] = Map(
    "java.lang.ArithmeticException" -> (new ArithmeticException(_)))

  /** The core's key of a place that is empty: of what Spark's operators make for themselves, as a window its bounds. */
  private val Unplaced = "unplaced"

  /** Runs `body`; a [[NativeException]] leaves as [[toSpark]] says. */
  def translated[T](body: => T): T = translatedIn(Map.empty)(body)

  /** @param contexts the places in the query that errors may show, by key */
  def translatedIn[T](contexts: Map[String, QueryContext])(body: => T): T =
    try body
    catch { case e: NativeException => throw toSpark(e, contexts) }

  /** Spark's own exception of the error's condition; without one, a SparkException with the core's message. */
  def toSpark(error: NativeException, contexts: Map[String, QueryContext] = Map.empty): Exception =
    if (error.condition == null) {
      new SparkException(error.getMessage, error)
    } else if (ofJava.contains(error.condition)) {
      val exception = ofJava(error.condition)(error.parameters.get("message"))
      exception.initCause(error)
      exception
    } else {
      val context = if (error.context == Unplaced) Origin().context else contexts.get(error.context).orNull
      try SparkInternals.exception(kindOf(error), error.condition, parametersOf(error), context, error)
      catch {
        case NonFatal(_) => new SparkException(s"[${error.condition}] ${error.getMessage}", error)
      }
    }

  /**
   * What Spark says in the message. It writes floating-point numbers as the JVM does, of which those before 19 give
   * some more digits than tell the value apart; the core gives the fewest.
   */
  private def parametersOf(error: NativeException): java.util.Map[String, String] = {
    val parameters = error.parameters
    val value = parameters.getOrDefault("value", "")
    (error.condition, parameters.get("sourceType")) match {
      case ("CAST_OVERFLOW", "\"DOUBLE\"") if value.endsWith("D") =>
        replaced(parameters, s"${java.lang.Double.parseDouble(value)}D")
      case ("CAST_OVERFLOW", "\"FLOAT\"") => replaced(parameters, java.lang.Float.parseFloat(value).toString)
      case _ => parameters
    }
  }

  private def replaced(parameters: java.util.Map[String, String], value: String): java.util.Map[String, String] = {
    val others = new java.util.LinkedHashMap[String, String](parameters)
    others.put("value", value)
    others
  }

  private def kindOf(error: NativeException): Kind = error.condition.takeWhile(_ != '.') match {
    case "CAST_INVALID_INPUT" =>
      castKinds.getOrElse(error.parameters.getOrDefault("targetType", "").takeWhile(_ != '('), Kind.NUMBER_FORMAT)
    case name => kinds.getOrElse(name, Kind.RUNTIME)
  }
}
