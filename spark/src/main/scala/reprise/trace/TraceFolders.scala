package reprise.trace

import java.io.IOException
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.internal.Logging

import reprise.access.LocalFolder

/**
 * Directories for traces that are not on this machine (`spark.reprise.trace.path`). The core writes to local files, in a
 * folder that Spark has for its own; from there they are copied while they grow.
 */
private[reprise] object TraceFolders extends Logging {
  private val prepared = ConcurrentHashMap.newKeySet[String]()

  /** Of this process, by directory; None where there could be no local folder. */
  private val copies = new ConcurrentHashMap[String, Option[TraceCopy]]

  /** Driver. Makes the directory; an IllegalArgumentException where that can't be, or nothing be written to it. */
  def prepare(directory: String, hadoop: => Configuration): Unit = if (!prepared.contains(directory)) {
    try probe(new Path(directory), hadoop)
    catch {
      case e @ (_: IOException | _: IllegalArgumentException) =>
        val why = Option(e.getMessage).map(_.linesIterator.next()).getOrElse(e.getClass.getName)
        throw new IllegalArgumentException(
          s"spark.reprise.trace.path: $directory cannot be written to: $why; expected a directory that executors can " +
            "write traces to, or that can be made: name another one, or give this user the right to",
          e)
    }
    prepared.add(directory)
  }

  private def probe(folder: Path, hadoop: Configuration): Unit = {
    val files = FileSystem.newInstance(folder.toUri, hadoop)
    try {
      if (!files.mkdirs(folder)) throw new IOException("it cannot be made")
      val file = new Path(folder, s".reprise-probe-${UUID.randomUUID()}")
      files.create(file).close()
      files.delete(file, false)
    } finally files.close()
  }

  /** Executor. The local folder from which traces are copied to the directory. */
  def localFolderOf(directory: String): Option[String] = copies.computeIfAbsent(directory, begin(_)).map(_.folder.getPath)

  private def begin(directory: String): Option[TraceCopy] =
    try Some(new TraceCopy(LocalFolder.make("reprise-trace-"), new Path(directory), LocalFolder.fileSystems()))
    catch {
      case NonFatal(e) => // no task is to fail of it
        logWarning(s"reprise: nothing of this process is traced to $directory: $e")
        None
    }

  /** Executor, at its end. What its tasks have written is in the directory then. */
  def close(): Unit = {
    val ending = copies.values.asScala.flatten.toIndexedSeq
    copies.clear()
    ending.foreach(_.close())
  }
}
