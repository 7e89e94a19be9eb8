package reprise.lineage

import scala.util.Properties.versionNumberString

import org.apache.hadoop.fs.Path
import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.access.LineageAccess

import reprise.bridge.{LineageSettings, SessionConf}

/** Starts a context's recording and ends it. */
private[reprise] object Recording {
  private val recorders = new java.util.WeakHashMap[SparkContext, LineageRecorder]

  /** When the context's plug-ins are made: events are written from the first one on. */
  def open(context: SparkContext, settings: LineageSettings): Unit = {
    val (folder, writer) =
      RecordingWriter.create(settings.path, context.hadoopConfiguration, settings.key, settings.overwritesFile)
    val recorder = new LineageRecorder(context, folder, writer, settings.keepsResults)
    recorder.write { writer =>
      val start = RecordingFormat.node()
      start.put("Event", "SparkListenerLogStart").put("Spark Version", context.version)
      writer.event(start.toString)
    }
    LineageAccess.addListener(context, new RecordedEvents(recorder))
    recorders.synchronized(recorders.put(context, recorder))
  }

  /** When the application has its number. @return who sees its jobs */
  def begin(context: SparkContext, application: String): Option[LineageRecorder] = of(context).map { recorder =>
    recorder.write { writer =>
      writer.line(header(context, application))
      writer.flush()
      writer.flushEvents()
    }
    recorder
  }

  def end(context: SparkContext): Unit = of(context).foreach(_.close())

  def of(context: SparkContext): Option[LineageRecorder] =
    recorders.synchronized(Option(recorders.get(context)))

  def folderOf(context: SparkContext): Option[Path] = of(context).map(_.folder)

  private def header(context: SparkContext, application: String) = {
    val line = RecordingFormat.node()
    val header = line
      .putObject("recording")
      .put("format", RecordingFormat.version)
      .put("reprise", SessionConf.version)
      .put("spark", context.version)
      .put("scala", versionNumberString)
      .put("java", System.getProperty("java.version"))
      .put("application", context.appName)
      .put("id", application)
      .put("startTime", context.startTime)
      .put("shell", context.getConf.contains("spark.repl.class.outputDir"))
    SerializerSettings.write(context.getConf, header)
    val jars = header.putArray("jars")
    (context.jars ++ ownClassPath).distinct.foreach(jars.add)
    line
  }

  /** The class path without Spark's own jars. */
  private def ownClassPath: Seq[String] = {
    val spark = classOf[SparkContext].getProtectionDomain.getCodeSource.getLocation.getPath
    val jars = new java.io.File(spark).getParentFile
    System.getProperty("java.class.path").split(java.io.File.pathSeparator).toIndexedSeq
      .filter(_.nonEmpty)
      .map(new java.io.File(_).getAbsoluteFile)
      .filterNot(file => jars != null && file.getPath.startsWith(jars.getPath))
      .map(_.getPath)
  }
}

/** The property by which a job over rebuilt RDDs is known. */
private[reprise] object ReplayMark {
  val key = "reprise.replay"
}
