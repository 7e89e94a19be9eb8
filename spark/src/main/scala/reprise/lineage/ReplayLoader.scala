package reprise.lineage

import java.net.{URL, URLClassLoader}
import java.nio.file.Files
import java.util.jar.{JarEntry, JarOutputStream}

import scala.util.Using

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.access.LineageAccess

/** Where the classes of recorded objects come from. */
private[reprise] object ReplayLoader {

  /**
   * In the application that was recorded, from it; in another one, shell classes come from the recording. Where that is
   * a shell too they get other names.
   */
  def of(context: SparkContext, reader: RecordingReader): RecordedLoader = {
    val own = Option(Thread.currentThread.getContextClassLoader).getOrElse(getClass.getClassLoader)
    if (reader.applicationId == context.applicationId || reader.classes.isEmpty) new RecordedLoader(own)
    else {
      val isShell = context.getConf.contains("spark.repl.class.outputDir")
      val names = if (isShell) Some(new ShellNames(reader.applicationId)) else None
      val jar = jarOf(reader, names)
      context.addJar(jar.getPath)
      val accepted = Iterator.iterate(own)(_.getParent).takeWhile(_ != null).exists(LineageAccess.addJar(_, jar))
      new RecordedLoader(if (accepted) own else new URLClassLoader(Array(jar), own), names)
    }
  }

  private def jarOf(reader: RecordingReader, names: Option[ShellNames]): URL = {
    val file = Files.createTempFile("reprise-recorded-", ".jar")
    file.toFile.deleteOnExit()
    Using.resource(new JarOutputStream(Files.newOutputStream(file))) { jar =>
      reader.classes.foreach { case (name, blob) =>
        val bytes = reader.bytes(blob, s"the class $name")
        jar.putNextEntry(new JarEntry(names.fold(name)(_(name))))
        jar.write(names.fold(bytes)(_.classFile(bytes)))
        jar.closeEntry()
      }
    }
    file.toUri.toURL
  }
}
