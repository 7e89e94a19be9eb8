package reprise.scan

import java.io.IOException
import java.net.URI
import java.util.concurrent.{ConcurrentLinkedQueue, Semaphore}
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, FSDataInputStream, Path, RawLocalFileSystem}

/** The local file system by another name, whose reads are counted, and can fail, be slow, or never end. */
class FaultyFileSystem extends RawLocalFileSystem {
  override def getUri: URI = URI.create("faulty:///")
  override def getScheme: String = "faulty"

  override def initialize(uri: URI, conf: Configuration): Unit = {
    if (conf.get("faulty.key") != "open") throw new IOException("faulty.key is not what opens this file system")
    super.initialize(uri, conf)
  }

  override def getFileStatus(file: Path): FileStatus = {
    FaultyFileSystem.called()
    super.getFileStatus(file)
  }

  override def open(file: Path, bufferSize: Int): FSDataInputStream = {
    FaultyFileSystem.called()
    val in = super.open(file, bufferSize)
    FaultyFileSystem.open.incrementAndGet()
    new FSDataInputStream(FaultyStreams.of(file, in))
  }
}

object FaultyFileSystem {
  final case class Read(file: Path, position: Long, length: Int)

  /** Streams that are open now; some of an earlier test's may still have to be closed. */
  val open = new AtomicInteger
  val vectoredReads = new AtomicInteger
  val bytes = new AtomicLong
  val reads = new ConcurrentLinkedQueue[Read]
  val interrupted = new AtomicInteger
  val mostAtOnce = new AtomicInteger
  private val now = new AtomicInteger

  /** Whether streams read several ranges by themselves. */
  @volatile var isVectored = false

  /** Which of the core's calls fails, counted from 1; 0: none. */
  @volatile var failingCall = 0
  private val calls = new AtomicInteger

  /** A call of the file system begins. @return whether it is the core's */
  private[scan] def called(): Boolean = {
    val isOurs = Thread.currentThread.getName.startsWith("reprise-read")
    if (isOurs && calls.incrementAndGet() == failingCall) fail(s"call $failingCall fails")
    isOurs
  }

  /** Calls of the core. */
  def callCount: Int = calls.get

  /** What happens before a read. */
  @volatile var before: Read => Unit = (_: Read) => ()

  def reset(): Unit = {
    Seq(vectoredReads, interrupted, mostAtOnce, calls).foreach(_.set(0))
    failingCall = 0
    bytes.set(0)
    reads.clear()
    isVectored = false
    before = _ => ()
  }

  def fail(why: String): Unit = throw new IOException(why)

  /** Waits for ever, or until it is interrupted. */
  def hang(): Unit =
    try new Semaphore(0).acquire()
    catch {
      case e: InterruptedException =>
        interrupted.incrementAndGet()
        throw new java.io.InterruptedIOException().initCause(e)
    }

  private[scan] def during(file: Path, position: Long, length: Int)(read: => Int): Int = {
    val one = Read(file, position, length)
    reads.add(one)
    mostAtOnce.accumulateAndGet(now.incrementAndGet(), Math.max)
    try {
      called()
      before(one)
      val count = read
      bytes.addAndGet(math.max(0, count))
      count
    } finally now.decrementAndGet()
  }
}
