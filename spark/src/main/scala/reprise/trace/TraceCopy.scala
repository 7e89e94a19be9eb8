package reprise.trace

import java.io.{File, IOException, RandomAccessFile}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataOutputStream, FileSystem, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.spark.internal.Logging

import reprise.access.LocalFolder

/**
 * Copies the traces of a local folder to a directory on another file system, on a thread of its own: what interrupts a
 * task then breaks no file, and no task waits. What a task has added can be read there a second later, if the file system
 * lets files be read that are being written (HDFS), and else when the process ends (S3).
 *
 * @param folder goes at the end
 */
private[trace] final class TraceCopy(val folder: File, directory: Path, hadoop: Configuration) extends Logging {
  import TraceCopy._

  private val ended = new CountDownLatch(1)
  private val thread = new Thread(null, () => run(), "reprise-trace", 0, false) // inherits nothing of a task's
  thread.setDaemon(true)
  thread.start()

  /** Copies what is left, for as long as is right to wait for that. */
  def close(): Unit = {
    ended.countDown()
    thread.join(endMs)
    if (thread.isAlive) logWarning(s"reprise: the end of this process's trace did not come to $directory in time")
    LocalFolder.delete(folder)
  }

  private def run(): Unit = {
    var files: FileSystem = null // ours alone: nobody else closes it
    var copies = Map.empty[String, GrowingCopy]
    var isTold = false

    def copy(isEnd: Boolean): Unit =
      try {
        Option(folder.list()).toSeq.flatten.foreach { name =>
          if (files == null) files = FileSystem.newInstance(directory.toUri, hadoop)
          if (!copies.contains(name)) {
            copies += name -> new GrowingCopy(new File(folder, name), files, new Path(directory, name))
          }
          copies(name).goOn(isEnd)
        }
        isTold = false
      } catch {
        case NonFatal(e) =>
          if (isEnd) logWarning(s"reprise: the trace of this process is not whole in $directory: $e")
          else if (!isTold) logWarning(s"reprise: the trace of this process cannot be written to $directory yet: $e")
          isTold = true
      }

    while (!ended.await(pauseMs, TimeUnit.MILLISECONDS)) copy(isEnd = false)
    copy(isEnd = true)
    if (files != null) files.close()
  }
}

private object TraceCopy {
  private val pauseMs = 1000L
  private val endMs = 30000L
}

/** A trace's copy, which grows with it. After an error it is written anew, from the start. */
private final class GrowingCopy(from: File, files: FileSystem, to: Path) {
  import GrowingCopy._

  private var out: FSDataOutputStream = _
  private var copied = 0L

  /** @param isEnd nothing comes after this */
  def goOn(isEnd: Boolean): Unit =
    try {
      val more = grown()
      if (more.nonEmpty) {
        if (out == null) out = FileSystem.create(files, to, ownerOnly)
        out.write(more)
        copied += more.length
        if (!isEnd) out.hflush()
      }
      if (isEnd && out != null) {
        out.write(end)
        out.close()
      }
    } catch {
      case e: IOException =>
        abandon()
        // What has broken may hold again by now, and there is no other time.
        if (isEnd && copied > 0) {
          copied = 0
          goOn(isEnd)
        } else {
          copied = 0
          throw e
        }
    }

  /** What tasks have added: the end of the array stays at the trace's end. */
  private def grown(): Array[Byte] = Using.resource(new RandomAccessFile(from, "r")) { file =>
    val bytes = new Array[Byte](math.min(Int.MaxValue - 8L, file.length - copied).toInt)
    file.seek(copied)
    file.readFully(bytes)
    // A task is writing else, and it will be there the next time.
    if (bytes.length > end.length && bytes.endsWith(end)) bytes.dropRight(end.length) else Array.emptyByteArray
  }

  private def abandon(): Unit =
    try if (out != null) out.close()
    catch { case _: IOException => () }
    finally out = null
}

private object GrowingCopy {
  /** As core/base/trace_file.cc has it. */
  private val end = "\n]\n".getBytes(UTF_8)

  /** The names of traces can be guessed: what they hold is for their owner. */
  private val ownerOnly = new FsPermission("600")
}
