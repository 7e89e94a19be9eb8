package reprise.scan

import java.net.URI
import java.net.http.{HttpClient, HttpRequest, HttpResponse}
import java.nio.file.Paths
import java.util.concurrent.TimeUnit

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.DurationInt
import scala.io.Source

import reprise.bridge.NativeLibrary

/** A server of S3 on this machine with an empty bucket, in a process of its own. */
private[scan] final class S3Server(bucket: String) {
  private val process = {
    val python = Paths.get(sys.props(NativeLibrary.pathProperty)).getParent.getParent.resolve(".venv/bin/python")
    val builder = new ProcessBuilder(python.toString, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0")
    builder.redirectErrorStream(true).start()
  }
  private val running = """Running on http://127\.0\.0\.1:(\d+)""".r.unanchored

  val port: Int =
    try {
      val lines = Source.fromInputStream(process.getInputStream).getLines()
      val found = Future(lines.collectFirst { case running(port) => port.toInt })(ExecutionContext.global)
      val port = Await.result(found, 60.seconds).getOrElse(throw new IllegalStateException("moto has ended"))
      // What it goes on to say must not fill the pipe.
      Future(lines.foreach(_ => ()))(ExecutionContext.global)
      val made = HttpClient.newHttpClient().send(
        HttpRequest.newBuilder(URI.create(s"http://127.0.0.1:$port/$bucket")).PUT(HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString())
      require(made.statusCode == 200, made.body)
      port
    } catch {
      case e: Throwable =>
        stop()
        throw e
    }

  def stop(): Unit = {
    process.destroy()
    if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly()
  }
}
