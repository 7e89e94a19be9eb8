package reprise.lineage

import scala.util.matching.Regex

import org.apache.xbean.asm9.{ClassReader, ClassWriter}
import org.apache.xbean.asm9.commons.ClassRemapper

import reprise.access.ClassNames

/**
 * Other names for the classes of a recorded shell. Every shell calls those of its third line `$line3.…`, and executors
 * find classes by name: only under another name can a shell have another one's classes beside its own. Packages get a
 * suffix and classes keep their own names, as Java's serialization demands.
 */
private[lineage] final class ShellNames(application: String) {
  private val suffix = "$of$" + application.replaceAll("[^A-Za-z0-9]", "_")

  /** Of a class, as `$line3.$read` or `$line3/$read`, of an array, or all within a signature or a source. */
  def apply(name: String): String =
    ShellNames.packages.replaceAllIn(name, found => Regex.quoteReplacement(found.matched + suffix))

  /** A class file under the other names. */
  def classFile(bytes: Array[Byte]): Array[Byte] = {
    val out = new ClassWriter(0)
    val renamed = new ClassNames {
      override def map(internalName: String): String = ShellNames.this.apply(internalName)
    }
    new ClassReader(bytes).accept(new ClassRemapper(out, renamed), 0)
    out.toByteArray
  }
}

private[lineage] object ShellNames {
  private val packages = """\$line\d+(?=[./])""".r
}

/** Where the classes of recorded objects are found. @param names their other names, where they have some */
private[reprise] final class RecordedLoader(val loader: ClassLoader, val names: Option[ShellNames] = None) {
  def find(name: String): Class[_] =
    LoadedClasses.primitives.getOrElse(name, Class.forName(names.fold(name)(_(name)), false, loader))
}
