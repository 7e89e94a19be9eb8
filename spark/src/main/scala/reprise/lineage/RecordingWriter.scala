package reprise.lineage

import java.io.{IOException, OutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.CRC32C

import com.fasterxml.jackson.databind.JsonNode
import com.github.luben.zstd.ZstdOutputStream
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataOutputStream, Path}
import org.apache.hadoop.fs.permission.FsPermission

import reprise.event.EventFiles

/**
 * Appends to a recording. An object is in its file before the line that names it is written, so that a line that is
 * whole names something that is whole. Not for several threads at once.
 */
private[lineage] final class RecordingWriter(folder: Path, hadoop: Configuration) {
  private val lines = open(RecordingFormat.lines)
  private val objects = open(RecordingFormat.objects)
  private val events = open(RecordingFormat.events)

  private def open(name: String): FSDataOutputStream =
    EventFiles.fileSystem(folder, hadoop).create(new Path(folder, name), true)

  /** Writes one object; what `write` has done is forgotten where it throws. */
  def blob(write: OutputStream => Unit): Blob = {
    val start = objects.getPos
    val checked = new CheckedStream(objects)
    // Closing it ends what is compressed; the file stays open.
    val compressed = new ZstdOutputStream(checked)
    try write(compressed)
    finally compressed.close()
    Blob(start, checked.bytes, checked.checksum)
  }

  /** The line is read only once [[flush]] has been called. */
  def line(content: JsonNode): Unit = lines.write(RecordingFormat.line(content))

  def event(json: String): Unit = {
    events.write(json.getBytes(UTF_8))
    events.write('\n')
  }

  def flush(): Unit = {
    objects.hflush()
    lines.hflush()
  }

  def flushEvents(): Unit = events.hflush()

  def close(): Unit = Seq(objects, lines, events).foreach { file =>
    try file.close()
    catch { case _: IOException => () }
  }
}

private final class CheckedStream(out: OutputStream) extends OutputStream {
  private val sum = new CRC32C
  var bytes = 0L

  def checksum: Long = sum.getValue

  override def write(byte: Int): Unit = {
    toFolder(out.write(byte))
    sum.update(byte)
    bytes += 1
  }

  override def write(buffer: Array[Byte], offset: Int, length: Int): Unit = {
    toFolder(out.write(buffer, offset, length))
    sum.update(buffer, offset, length)
    bytes += length
  }

  private def toFolder(write: => Unit): Unit =
    try write
    catch { case e: IOException => throw new FolderFailure(e) }
}

/** What is wrong is the folder, not the object that was being written. */
private[lineage] final class FolderFailure(cause: IOException) extends IOException(cause.toString, cause)

private[lineage] object RecordingWriter {
  private val ownerOnly = new FsPermission("700")

  /**
   * Makes the folder anew. A recording that is there is overwritten; anything else that is there is an
   * IllegalArgumentException.
   *
   * @param key            the setting that names it
   * @param overwritesFile whether a file gives way too, as that of an event log
   */
  def create(path: String, hadoop: Configuration, key: String, overwritesFile: Boolean): (Path, RecordingWriter) = {
    val named = new Path(path)
    val files = EventFiles.fileSystem(named, hadoop)
    val folder = files.makeQualified(named)
    def refuse(why: String) = throw new IllegalArgumentException(
      s"$key: $path $why; expected an absent or empty folder, or a recording, which is overwritten")
    if (overwritesFile && files.exists(folder) && files.getFileStatus(folder).isFile) files.delete(folder, false)
    if (files.exists(folder)) {
      if (!files.getFileStatus(folder).isDirectory) refuse("is a file")
      val found = files.listStatus(folder).map(_.getPath.getName).toSet
      val ours = Set(RecordingFormat.lines, RecordingFormat.objects, RecordingFormat.events)
      if (found.nonEmpty && !found.contains(RecordingFormat.lines)) refuse("holds something else")
      if (!found.subsetOf(ours)) refuse(s"holds ${(found -- ours).min} beside a recording")
      found.foreach(name => files.delete(new Path(folder, name), false))
    } else if (!files.mkdirs(folder, ownerOnly)) {
      throw new IOException(s"$key: cannot make the folder $path")
    }
    (folder, new RecordingWriter(folder, hadoop))
  }
}
