package reprise.bridge

import java.io.{InputStream, IOException, OutputStream}
import java.nio.file.{AccessDeniedException, FileSystemException, Files, NoSuchFileException, Path, StandardCopyOption}
import java.nio.file.attribute.PosixFilePermissions
import java.security.MessageDigest

import scala.io.Source
import scala.util.Using

/**
 * Loads the core into this JVM. The libraries come out of the jar, each checked against its SHA-256, into a private
 * folder that is removed as soon as they are loaded, so that a JVM that is killed leaves nothing; or from the folder
 * that the system property `reprise.library.path` names.
 */
object NativeLibrary {
  val pathProperty = "reprise.library.path"

  private val library = "libreprise.so"
  private val move = "set -Djava.io.tmpdir to another folder, of the driver in spark.driver.extraJavaOptions (on the " +
    "command line or in spark-defaults.conf) and of executors in spark.executor.extraJavaOptions"
  private val forOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
  private var isLoaded = false
  // Where the libraries were unpacked to, and whether they are there still; null where they come from elsewhere.
  private var folder: Path = _
  private var isUnpacked = false

  /** Loads the core once, and leaves no file. An [[UnsatisfiedLinkError]] says in one line what is wrong. */
  def ensureLoaded(): Unit = synchronized {
    if (!isLoaded) {
      load()
      removeFiles()
    }
  }

  /** Loads the core once; its files stay until [[removeFiles]] or the end of a call of [[withFiles]]. */
  def loadWithFiles(): Unit = synchronized {
    if (!isLoaded) load()
  }

  /**
   * Runs what reads the names of functions in the files of the libraries that are loaded, as a profiler does when it
   * starts. Where they are gone their copies bear the names that the kernel gives to files that were removed.
   */
  def withFiles[T](body: => T): T = synchronized {
    try {
      if (folder != null && !isUnpacked) {
        Files.createDirectory(folder, forOwner)
        unpackTo(folder, " (deleted)")
      }
      body
    } finally removeFiles()
  }

  def removeFiles(): Unit = synchronized {
    if (isUnpacked) {
      Option(folder.toFile.listFiles).foreach(_.foreach(_.delete()))
      Files.deleteIfExists(folder)
      isUnpacked = false
    }
  }

  private def load(): Unit =
    try loadFrom(place())
    catch {
      case e: Throwable =>
        removeFiles()
        folder = null
        throw e
    }

  private def place(): Path = Option(System.getProperty(pathProperty)).filter(_.nonEmpty) match {
    case Some(path) => Path.of(path)
    case None =>
      folder = newFolder(Path.of(System.getProperty("java.io.tmpdir")))
      Runtime.getRuntime.addShutdownHook(new Thread(() => removeFiles()))
      unpackTo(folder, "")
      folder
  }

  private[bridge] def newFolder(temporary: Path): Path =
    try Files.createTempDirectory(temporary, "reprise-", forOwner)
    catch {
      case e: IOException =>
        throw new UnsatisfiedLinkError(
          s"Reprise cannot unpack its native libraries below $temporary, the JVM's temporary folder: ${reason(e)}; $move")
    }

  private def reason(error: IOException): String = error match {
    case e: FileSystemException if e.getReason != null => e.getReason
    case _: AccessDeniedException => "permission denied"
    case _: NoSuchFileException => "there is no such folder"
    case other => other.getMessage
  }

  private def loadFrom(folder: Path): Unit = {
    // The libraries that it needs stand beside it, and its run path says so.
    val file = folder.resolve(library).toAbsolutePath
    try System.load(file.toString)
    catch {
      case e: UnsatisfiedLinkError => throw new UnsatisfiedLinkError(explain(file, e.getMessage))
    }
    isLoaded = true
  }

  /** The platform of this JVM. */
  def platform: NativePlatform = NativePlatform(System.getProperty("os.name"), System.getProperty("os.arch"))

  private[bridge] def explain(file: Path, message: String): String = {
    val remedy =
      if (message.contains("failed to map segment") || message.contains("Operation not permitted"))
        s"; is ${file.getParent} on a file system mounted noexec? Then $move"
      else if (!Files.exists(file)) s"; there is no $library in ${file.getParent}"
      else ""
    // The linker begins with the file's name, once or twice.
    s"Reprise cannot load its native library $file: ${message.replace(s"$file: ", "")}$remedy"
  }

  private def unpackTo(folder: Path, suffix: String): Unit = {
    isUnpacked = true // in part, if it fails
    unpack(folder, suffix, platform, resource)
  }

  /** @param open a file of the jar, or null where there is none */
  private[bridge] def unpack(
      folder: Path, suffix: String, of: NativePlatform, open: String => InputStream): Unit = {
    def file(platform: NativePlatform, name: String) = open(s"/native/${platform.name}/$name")
    val sums = file(of, "SHA256SUMS")
    if (sums == null) {
      val others = NativePlatform.all.filter(other => file(other, "SHA256SUMS") != null).map(_.name)
      val which = if (others.isEmpty) "no native libraries" else s"native libraries for ${others.mkString(", ")} alone"
      throw new UnsatisfiedLinkError(
        s"Reprise's jar has $which in it, and this is ${of.name}: take a jar that has them for it, or set " +
          s"-D$pathProperty to the folder of $library")
    }
    val expected = Using.resource(Source.fromInputStream(sums, "UTF-8"))(s => checksums(s.mkString))
    def all = expected.keysIterator.map(name => size(file(of, name))).sum
    expected.foreach { case (name, sum) => unpackFile(file(of, name), name, folder.resolve(name + suffix), sum, all) }
  }

  /** Lines of sha256sum: the sum, blanks, the file's name. */
  private[bridge] def checksums(text: String): Map[String, String] =
    text.linesIterator
      .map(_.trim)
      .filter(_.nonEmpty)
      .map { line =>
        line.split("\\s+\\*?", 2) match {
          case Array(sum, name) if sum.length == 64 && !name.contains("/") => name -> sum
          case _ => throw new UnsatisfiedLinkError(s"Reprise's SHA256SUMS has a malformed line: $line")
        }
      }
      .toMap

  private def size(in: InputStream): Long =
    if (in == null) 0 else Using.resource(in)(_.transferTo(OutputStream.nullOutputStream()))

  /** @param all how many bytes all of the libraries have */
  private def unpackFile(in: InputStream, name: String, file: Path, expected: String, all: => Long): Unit = {
    if (in == null) throw new UnsatisfiedLinkError(s"Reprise's jar is damaged: it has no $name")
    try Using.resource(in)(Files.copy(_, file, StandardCopyOption.REPLACE_EXISTING))
    catch {
      case e: IOException =>
        throw new UnsatisfiedLinkError(
          s"Reprise cannot unpack $name to ${file.getParent}: ${reason(e)}; the native libraries have " +
            s"${(all + (1 << 20) - 1) >> 20} MiB, which each process takes there: make room, or $move")
    }
    val actual = sha256(file)
    if (actual != expected) {
      throw new UnsatisfiedLinkError(
        s"Reprise's jar is damaged: $name has the SHA-256 $actual, expected $expected")
    }
  }

  private def sha256(file: Path): String = {
    val digest = MessageDigest.getInstance("SHA-256")
    Using.resource(Files.newInputStream(file)) { in =>
      val buffer = new Array[Byte](1 << 16)
      Iterator.continually(in.read(buffer)).takeWhile(_ >= 0).foreach(digest.update(buffer, 0, _))
    }
    digest.digest().map(b => f"$b%02x").mkString
  }

  private def resource(path: String): InputStream = getClass.getResourceAsStream(path)
}
