package reprise.bridge

import java.io.ByteArrayInputStream
import java.nio.file.{Files, Path}
import java.security.MessageDigest

import org.scalatest.funsuite.AnyFunSuite

class NativeLibrarySuite extends AnyFunSuite {

  private def sum(bytes: Array[Byte]): String =
    MessageDigest.getInstance("SHA-256").digest(bytes).map(b => f"$b%02x").mkString

  private def unpack(files: Map[String, Array[Byte]], suffix: String = ""): Path = {
    val folder = Files.createTempDirectory("reprise-test")
    NativeLibrary.unpack(folder, suffix, name => files.get(name).map(new ByteArrayInputStream(_)).orNull)
    folder
  }

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
    assert(message(unpack(Map.empty)).startsWith("Reprise's jar has no native libraries in it; set -Dreprise.library"))
    assert(
      message(unpack(Map("SHA256SUMS" -> s"${sum(content)}  libx.so".getBytes))) ==
        "Reprise's jar is damaged: it has no libx.so")
  }

  test("a checksum's file name stays in the folder") {
    assert(
      message(unpack(Map("SHA256SUMS" -> s"${sum(content)}  ../libx.so".getBytes)))
        .startsWith("Reprise's SHA256SUMS has a malformed line: "))
  }

  test("other platforms") {
    assert(NativeLibrary.platform("Linux", "amd64") == "linux-x86_64")
    assert(
      message(NativeLibrary.platform("Mac OS X", "aarch64")) ==
        "Reprise runs on Linux on x86_64 only, not on Mac OS X on aarch64: take it out of spark.plugins")
  }

  test("a folder that must not hold programs") {
    val file = Files.createTempDirectory("reprise-test").resolve("libreprise.so")
    Files.createFile(file)
    assert(
      NativeLibrary.explain(file, s"$file: failed to map segment from shared object") ==
        s"Reprise cannot load its native library $file: $file: failed to map segment from shared object; is " +
        s"${file.getParent} on a file system mounted noexec? Set -Djava.io.tmpdir to another folder")
  }
}
