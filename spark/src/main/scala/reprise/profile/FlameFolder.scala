package reprise.profile

import java.io.{File, FileInputStream, FileNotFoundException, FileOutputStream, IOException, OutputStream}
import java.nio.charset.Charset
import java.nio.file.Files
import java.nio.file.StandardCopyOption.{ATOMIC_MOVE, REPLACE_EXISTING}
import java.util.UUID

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, LocalFileSystem, Path, RawLocalFileSystem}
import org.apache.hadoop.io.IOUtils

/** The directory that recordings and pages go to, on any file system. One thread at a time. */
private[profile] final class FlameFolder(prefix: String, hadoop: Configuration) extends AutoCloseable {
  private val folder = new Path(prefix)
  // Ours alone: what is set on it is not to change for others, nor are others to close it.
  private val own: FileSystem = FileSystem.newInstance(folder.toUri, hadoop)

  // Of local files without the file of checksums that Hadoop adds to each.
  private val system: FileSystem = own match {
    case local: LocalFileSystem => local.getRawFileSystem
    case other => other
  }
  private val local: Option[RawLocalFileSystem] = Option(system).collect { case it: RawLocalFileSystem => it }

  /** With its scheme and from its root, so that it means the same in every process. */
  def qualified: String = system.makeQualified(folder).toString

  /**
   * A JVM names files by the encoding of its locale: what that lacks would be another directory. An [[IOException]] says
   * so.
   */
  def checkName(): Unit = local.foreach { it =>
    val encoding = System.getProperty("sun.jnu.encoding", "UTF-8")
    if (!Charset.forName(encoding).newEncoder().canEncode(it.pathToFile(folder).getPath)) {
      throw new IOException(
        s"this JVM cannot name files so, by its encoding $encoding: set LC_ALL to a locale of UTF-8, such as C.UTF-8")
    }
  }

  /** Makes the directory and tries to write to it. An [[IOException]] says why that cannot be done. */
  def probe(): Unit = {
    checkName()
    if (!system.mkdirs(folder)) throw new IOException("the directory cannot be made")
    val name = s".reprise-probe-${UUID.randomUUID()}"
    // Hadoop's local file system would start a process for each file, to set its permissions.
    localFile(name).fold[OutputStream](system.create(new Path(folder, name)))(new FileOutputStream(_)).close()
    delete(name)
  }

  /** Readers see the file as it was or as it is now, never a part of it. */
  def put(file: File, name: String): Unit =
    if (local.isEmpty) send(file, name)
    else makeInPlace(name)(part => Files.copy(file.toPath, part.toPath, REPLACE_EXISTING))

  /**
   * Has `write` make the file: where it is to be if that is a local directory, so that nothing is copied.
   *
   * @param file where it is made else
   */
  def make[T](name: String, file: File)(write: File => T): T =
    if (local.nonEmpty) makeInPlace(name)(write)
    else {
      val result = write(file)
      send(file, name)
      result
    }

  private def makeInPlace[T](name: String)(write: File => T): T = {
    val part = localFile(s".$name.part").get
    try {
      val result = write(part)
      Files.move(part.toPath, part.toPath.resolveSibling(name), ATOMIC_MOVE)
      result
    } finally part.delete() // where that failed
  }

  private def send(file: File, name: String): Unit = {
    val part = new Path(folder, s".$name.part")
    val target = new Path(folder, name)
    Using.resource(new FileInputStream(file)) { in =>
      Using.resource(system.create(part, true))(IOUtils.copyBytes(in, _, 1 << 16))
    }
    if (!system.rename(part, target)) {
      // Some file systems rename onto no file.
      system.delete(target, false)
      if (!system.rename(part, target)) throw new IOException(s"$part cannot be renamed to $name")
    }
  }

  /** Where the file is, if that is a local directory. */
  def localFile(name: String): Option[File] = local.map { it =>
    val file = it.pathToFile(new Path(folder, name))
    file.getParentFile.mkdirs() // of an executor on another machine
    file
  }

  def get(name: String, file: File): Unit =
    Using.resource(system.open(new Path(folder, name))) { in =>
      Using.resource(new FileOutputStream(file))(IOUtils.copyBytes(in, _, 1 << 16))
    }

  /** Of all files that are there. */
  def names(): Seq[String] = local match {
    case Some(it) => // which itself would look at each of them
      val directory = it.pathToFile(folder)
      Option(directory.list()).getOrElse(throw new IOException(s"$directory cannot be listed")).toIndexedSeq
    case None => system.listStatus(folder).toIndexedSeq.map(_.getPath.getName)
  }

  def delete(name: String): Unit =
    try system.delete(new Path(folder, name), false)
    catch { case _: FileNotFoundException => }

  override def close(): Unit = own.close()
}
