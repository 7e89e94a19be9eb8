package reprise.lineage

import java.io.{InputStream, ObjectInputStream, ObjectStreamClass}

/** Reads what [[RddOutputStream]] has written; `resolve` gives what references stand for. */
private[lineage] final class RddInputStream(in: InputStream, loader: ClassLoader, resolve: AnyRef => AnyRef)
  extends ObjectInputStream(in) {
  enableResolveObject(true)

  override protected def resolveClass(description: ObjectStreamClass): Class[_] =
    LoadedClasses.primitives.getOrElse(description.getName, Class.forName(description.getName, false, loader))

  override protected def resolveProxyClass(interfaces: Array[String]): Class[_] =
    java.lang.reflect.Proxy
      .getProxyClass(loader, interfaces.map(Class.forName(_, false, loader)): _*): @annotation.nowarn("cat=deprecation")

  override protected def resolveObject(value: AnyRef): AnyRef = resolve(value)
}
