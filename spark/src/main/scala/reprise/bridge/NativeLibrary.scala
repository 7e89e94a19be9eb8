package reprise.bridge

import java.io.{InputStream, IOException}
import java.nio.file.{Files, Path, StandardCopyOption}
import java.nio.file.attribute.PosixFilePermissions
import java.security.MessageDigest

import scala.io.Source
import scala.util.Using

/**
 * Loads the core into this JVM. The libraries come out of the jar, each checked against its SHA-256, into a private
 * folder that goes away with the JVM; or from the folder that the system property `reprise.library.path` names.
 */
object NativeLibrary {
  val pathProperty = "reprise.library.path"

  private val library = "libreprise.so"
  private lazy val loaded: Unit = load()

  /** Loads the core once. An [[UnsatisfiedLinkError]] says in one line what is wrong. */
  def ensureLoaded(): Unit = loaded

  private def load(): Unit = {
    val folder = Option(System.getProperty(pathProperty)).filter(_.nonEmpty) match {
      case Some(path) => Path.of(path)
      case None => unpack(platform(System.getProperty("os.name"), System.getProperty("os.arch")))
    }
    // The libraries that it needs stand beside it, and its run path says so.
    val file = folder.resolve(library).toAbsolutePath
    try System.load(file.toString)
    catch {
      case e: UnsatisfiedLinkError => throw new UnsatisfiedLinkError(explain(file, e.getMessage))
    }
  }

  /** "linux-x86_64", or an error where there is no native library for the platform. */
  private[bridge] def platform(os: String, architecture: String): String = (os, architecture) match {
    case ("Linux", "amd64" | "x86_64") => "linux-x86_64"
    case _ =>
      throw new UnsatisfiedLinkError(
        s"Reprise runs on Linux on x86_64 only, not on $os on $architecture: take it out of spark.plugins")
  }

  private[bridge] def explain(file: Path, message: String): String = {
    val remedy =
      if (message.contains("failed to map segment") || message.contains("Operation not permitted"))
        s"; is ${file.getParent} on a file system mounted noexec? Set -Djava.io.tmpdir to another folder"
      else if (!Files.exists(file)) s"; there is no $library in ${file.getParent}"
      else ""
    s"Reprise cannot load its native library $file: $message$remedy"
  }

  private def unpack(platform: String): Path = unpack(name => resource(s"/native/$platform/$name"))

  /** @param open the named library file, or null where there is none */
  private[bridge] def unpack(open: String => InputStream): Path = {
    val sums = open("SHA256SUMS")
    if (sums == null) {
      throw new UnsatisfiedLinkError(
        s"Reprise's jar has no native libraries in it; set -D$pathProperty to the folder of $library")
    }
    val expected = Using.resource(Source.fromInputStream(sums, "UTF-8"))(s => checksums(s.mkString))
    val owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
    val folder = Files.createTempDirectory("reprise-", owner)
    deleteAtExit(folder)
    expected.foreach { case (name, sum) => unpackFile(open(name), folder.resolve(name), sum) }
    folder
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

  private def unpackFile(in: InputStream, file: Path, expected: String): Unit = {
    val name = file.getFileName
    if (in == null) throw new UnsatisfiedLinkError(s"Reprise's jar is damaged: it has no $name")
    try Using.resource(in)(Files.copy(_, file, StandardCopyOption.REPLACE_EXISTING))
    catch {
      case e: IOException =>
        throw new UnsatisfiedLinkError(s"Reprise cannot unpack $name to ${file.getParent}: ${e.getMessage}")
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

  private def deleteAtExit(folder: Path): Unit =
    Runtime.getRuntime.addShutdownHook(new Thread(() => {
      Option(folder.toFile.listFiles).foreach(_.foreach(_.delete()))
      Files.deleteIfExists(folder)
    }))
}
