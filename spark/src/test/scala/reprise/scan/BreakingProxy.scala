package reprise.scan

import java.io.{InputStream, OutputStream}
import java.net.{InetAddress, ServerSocket, Socket, SocketException}
import java.util.concurrent.atomic.AtomicInteger

/** Stands before a server on this machine, and breaks off answers in their middle when it is told to. */
private[scan] final class BreakingProxy(server: Int) {
  private val loopback = InetAddress.getLoopbackAddress
  private val listening = new ServerSocket(0, 50, loopback)
  private val toBreak = new AtomicInteger
  private val brokenSoFar = new AtomicInteger

  /** Of an answer of so many bytes or more the rest does not come. */
  private val longAnswer = 1 << 20

  thread {
    while (true) {
      val client = listening.accept()
      val behind = new Socket(loopback, server)
      thread(copy(client, client.getInputStream, behind.getOutputStream, breaks = false))
      thread {
        try copy(client, behind.getInputStream, client.getOutputStream, breaks = true)
        finally behind.close()
      }
    }
  }

  def port: Int = listening.getLocalPort

  /** Breaks off the next long answers. */
  def breakNext(answers: Int): Unit = toBreak.set(answers)
  def broken: Int = brokenSoFar.get
  def stop(): Unit = listening.close()

  private def copy(client: Socket, from: InputStream, to: OutputStream, breaks: Boolean): Unit = {
    val bytes = new Array[Byte](1 << 16)
    var passed = 0
    var read = from.read(bytes)
    while (read >= 0) {
      to.write(bytes, 0, read)
      passed += read
      if (breaks && passed >= longAnswer && toBreak.getAndUpdate(n => math.max(0, n - 1)) > 0) {
        brokenSoFar.incrementAndGet()
        client.close()
        return
      }
      read = from.read(bytes)
    }
  }

  private def thread(body: => Unit): Unit = {
    val one = new Thread(() =>
      try body
      catch { case _: SocketException => /* One of the sides has ended. */ })
    one.setDaemon(true)
    one.start()
  }
}
