package reprise.exec

import java.lang.ref.Cleaner
import java.util.WeakHashMap

import reprise.bridge.Native

/** Numbers for what this process has of broadcasts: what the core builds of one once, tasks find by its number. */
private[exec] object BroadcastIds {
  private val numbers = new WeakHashMap[AnyRef, java.lang.Long]
  private var last = 0L
  private lazy val cleaner = Cleaner.create()

  /** The number of an object whose class does not define what is equal. It is released with the object. */
  def of(relation: AnyRef): Long = synchronized {
    numbers.computeIfAbsent(
      relation,
      _ => {
        last += 1
        cleaner.register(relation, new Release(last))
        last
      })
  }

  /** Must not refer to the relation. */
  private final class Release(id: Long) extends Runnable {
    override def run(): Unit = Native.releaseBroadcast(id)
  }
}
