package reprise

import java.util.{HashMap => JavaHashMap, Map => JavaMap}

import scala.util.control.NonFatal

import org.apache.spark.{SparkConf, SparkContext, SparkException, TaskContext, TaskFailedReason}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.access.{LineageAccess, ObservedScheduler}
import org.apache.spark.sql.execution.columnar.access.KeptSerializer
import org.apache.spark.sql.internal.StaticSQLConf

import reprise.bridge.{ApplicationSettings, Driver, NativeLibrary, SessionConf, SparkLine}
import reprise.exec.{CacheSerializer, MedianTask, StageTimes}
import reprise.ledger.{JobChecksums, Ledger, TaskLedger, TaskChecksums}
import reprise.lineage.Recording
import reprise.memory.{ContainerMemory, MemoryWatch}
import reprise.plugin.{LateKeys, QueryEndListener, RepriseExtensions}
import reprise.profile.{FlameDriver, FlameMessage, FlameSettings, StageProfiler}
import reprise.report.LiveTab
import reprise.telemetry.SpanExport
import reprise.trace.TraceFolders

/** The one class that a user names: `spark.plugins=reprise.ReprisePlugin`. */
final class ReprisePlugin extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = {
    // Before anything that another Spark may not be able to load.
    SparkLine.checkRunning()
    new RepriseDriverPlugin
  }

  override def executorPlugin(): ExecutorPlugin = new RepriseExecutorPlugin
}

/** Checks the configuration and takes part in the planning of every session that is made from now on. */
private final class RepriseDriverPlugin extends DriverPlugin with Logging {
  private var context: SparkContext = _
  private var settings: ApplicationSettings = _
  private var report: LiveTab = _ // null where Spark has no page of the application
  private var spans: SpanExport = _ // null where nobody wants any
  private var flames: FlameDriver = _ // null where no profiles are taken: then its class is not loaded

  override def init(context: SparkContext, plugin: PluginContext): JavaMap[String, String] = {
    LibraryAtStart.load()
    val conf = plugin.conf
    val set = SessionConf.json(conf)
    settings = SessionConf.application(set)
    LateKeys.begin(settings.readAtStart, conf)
    ContainerMemory.advice(conf).foreach(advice => logWarning(advice))
    addExtensions(conf)
    conf.setIfMissing(StaticSQLConf.SPARK_CACHE_SERIALIZER.key, classOf[CacheSerializer].getName)
    KeptSerializer.forget()
    this.context = context
    settings.lineage.foreach(Recording.open(context, _))
    context.addSparkListener(new QueryEndListener(context))
    if (settings.hasTab) report = LiveTab.begin(context).orNull
    settings.spans.foreach(address => spans = SpanExport.begin(context, address))
    // Nothing of profiles is loaded where none of their keys is set.
    if (settings.hasProfileKeys) flames = FlameDriver.start(context, set).orNull
    val forExecutors = if (flames == null) new JavaHashMap[String, String] else flames.forExecutors
    settings.traces.foreach(TraceFolders.prepare(_, context.hadoopConfiguration))
    if (settings.ledger.nonEmpty) forExecutors.put(TaskLedger.isKept, "")
    settings.memoryReports.foreach { folder =>
      MemoryWatch.prepare(folder, context.hadoopConfiguration)
      forExecutors.put(MemoryWatch.folderKey, folder)
    }
    // In local mode the executor, which comes next, may have a profiler that reads them.
    if (!context.isLocal) NativeLibrary.removeFiles()
    forExecutors
  }

  /** The context has its scheduler by now, and no job yet. */
  override def registerMetrics(appId: String, plugin: PluginContext): Unit = {
    val recorder = Recording.begin(context, appId)
    val checksums = settings.ledger.map { ledger =>
      Ledger.begin(context, appId, ledger)
      new JobChecksums
    }
    if (recorder.nonEmpty || checksums.nonEmpty) ObservedScheduler.install(context, recorder, checksums)
  }

  override def shutdown(): Unit =
    try if (flames != null) flames.shutdown()
    finally if (context != null) {
      if (report != null) report.close()
      if (Recording.of(context).nonEmpty || Ledger.of(context).nonEmpty || spans != null) awaitEvents()
      if (spans != null) spans.close()
      Recording.end(context)
      Ledger.end(context)
    }

  /** Listeners may be behind, and Spark stops its bus only after its plug-ins. What comes too late is left out. */
  private def awaitEvents(): Unit =
    try LineageAccess.awaitListeners(context)
    catch { case NonFatal(e) => logWarning(s"reprise: the last events of the application were not recorded: $e") }

  override def receive(message: Any): AnyRef = message match {
    case question: MedianTask => Long.box(StageTimes.answer(question))
    case checksums: TaskChecksums => Boolean.box(Ledger.of(context).map(_.add(checksums)).nonEmpty)
    case message: FlameMessage => if (flames == null) null else flames.receive(message)
    case other => throw new SparkException(s"reprise: an unknown message: $other")
  }

  /** Sessions read this key when they are made, which is after the plug-ins of the context. */
  private def addExtensions(conf: SparkConf): Unit = {
    val key = StaticSQLConf.SPARK_SESSION_EXTENSIONS.key
    val ours = classOf[RepriseExtensions].getName
    val named = conf.get(key, "").split(",").map(_.trim).filter(_.nonEmpty)
    if (!named.contains(ours)) conf.set(key, (named :+ ours).mkString(","))
  }
}

private final class RepriseExecutorPlugin extends ExecutorPlugin {
  private var profiler: StageProfiler = _
  private var keepsLedger = false
  private var memory: MemoryWatch = _ // null where nobody wants reports of it

  override def init(context: PluginContext, extraConf: JavaMap[String, String]): Unit = {
    LibraryAtStart.load()
    Driver.context = context
    if (!extraConf.isEmpty) {
      keepsLedger = extraConf.containsKey(TaskLedger.isKept)
      profiler = FlameSettings.of(extraConf).flatMap(StageProfiler.start(context, _)).orNull
      memory = Option(extraConf.get(MemoryWatch.folderKey)).map(MemoryWatch.start(context, _)).orNull
    }
    NativeLibrary.removeFiles()
  }

  override def onTaskStart(): Unit = {
    if (profiler != null) profiler.onTaskStart()
    if (keepsLedger) TaskLedger.of(TaskContext.get())
    if (memory != null) memory.taskStarted()
  }

  override def onTaskSucceeded(): Unit = {
    if (profiler != null) profiler.onTaskEnd()
    if (memory != null) memory.taskEnded()
  }

  override def onTaskFailed(reason: TaskFailedReason): Unit = {
    if (profiler != null) profiler.onTaskEnd()
    if (memory != null) memory.taskFailed(reason)
  }

  override def shutdown(): Unit = {
    TraceFolders.close()
    if (profiler != null) profiler.shutdown()
    if (memory != null) memory.stop()
  }
}

private object LibraryAtStart {

  /** A linkage error would end the JVM without its message being seen. Who calls removes the files. */
  def load(): Unit =
    try NativeLibrary.loadWithFiles()
    catch { case e: UnsatisfiedLinkError => throw new SparkException(e.getMessage, e) }
}
