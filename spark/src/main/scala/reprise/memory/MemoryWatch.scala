package reprise.memory

import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.{ExceptionFailure, SparkEnv, TaskContext, TaskFailedReason}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging
import org.apache.spark.memory.SparkOutOfMemoryError

import reprise.access.{ExitHooks, LocalFolder, MemoryInternals}

/**
 * Keeps a report of who holds this executor's memory while tasks run (`spark.reprise.memory.reportPath`). Who is killed
 * can write nothing any more, so it is written all the time: each second, and sooner where memory grows.
 */
private[reprise] final class MemoryWatch(file: ReportFile, whose: ObjectNode => Unit) extends Logging {
  import MemoryWatch._

  /** By the threads that run them: a task's context is gone when Spark says that it has ended. */
  private val tasks = new ConcurrentHashMap[Thread, MemoryInternals.OfTask]
  @volatile private var isStopped = false
  private var hasDied = false
  private var last: ObjectNode = _
  private var lastProcess: ProcessMemory = _
  private var lastMs = 0L

  private val thread = new Thread(() => run(), "reprise-memory")
  thread.setDaemon(true)
  thread.start()

  /** Spark's handler ends the executor where any of its threads finds the heap full. */
  private val handler = Thread.getDefaultUncaughtExceptionHandler
  if (handler != null) Thread.setDefaultUncaughtExceptionHandler { (thread, error) =>
    if (error.isInstanceOf[OutOfMemoryError]) died(error.toString)
    handler.uncaughtException(thread, error)
  }

  def taskStarted(): Unit = tasks.put(Thread.currentThread(), MemoryInternals.ofTask(TaskContext.get()))

  def taskEnded(): Unit = tasks.remove(Thread.currentThread())

  /** What ends the executor is told of in the report of just before: the task has given back its memory by now. */
  def taskFailed(reason: TaskFailedReason): Unit = {
    reason match {
      case failure: ExceptionFailure if endsExecutor(failure) => died(failure.toErrorString)
      case _ =>
    }
    taskEnded()
  }

  private def died(error: String): Unit = synchronized {
    hasDied = true
    try {
      if (last == null) look(ProcessMemory.now())
      last.put("error", error.linesIterator.next())
      file.write(last)
    } catch { case e: Throwable => logWarning(s"reprise: the report of this executor's memory was not written: $e") }
  }

  private def run(): Unit =
    while (!isStopped) {
      try {
        if (!tasks.isEmpty) lookAgain()
        Thread.sleep(intervalMs)
      } catch {
        case _: InterruptedException => return
        case _: OutOfMemoryError => () // whose fault it is others will find out
        case NonFatal(e) =>
          logWarning(s"reprise: the report of this executor's memory cannot be written, and is given up: $e")
          return
      }
    }

  private def lookAgain(): Unit = synchronized {
    val process = ProcessMemory.now()
    val isDue = System.currentTimeMillis() - lastMs >= reportMs
    if (!hasDied && (isDue || hasGrown(process))) look(process)
  }

  private def hasGrown(process: ProcessMemory): Boolean = lastProcess == null || {
    val most = process.limit.getOrElse(process.heapMax)
    process.resident - lastProcess.resident > most / growthParts ||
    process.heapUsed - lastProcess.heapUsed > process.heapMax / growthParts
  }

  private def look(process: ProcessMemory): Unit = {
    last = MemoryReport.of(tasks.values().asScala, process)
    whose(last)
    file.write(last)
    lastProcess = process
    lastMs = System.currentTimeMillis()
  }

  /** Of an executor that ends well nothing is left. One that is told to end while it works may have taken too much. */
  def stop(): Unit = {
    isStopped = true
    thread.interrupt()
    thread.join(reportMs)
    val isKilled = ExitHooks.isExiting && !tasks.isEmpty
    if (handler != null) Thread.setDefaultUncaughtExceptionHandler(handler)
    if (!hasDied && !isKilled) file.delete()
  }
}

private[reprise] object MemoryWatch {
  /** Of what the driver tells executors. */
  val folderKey = "memoryReports"

  private val intervalMs = 100L
  private val reportMs = 1000L
  private val growthParts = 64

  /** Of an error of this kind the executor survives. */
  private val survived = classOf[SparkOutOfMemoryError].getName

  private def endsExecutor(failure: ExceptionFailure): Boolean =
    failure.exception.exists(_.isInstanceOf[OutOfMemoryError]) && failure.className != survived

  /** Driver. An IllegalArgumentException where the folder cannot be made. */
  def prepare(folder: String, conf: Configuration): Unit = ReportFile.makeFolder(folder, conf)

  /** Executor. */
  def start(context: PluginContext, folder: String): MemoryWatch = {
    val application = context.conf.get("spark.app.id")
    val executor = context.executorID()
    val path = new Path(folder, s"$application-executor-$executor.memory.json")
    new MemoryWatch(ReportFile(path, LocalFolder.fileSystems()), report =>
      report
        .put("application", application)
        .put("executor", executor)
        .put("host", SparkEnv.get.blockManager.blockManagerId.host))
  }
}
