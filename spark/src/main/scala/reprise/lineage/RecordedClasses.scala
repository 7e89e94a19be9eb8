package reprise.lineage

import java.io.{File, InputStream}
import java.net.URLClassLoader
import java.nio.file.{Files, Path}

import scala.collection.mutable
import scala.util.Using

import org.apache.spark.SparkContext

/**
 * Classes that no jar has: what a shell compiles as it goes. All that the shell has written so far are recorded, since
 * a closure's class names others that are in no stream; of other loaders, the classes that the streams name.
 */
private[lineage] final class RecordedClasses(context: SparkContext, writer: RecordingWriter) {
  private val shell = context.getConf.getOption("spark.repl.class.outputDir").map(new File(_).toPath)
  private val known = mutable.HashSet.empty[String]
  private val waiting = mutable.LinkedHashMap.empty[String, ClassLoader]

  def seen(named: Class[_]): Unit = {
    val loader = named.getClassLoader
    if (loader != null && !isFromFiles(loader)) {
      val file = named.getName.replace('.', '/') + ".class"
      if (!known.contains(file)) waiting.getOrElseUpdate(file, loader)
    }
  }

  /** Loaders over jars and folders, which another application can be given as well. */
  private def isFromFiles(loader: ClassLoader): Boolean =
    loader.isInstanceOf[URLClassLoader] || loader.getClass.getName.startsWith("jdk.internal.")

  /** Writes those that are new. */
  def record(): Unit = {
    shell.filter(Files.isDirectory(_)).foreach { folder =>
      Using.resource(Files.walk(folder)) { files =>
        files.filter(_.toString.endsWith(".class")).forEach { file =>
          record(folder.relativize(file).toString, Files.newInputStream(file))
        }
      }
    }
    waiting.foreach { case (file, loader) => Option(loader.getResourceAsStream(file)).foreach(record(file, _)) }
    waiting.clear()
  }

  private def record(file: String, content: => InputStream): Unit = if (known.add(file)) {
    val blob = Using.resource(content)(in => writer.blob(in.transferTo(_)))
    val line = RecordingFormat.node()
    blob.write(line.putObject("class").put("file", file), "object")
    writer.line(line)
  }
}

private[lineage] object RecordedClasses {

  /** Writes classes below `folder`. */
  def unpack(folder: Path, classes: Iterable[(String, Array[Byte])]): Unit = classes.foreach { case (name, bytes) =>
    val file = folder.resolve(name).normalize()
    if (!file.startsWith(folder)) throw new IllegalArgumentException(s"a recorded class has the name $name")
    Files.createDirectories(file.getParent)
    Files.write(file, bytes)
  }
}
