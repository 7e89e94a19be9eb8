package reprise.lineage

import java.net.{URL, URLClassLoader}
import java.nio.file.Files
import java.util.jar.{JarEntry, JarOutputStream}

import scala.util.Using

import org.apache.spark.{LineageAccess, SparkContext}

/** Where the classes of recorded objects come from. */
private[reprise] object ReplayLoader {

  /** In the application that was recorded, from it; in another one, shell classes come from the recording. */
  def of(context: SparkContext, reader: RecordingReader): ClassLoader = {
    val own = Option(Thread.currentThread.getContextClassLoader).getOrElse(getClass.getClassLoader)
    if (reader.applicationId == context.applicationId || reader.classes.isEmpty) own
    else if (context.getConf.contains("spark.repl.class.outputDir")) {
      throw new IllegalArgumentException(
        s"${reader.path} was recorded in a shell, whose classes have the same names as this shell's own: " +
          "replay it in an application, in PySpark, or with `reprise debug-task`")
    } else {
      val jar = jarOf(reader)
      context.addJar(jar.getPath)
      val accepted = Iterator.iterate(own)(_.getParent).takeWhile(_ != null).exists(LineageAccess.addJar(_, jar))
      if (accepted) own else new URLClassLoader(Array(jar), own)
    }
  }

  private def jarOf(reader: RecordingReader): URL = {
    val file = Files.createTempFile("reprise-recorded-", ".jar")
    file.toFile.deleteOnExit()
    Using.resource(new JarOutputStream(Files.newOutputStream(file))) { jar =>
      reader.classes.foreach { case (name, blob) =>
        jar.putNextEntry(new JarEntry(name))
        jar.write(reader.bytes(blob, s"the class $name"))
        jar.closeEntry()
      }
    }
    file.toUri.toURL
  }
}
