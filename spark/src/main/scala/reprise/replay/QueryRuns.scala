package reprise.replay

import java.io.File

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import org.apache.spark.sql.SparkSession

/**
 * What `reprise diagnose` starts: runs a query several times, each time as an application of its own.
 *
 * {{{QueryRuns REQUEST.json}}}
 * The request is described by `core/cli/query_runs.cc`, which writes it; the answer says by the runs' names what they
 * have failed with, or null.
 */
object QueryRuns {
  private val mapper = new ObjectMapper

  def main(arguments: Array[String]): Unit = JvmProgram.end {
    runAll(mapper.readTree(new File(arguments.head)))
    0
  }

  private def runAll(request: JsonNode): Unit = {
    val answer = mapper.createObjectNode()
    request.get("runs").elements.asScala.foreach { run =>
      val settings = ("spark.plugins" -> "reprise.ReprisePlugin") +: (texts(request.get("conf")) ++ texts(run.get("conf")))
      val session = JvmProgram.session("reprise diagnose", settings)
      val name = run.get("name").asText
      try {
        runOnce(session, request)
        answer.putNull(name)
      } catch { case NonFatal(e) => answer.put(name, rootOf(e).toString) }
      finally session.stop()
    }
    mapper.writeValue(new File(request.get("answer").asText), answer)
  }

  private def texts(node: JsonNode): Seq[(String, String)] =
    node.properties.asScala.toIndexedSeq.map(member => member.getKey -> member.getValue.asText)

  private def runOnce(session: SparkSession, request: JsonNode): Unit = {
    texts(request.get("tables")).foreach { case (name, path) =>
      session.read.parquet(path).createOrReplaceTempView(name)
    }
    val statements = request.get("statements").elements.asScala.map(_.asText).toIndexedSeq
    statements.init.foreach(statement => session.sql(statement).collect())
    WholeQuery.read(session.sql(statements.last).queryExecution, "diagnose")
  }

  private def rootOf(error: Throwable): Throwable =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toIndexedSeq.last
}
