package reprise.lineage

import java.io.File
import java.net.{InetAddress, ServerSocket}

import scala.jdk.CollectionConverters._
import scala.util.Using

/** A JVM that waits on a port of this machine for a debugger, and then runs one task. It ends with this one. */
final class DebugJvm private (val port: Int, val process: Process) {

  /** Waits until it has ended. */
  def waitFor(): Int = process.waitFor()

  /** One that waits is suspended as a whole: it does not hear when it is asked to end. */
  def stop(): Unit = process.destroyForcibly().waitFor()

  override def toString: String = s"DebugJvm(127.0.0.1:$port)"
}

object DebugJvm {

  /** Starts one with this JVM's java and class path. */
  private[reprise] def start(path: String, stage: Int, partition: Int): DebugJvm = {
    val port = Using.resource(new ServerSocket(0, 1, InetAddress.getLoopbackAddress))(_.getLocalPort)
    val own = new File(getClass.getProtectionDomain.getCodeSource.getLocation.toURI).getPath
    val command = Seq(
      Seq(s"${System.getProperty("java.home")}/bin/java", "-XX:+IgnoreUnrecognizedVMOptions"),
      Seq("-Dlog4j2.configurationFile=reprise/replay/log4j2.properties"),
      Seq(s"-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:$port"),
      opened.map(p => s"--add-opens=java.base/$p=ALL-UNNAMED"),
      Seq("-cp", System.getProperty("java.class.path") + File.pathSeparator + own),
      Seq(classOf[DebugTask].getName, path, stage.toString, partition.toString)).flatten
    val builder = new ProcessBuilder(command.asJava).inheritIO()
    builder.environment.putIfAbsent("SPARK_LOCAL_IP", "127.0.0.1")
    val jvm = new DebugJvm(port, builder.start())
    // Nobody would know of it any more; what it was to write to is gone.
    Runtime.getRuntime.addShutdownHook(new Thread(() => jvm.stop(), "reprise-end-debug-jvm"))
    println(howToAttach(port))
    jvm
  }

  def howToAttach(port: Int): String =
    s"""A JVM waits for a debugger on port $port of this machine. Attach, set breakpoints, let it run:
       |  jdb       jdb -attach 127.0.0.1:$port, then: stop at Class:line (or: catch Exception), run
       |  VS Code   a configuration {"type": "java", "request": "attach", "hostName": "127.0.0.1", "port": $port}
       |  IntelliJ  Run, Edit Configurations, Remote JVM Debug: host 127.0.0.1, port $port""".stripMargin

  /** What Spark itself opens on Java 17. */
  private val opened = Seq(
    "java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util",
    "java.util.concurrent", "sun.nio.ch", "sun.nio.cs", "jdk.internal.ref", "sun.security.action", "sun.util.calendar")
}
