package reprise.exec

import java.lang.ref.Cleaner
import java.util.concurrent.atomic.AtomicLong

import reprise.bridge.Native

/**
 * What a native broadcast carries.
 *
 * @param blocks encoded by the core
 * @param bytes  of the rows before they were encoded
 */
private[exec] final case class NativeRelation(blocks: Array[Array[Byte]], rows: Long, bytes: Long) {

  /** The number of this object in this process: what the core builds of it once, tasks find by it. */
  @transient lazy val id: Long = {
    val next = NativeRelation.lastId.incrementAndGet()
    NativeRelation.cleaner.register(this, new NativeRelation.Release(next))
    next
  }
}

private object NativeRelation {
  private val lastId = new AtomicLong
  private lazy val cleaner = Cleaner.create()

  /** Must not refer to the relation. */
  private final class Release(id: Long) extends Runnable {
    override def run(): Unit = Native.releaseBroadcast(id)
  }
}
