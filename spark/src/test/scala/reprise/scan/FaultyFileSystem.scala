package reprise.scan

import java.io.IOException
import java.net.URI
import java.util.concurrent.{ConcurrentLinkedQueue, Semaphore}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger, AtomicLong}
import java.util.function.IntFunction

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileRange, FileStatus, FSDataInputStream, FSInputStream, Path, RawLocalFileSystem, StreamCapabilities}

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
    new FSDataInputStream(new FaultyStream(file, in))
  }
}

private final class FaultyStream(file: Path, in: FSDataInputStream) extends FSInputStream with StreamCapabilities {
  import FaultyFileSystem.during

  override def seek(position: Long): Unit = in.seek(position)
  override def getPos: Long = in.getPos
  override def seekToNewSource(position: Long): Boolean = in.seekToNewSource(position)
  override def read(): Int = in.read()
  override def read(bytes: Array[Byte], from: Int, length: Int): Int =
    during(file, in.getPos, length)(in.read(bytes, from, length))
  override def read(position: Long, bytes: Array[Byte], from: Int, length: Int): Int =
    during(file, position, length)(in.read(position, bytes, from, length))
  override def hasCapability(capability: String): Boolean =
    capability == StreamCapabilities.VECTOREDIO && FaultyFileSystem.isVectored

  override def readVectored(ranges: java.util.List[_ <: FileRange], allocate: IntFunction[java.nio.ByteBuffer]): Unit = {
    // Spark's reader asks every stream for it.
    if (FaultyFileSystem.called()) FaultyFileSystem.vectoredReads.incrementAndGet()
    if (FaultyFileSystem.isVectored) in.readVectored(ranges, allocate) else super.readVectored(ranges, allocate)
  }

  private val isClosed = new AtomicBoolean

  override def close(): Unit = {
    if (!isClosed.getAndSet(true)) FaultyFileSystem.open.decrementAndGet()
    in.close()
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
  @volatile var before: Read => Unit = _ => ()

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
