package reprise.memory

import java.io.{File, IOException}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, StandardCopyOption}
import java.util.EnumSet

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CreateFlag, FileContext, Options, Path, RawLocalFileSystem}
import org.apache.hadoop.fs.permission.FsPermission

import reprise.access.MemoryInternals
import reprise.bridge.Native
import reprise.event.EventFiles

/** Who holds an executor's memory, as JSON that `reprise show` reads: core/report/memory_report.h. */
private[memory] object MemoryReport {
  private val mapper = new ObjectMapper()

  def of(tasks: Iterable[MemoryInternals.OfTask], process: ProcessMemory): ObjectNode = {
    val report = mapper.createObjectNode()
    report.put("format", "reprise-memory").put("version", 1).put("time", System.currentTimeMillis())
    val of = report.putObject("process")
    of.put("pid", ProcessHandle.current().pid()).put("resident", process.resident)
    process.limit.foreach(of.put("limit", _))
    report
      .putObject("jvm")
      .put("heapUsed", process.heapUsed)
      .put("heapMax", process.heapMax)
      .put("nonHeap", process.nonHeap)
      .put("direct", process.direct)
      .put("mapped", process.mapped)
    val spark = report.putObject("spark")
    Seq("OnHeap" -> MemoryInternals.onHeap(), "OffHeap" -> MemoryInternals.offHeap()).foreach { case (where, region) =>
      spark.put(s"execution$where", region.execution).put(s"storage$where", region.storage).put(s"max$where", region.most)
    }
    val running = report.putArray("tasks")
    tasks.foreach { task =>
      val one = running.addObject().put("stage", task.stage).put("partition", task.partition)
      one.put("attempt", task.attempt).put("held", task.held())
      val consumers = one.putArray("consumers")
      task.consumers().asScala.foreach(c => consumers.addObject().put("name", c.name).put("bytes", c.bytes))
    }
    report.set[ObjectNode]("native", mapper.readTree(Native.liveFragments()))
    report
  }
}

/** A file that always holds a whole report, the last one. */
private[memory] sealed trait ReportFile {
  def write(report: ObjectNode): Unit
  def delete(): Unit
}

/** Without the files of checksums that Hadoop would put beside it. */
private final class LocalReportFile(file: File) extends ReportFile {
  private val aside = new File(file.getParentFile, s".${file.getName}.next")

  override def write(report: ObjectNode): Unit = {
    Files.write(aside.toPath, report.toString.getBytes(UTF_8))
    Files.move(aside.toPath, file.toPath, StandardCopyOption.ATOMIC_MOVE)
  }

  override def delete(): Unit = Seq(file, aside).foreach(_.delete())
}

private final class RemoteReportFile(path: Path, conf: Configuration) extends ReportFile {
  private val files = FileContext.getFileContext(path.toUri, conf)
  private val aside = new Path(path.getParent, s".${path.getName}.next")

  override def write(report: ObjectNode): Unit = {
    val out = files.create(aside, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))
    try out.write(report.toString.getBytes(UTF_8))
    finally out.close()
    files.rename(aside, path, Options.Rename.OVERWRITE)
  }

  override def delete(): Unit = Seq(path, aside).foreach { file =>
    try files.delete(file, false)
    catch { case _: IOException => () }
  }
}

private[memory] object ReportFile {
  def apply(path: Path, conf: Configuration): ReportFile = EventFiles.fileSystem(path, conf) match {
    case local: RawLocalFileSystem => new LocalReportFile(local.pathToFile(path))
    case _ => new RemoteReportFile(path, conf)
  }

  private val ownerOnly = new FsPermission("700")

  /** Makes the folder of reports; an IllegalArgumentException where that can't be. */
  def makeFolder(folder: String, conf: Configuration): Unit =
    try {
      val path = new Path(folder)
      val files = path.getFileSystem(conf)
      if (!files.exists(path)) files.mkdirs(path, ownerOnly)
    } catch {
      case e @ (_: IOException | _: IllegalArgumentException) =>
        throw new IllegalArgumentException(s"spark.reprise.memory.reportPath: $folder cannot be made: ${e.getMessage}", e)
    }
}
