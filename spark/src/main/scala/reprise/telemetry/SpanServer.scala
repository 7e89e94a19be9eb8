package reprise.telemetry

import java.io.IOException
import java.net.{HttpURLConnection, URL}
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

/**
 * A server of OpenTelemetry's protocol over HTTP.
 *
 * @param headers sent with each request, as those that say who asks
 */
private[telemetry] final class SpanServer(address: URL, headers: Seq[(String, String)]) {
  import SpanServer._

  /**
   * Sends a request, again and again where the server asks for that or cannot be reached, as the protocol says.
   *
   * @param isOver whether to try no more
   * @return why the request is lost, or nothing
   */
  def send(request: Array[Byte], isOver: () => Boolean): Option[String] = {
    var pauseMs = firstPauseMs
    var tries = 0
    while (true) {
      tries += 1
      post(request) match {
        case Taken => return None
        case Refused(why) => return Some(s"$address has refused spans: $why")
        case NotNow(why) =>
          if (tries == triesMax || isOver()) return Some(s"spans are lost, for $address does not take them: $why")
          try Thread.sleep(pauseMs)
          catch { case _: InterruptedException => } // at once, then
          pauseMs *= 2
      }
    }
    None
  }

  private def post(request: Array[Byte]): Answer =
    try {
      val connection = address.openConnection().asInstanceOf[HttpURLConnection]
      connection.setRequestMethod("POST")
      connection.setConnectTimeout(timeoutMs)
      connection.setReadTimeout(timeoutMs)
      connection.setInstanceFollowRedirects(false)
      connection.setDoOutput(true)
      connection.setRequestProperty("Content-Type", "application/x-protobuf")
      headers.foreach { case (name, value) => connection.setRequestProperty(name, value) }
      Using.resource(connection.getOutputStream)(_.write(request))
      val status = connection.getResponseCode
      // Read to its end, so that the connection serves the next request.
      val body = Option(if (status < 400) connection.getInputStream else connection.getErrorStream)
        .map(Using.resource(_)(_.readNBytes(bodyMax)))
      if (status / 100 == 2) Taken
      else {
        val text = body.map(new String(_, UTF_8).trim.split("\n", 2).head).getOrElse("")
        val why = s"HTTP status $status ${connection.getResponseMessage}${if (text.isEmpty) "" else ": " + text}"
        if (laterStatuses(status)) NotNow(why) else Refused(why)
      }
    } catch { case e: IOException => NotNow(e.toString) }
}

private object SpanServer {
  private sealed trait Answer
  private case object Taken extends Answer
  private final case class Refused(why: String) extends Answer
  private final case class NotNow(why: String) extends Answer

  private val laterStatuses = Set(429, 502, 503, 504)
  private val timeoutMs = 5000
  private val firstPauseMs = 500L
  private val triesMax = 6
  private val bodyMax = 2000
}
