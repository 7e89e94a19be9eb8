package reprise.bridge

import java.io.{ByteArrayInputStream, InputStream, IOException}
import java.nio.file.{Files, Path}
import java.security.MessageDigest

import org.scalatest.funsuite.AnyFunSuite

class NativeLibrarySuite extends AnyFunSuite {

  private val platform = NativePlatform("Linux", "amd64")
  private val other = NativePlatform("Linux", "aarch64")

  private def sum(bytes: Array[Byte]): String =
    MessageDigest.getInstance("SHA-256").digest(bytes).map(b => f"$b%02x").mkString

  private def unpack(files: Map[String, Array[Byte]], suffix: String = ""): Path = {
    val folder = Files.createTempDirectory("reprise-test")
    val inJar = files.map { case (name, bytes) => s"/native/${platform.name}/$name" -> bytes }
    unpackTo(folder, suffix, platform, inJar)
    folder
  }

  private def unpackTo(
      folder: Path, suffix: String, platform: NativePlatform, jar: Map[String, Array[Byte]]): Unit =
    NativeLibrary.unpack(folder, suffix, platform, jar.get(_).map(new ByteArrayInputStream(_)).orNull)

  private def message(body: => Any): String = intercept[UnsatisfiedLinkError](body).getMessage

  private val content = "not really a library".getBytes

  test("unpacks under the names that it is to use") {
    val files = Map("SHA256SUMS" -> s"${sum(content)}  libx.so.1\n".getBytes, "libx.so.1" -> content)
    for (suffix <- Seq("", " (deleted)")) {
      val file = unpack(files, suffix).resolve("libx.so.1" + suffix)
      assert(Files.readAllBytes(file).sameElements(content))
    }
  }

  test("a library that differs from its checksum is refused") {
    val expected = sum("something else".getBytes)
    val text = message(unpack(Map("SHA256SUMS" -> s"$expected *libx.so".getBytes, "libx.so" -> content)))
    assert(text == s"Reprise's jar is damaged: libx.so has the SHA-256 ${sum(content)}, expected $expected")
  }

  test("a jar without libraries, or without one of them") {
    assert(
      message(unpack(Map.empty)).startsWith(
        "Reprise's jar has no native libraries in it, and this is linux-x86_64: take a jar that has them for it, or " +
          "set -Dreprise.library"))
    assert(
      message(unpack(Map("SHA256SUMS" -> s"${sum(content)}  libx.so".getBytes))) ==
        "Reprise's jar is damaged: it has no libx.so")
  }

  test("of a jar for two platforms those of one's own") {
    val (here, there) = ("here".getBytes, "there".getBytes)
    val jar = Seq(platform -> here, other -> there).flatMap { case (of, bytes) =>
      Seq("SHA256SUMS" -> s"${sum(bytes)}  libx.so".getBytes, "libx.so" -> bytes).map {
        case (name, file) => s"/native/${of.name}/$name" -> file
      }
    }.toMap
    for ((of, bytes) <- Seq(platform -> here, other -> there)) {
      val folder = Files.createTempDirectory("reprise-test")
      unpackTo(folder, "", of, jar)
      assert(Files.readAllBytes(folder.resolve("libx.so")).sameElements(bytes))
    }
  }

  test("a jar for another platform alone says for which") {
    val jar = Map(s"/native/${platform.name}/SHA256SUMS" -> Array.emptyByteArray)
    assert(
      message(unpackTo(Files.createTempDirectory("reprise-test"), "", other, jar)).startsWith(
        "Reprise's jar has native libraries for linux-x86_64 alone in it, and this is linux-aarch64: take a jar"))
  }

  test("a checksum's file name stays in the folder") {
    assert(
      message(unpack(Map("SHA256SUMS" -> s"${sum(content)}  ../libx.so".getBytes)))
        .startsWith("Reprise's SHA256SUMS has a malformed line: "))
  }

  test("platforms, by Java's names for them") {
    assert(platform.name == "linux-x86_64")
    assert(other.name == "linux-aarch64")
    for (of <- NativePlatform.all) {
      assert(getClass.getResource(s"/${of.profiler}/libasyncProfiler.so") != null, of)
    }
    assert(
      message(NativePlatform("Mac OS X", "aarch64")) ==
        "Reprise runs on Linux on x86_64 and aarch64 only, not on Mac OS X on aarch64: take it out of spark.plugins")
  }

  private val move = "set -Djava.io.tmpdir to another folder, of the driver in spark.driver.extraJavaOptions (on the " +
    "command line or in spark-defaults.conf) and of executors in spark.executor.extraJavaOptions"

  test("a folder that must not hold programs") {
    val file = Files.createTempDirectory("reprise-test").resolve("libreprise.so")
    Files.createFile(file)
    assert(
      NativeLibrary.explain(file, s"$file: $file: failed to map segment from shared object") ==
        s"Reprise cannot load its native library $file: failed to map segment from shared object; is " +
        s"${file.getParent} on a file system mounted noexec? Then $move")
  }

  test("no folder to unpack to") {
    val nowhere = Files.createTempDirectory("reprise-test").resolve("nowhere")
    assert(
      message(NativeLibrary.newFolder(nowhere)) ==
        s"Reprise cannot unpack its native libraries below $nowhere, the JVM's temporary folder: there is no such " +
        s"folder; $move")
  }

  test("a library that finds no room says how much all of them take") {
    val large = new Array[Byte](3 << 20)
    val full = new InputStream {
      override def read(): Int = throw new IOException("No space left on device")
    }
    val streams = Iterator(new ByteArrayInputStream(s"${sum(large)}  libx.so".getBytes), full, new ByteArrayInputStream(large))
    val folder = Files.createTempDirectory("reprise-test")
    assert(
      message(NativeLibrary.unpack(folder, "", platform, _ => streams.next())) ==
        s"Reprise cannot unpack libx.so to $folder: No space left on device; the native libraries have 3 MiB, which " +
        s"each process takes there: make room, or $move")
  }
}
