package reprise.profile

import java.io.{File, FileInputStream, FileNotFoundException, FileOutputStream, IOException, InputStream, OutputStream}
import java.nio.charset.Charset
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, StandardCopyOption}
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

  /** With its scheme and from its root, so that it means the same in every process. */
  def qualified: String = system.makeQualified(folder).toString

  /**
   * A JVM names files by the encoding of its locale: what that lacks would be another directory. An [[IOException]] says
   * so.
   */
  def checkName(): Unit = system match {
    case local: RawLocalFileSystem =>
      val encoding = System.getProperty("sun.jnu.encoding", "UTF-8")
      if (!Charset.forName(encoding).newEncoder().canEncode(local.pathToFile(folder).getPath)) {
        throw new IOException(
          s"this JVM cannot name files so, by its encoding $encoding: set LC_ALL to a locale of UTF-8, such as C.UTF-8")
      }
    case _ =>
  }

  /** Makes the directory and tries to write to it. An [[IOException]] says why that cannot be done. */
  def probe(): Unit = {
    checkName()
    if (!system.mkdirs(folder)) throw new IOException("the directory cannot be made")
    val file = new Path(folder, s".reprise-probe-${UUID.randomUUID()}")
    create(file).close()
    system.delete(file, false)
  }

  /** Readers see the file as it was or as it is now, never a part of it. */
  def put(local: File, name: String): Unit = Using.resource(new FileInputStream(local))(put(_, name))

  def put(text: String, name: String): Unit = put(new java.io.ByteArrayInputStream(text.getBytes(UTF_8)), name)

  /**
   * Has `write` make the file: where it is to be if that is a local directory, so that nothing is copied.
   *
   * @param local where it is made else
   */
  def make[T](name: String, local: File)(write: File => T): T = localFile(s".$name.part") match {
    case Some(part) =>
      try {
        val result = write(part)
        Files.move(part.toPath, new File(part.getParentFile, name).toPath, StandardCopyOption.ATOMIC_MOVE)
        result
      } finally part.delete() // where that failed
    case None =>
      val result = write(local)
      put(local, name)
      result
  }

  private def put(in: InputStream, name: String): Unit = {
    val part = new Path(folder, s".$name.part")
    val target = new Path(folder, name)
    Using.resource(create(part))(IOUtils.copyBytes(in, _, 1 << 16))
    if (!system.rename(part, target)) {
      // Some file systems rename onto no file.
      system.delete(target, false)
      if (!system.rename(part, target)) throw new IOException(s"$part cannot be renamed to $name")
    }
  }

  /** Hadoop's local file system would start a process for each file, to set its permissions. */
  private def create(file: Path): OutputStream =
    localFile(file.getName).fold[OutputStream](system.create(file, true))(new FileOutputStream(_))

  /** Where the file is, if that is a local directory. */
  def localFile(name: String): Option[File] = system match {
    case local: RawLocalFileSystem =>
      val file = local.pathToFile(new Path(folder, name))
      file.getParentFile.mkdirs() // of an executor on another machine
      Some(file)
    case _ => None
  }

  def get(name: String, local: File): Unit =
    Using.resource(system.open(new Path(folder, name))) { in =>
      Using.resource(new FileOutputStream(local))(IOUtils.copyBytes(in, _, 1 << 16))
    }

  def names(): Seq[String] = system.listStatus(folder).toSeq.map(_.getPath.getName)

  def delete(name: String): Unit =
    try system.delete(new Path(folder, name), false)
    catch { case _: FileNotFoundException => }

  override def close(): Unit = own.close()
}
