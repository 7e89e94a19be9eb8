package reprise.lineage

import java.io.{InputStream, ObjectInputStream, ObjectStreamClass}

import org.apache.spark.sql.execution.access.LineageAccess

import reprise.access.SerializedLambda

/** Reads what [[RddOutputStream]] has written; `resolve` gives what references stand for. */
private[lineage] final class RddInputStream(in: InputStream, classes: RecordedLoader, resolve: AnyRef => AnyRef)
  extends ObjectInputStream(in) {
  enableResolveObject(true)

  /** A class under another name is described anew, since the description's version number is made of the name. */
  override protected def readClassDescriptor(): ObjectStreamClass = {
    val description = super.readClassDescriptor()
    classes.names match {
      case _ if description.getName == LineageAccess.pythonsClass =>
        ObjectStreamClass.lookup(classOf[RecordedPythonBroadcast])
      case Some(_) if description.getName == classOf[java.lang.invoke.SerializedLambda].getName =>
        ObjectStreamClass.lookup(classOf[SerializedLambda])
      case Some(names) if names(description.getName) != description.getName =>
        ObjectStreamClass.lookupAny(classes.find(description.getName))
      case _ => description
    }
  }

  override protected def resolveClass(description: ObjectStreamClass): Class[_] = classes.find(description.getName)

  override protected def resolveProxyClass(interfaces: Array[String]): Class[_] =
    java.lang.reflect.Proxy
      .getProxyClass(classes.loader, interfaces.map(classes.find): _*): @annotation.nowarn("cat=deprecation")

  override protected def resolveObject(value: AnyRef): AnyRef = resolve(value)
}
