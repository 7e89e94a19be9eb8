package reprise.bridge

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.SparkThrowable

import reprise.access.SparkErrors

/** What a dump says of the error that ended a task: `core/dump/raised_error.h`. */
object RaisedError {
  private val mapper = new ObjectMapper()

  /** Spark wraps what a task of a write has raised. */
  private val wrappers = Set("TASK_WRITE_FAILED")

  def json(error: Throwable): String = {
    val causes = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).take(100).toIndexedSeq
    val told = causes.collectFirst { case e: NativeException => json(e.condition, e.parameters.asScala, e.getMessage) }
      .orElse(causes.collectFirst {
        case e: SparkThrowable if conditionOf(e).exists(!wrappers(_)) =>
          json(conditionOf(e).get, e.getMessageParameters.asScala, e.toString)
      })
    told.getOrElse(json(null, Nil, causes.last.toString))
  }

  private def conditionOf(error: SparkThrowable) = Option(SparkErrors.condition(error)).filter(_.nonEmpty)

  private def json(condition: String, parameters: Iterable[(String, String)], text: String): String = {
    val node = mapper.createObjectNode()
    if (condition != null) node.put("condition", condition)
    val told = node.putObject("parameters")
    parameters.foreach { case (name, value) => told.put(name, String.valueOf(value)) }
    node.put("text", String.valueOf(text)).toString
  }
}
