package reprise.replay

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, IOException, InputStream, ObjectInputStream, ObjectOutputStream, ObjectStreamClass}

/** Functions and what else has no form but Java's own. */
private[replay] object JavaObjects {

  /** More than that is data that a function carries. */
  private val bytesMax = 16 << 20

  def write(value: AnyRef): Array[Byte] = {
    val bytes = new ByteArrayOutputStream()
    try {
      val out = new ObjectOutputStream(bytes)
      out.writeObject(value)
      out.close()
    } catch {
      case e: IOException => throw new NotPortable(s"${value.getClass.getName} cannot be serialized: $e", e)
    }
    if (bytes.size > bytesMax) {
      throw new NotPortable(s"${value.getClass.getName} takes ${bytes.size} bytes, more than $bytesMax")
    }
    bytes.toByteArray
  }

  /** @param named the class of the object, for the error */
  def read(bytes: Array[Byte], named: String): AnyRef =
    try new LoadingStream(new ByteArrayInputStream(bytes)).readObject()
    catch {
      case e: ClassNotFoundException =>
        throw new NotPortable(s"$named needs the class ${e.getMessage}, which is in no jar here", e)
      case e @ (_: IOException | _: LinkageError) =>
        throw new NotPortable(s"$named cannot be read by this version of Spark: $e", e)
    }

  /** Finds classes where Spark finds those of the user's jars. */
  def load(name: String): Class[_] =
    try Class.forName(name, true, loader)
    catch { case e: ClassNotFoundException => throw new NotPortable(s"the class $name is not known here", e) }

  def isKnown(name: String): Boolean =
    try Class.forName(name, false, loader) != null
    catch { case _: ClassNotFoundException => false }

  private def loader: ClassLoader =
    Option(Thread.currentThread.getContextClassLoader).getOrElse(getClass.getClassLoader)

  private final class LoadingStream(from: InputStream) extends ObjectInputStream(from) {
    override def resolveClass(description: ObjectStreamClass): Class[_] =
      try Class.forName(description.getName, false, loader)
      // Names of primitive types are known to the parent alone.
      catch { case _: ClassNotFoundException => super.resolveClass(description) }
  }
}
