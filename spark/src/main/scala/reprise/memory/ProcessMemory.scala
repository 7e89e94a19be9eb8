package reprise.memory

import java.lang.management.{BufferPoolMXBean, ManagementFactory}
import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Try

/**
 * What the operating system and the JVM say of this process, in bytes.
 *
 * @param resident what lies in memory
 * @param limit    of the container that it is in, if there is one; beyond it the process is killed
 */
private[memory] final case class ProcessMemory(
    resident: Long,
    limit: Option[Long],
    heapUsed: Long,
    heapMax: Long,
    nonHeap: Long,
    direct: Long,
    mapped: Long)

private[memory] object ProcessMemory {
  private val status = Paths.get("/proc/self/status")
  private val limits = Seq("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes").map(Paths.get(_))

  /** A limit as large as that is none. */
  private val limitMax = 1L << 60

  /** It does not change while a process runs. */
  private lazy val limit: Option[Long] =
    limits.flatMap(text(_)).flatMap(t => Try(t.trim.toLong).toOption).find(_ < limitMax)

  def now(): ProcessMemory = {
    val memory = ManagementFactory.getMemoryMXBean
    val heap = memory.getHeapMemoryUsage
    val buffers = ManagementFactory.getPlatformMXBeans(classOf[BufferPoolMXBean]).asScala
    def bufferBytes(name: String) = buffers.find(_.getName == name).map(_.getMemoryUsed).getOrElse(0L)
    ProcessMemory(
      resident(),
      limit,
      heap.getUsed,
      heap.getMax,
      memory.getNonHeapMemoryUsage.getUsed,
      bufferBytes("direct"),
      bufferBytes("mapped"))
  }

  /** 0 where the system does not say. */
  def resident(): Long = text(status).fold(0L) { all =>
    all.linesIterator.find(_.startsWith("VmRSS:")).map(_.replaceAll("[^0-9]", "").toLong * 1024).getOrElse(0L)
  }

  private def text(file: Path): Option[String] = Try(new String(Files.readAllBytes(file))).toOption
}
