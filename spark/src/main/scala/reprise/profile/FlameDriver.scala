package reprise.profile

import java.util.{Map => JavaMap}

import scala.collection.mutable
import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler._

private[reprise] object FlameDriver extends Logging {
  private val patience = 15000000000L

  private def idOf(stage: StageInfo): StageAttempt = StageAttempt(stage.stageId, stage.attemptNumber())

  /**
   * What is wrong with the settings is said once, here, and the application runs without profiles.
   *
   * @param conf `{key:value}` of what is set
   */
  def start(context: SparkContext, conf: String): Option[FlameDriver] =
    try {
      FlameSettings.checked(conf).map { it =>
        val folder = new FlameFolder(it.prefix, context.hadoopConfiguration)
        try folder.probe()
        catch {
          case NonFatal(e) =>
            folder.close()
            throw new IllegalArgumentException(
              s"spark.reprise.flameGraph.pathPrefix: ${it.prefix} cannot be written to: ${e.getMessage}", e)
        }
        // Executors have other working directories, and may have another default file system.
        val driver = new FlameDriver(context, it.withPrefix(folder.qualified), folder)
        context.addSparkListener(driver)
        driver.profileItself()
        driver
      }
    } catch {
      case NonFatal(e) =>
        logError(s"no flame graphs are made: ${e.getMessage}")
        None
    }
}

/** Tells executors which stages are over, and gathers what they have written. */
private[reprise] final class FlameDriver(context: SparkContext, settings: FlameSettings, folder: FlameFolder)
  extends SparkListener
  with Logging {
  private val ended = mutable.LinkedHashSet.empty[StageAttempt]
  private val profiled = mutable.Set.empty[String]
  private val board = new StageBoard
  private val operators = new OperatorNames
  private lazy val index =
    new IndexWriter(board, folder, new FlameNames(context.applicationId), context.appName)
  private var hasIndex = false
  private var ownProfiler: Option[StageProfiler] = None

  /** In local mode its one executor does that. */
  private def profileItself(): Unit =
    if (!context.isLocal && settings.takes(FlameSettings.driverId)) {
      ownProfiler = StageProfiler.start(new OwnLink(context, receive), settings)
    }

  /** What executors are told when they start. */
  def forExecutors: JavaMap[String, String] = settings.toMap

  /** The answer to a message of this package. */
  def receive(message: FlameMessage): AnyRef = {
    message match {
      case WhichHaveEnded(stages) => synchronized(stages.map(ended.contains))
      case WhatOperators(executionId) => operators.of(executionId).map(_.tag)
      case message =>
        take(message)
        null
    }
  }

  private def take(message: FlameMessage): Unit = {
    message match {
      case TakesProfiles(executor) => synchronized(profiled += executor)
      case ProfilesEnded(executor) => isGone(executor)
      case ProfilerSays(executor, text) =>
        if (board.synchronized(board.say(text))) {
          logWarning(s"spark.reprise.flameGraph: executor $executor: $text")
        }
      case PagesWritten(pages) => pages.foreach(page => change(page.stage)(_.part(page.executor).page = Some(page)))
      case PageDropped(executor, stage) => change(stage)(_.part(executor).isDropped = true)
      case page: OtherPageWritten => board.synchronized(board.add(page))
      case _ =>
    }
    changed()
  }

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = {
    val description = Option(event.properties).flatMap(it => Option(it.getProperty("spark.job.description")))
    val name = (event.stageInfo.name +: description.toIndexedSeq).mkString(", ")
    board.synchronized(board.begin(FlameDriver.idOf(event.stageInfo), name))
    Option(event.properties).flatMap(it => Option(it.getProperty("spark.sql.execution.id")))
      .flatMap(id => Try(id.toLong).toOption).foreach(operators.note(_))
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = {
    val executor = event.taskInfo.executorId
    if (synchronized(profiled.contains(executor))) {
      change(StageAttempt(event.stageId, event.stageAttemptId)) { stage =>
        val part = stage.part(executor)
        part.tasks += 1
        if (event.taskMetrics != null) {
          part.wallMs += event.taskMetrics.executorRunTime
          part.cpuMs += event.taskMetrics.executorCpuTime / 1000000
        }
      }
    } else {
      change(StageAttempt(event.stageId, event.stageAttemptId))(_.unprofiledTasks += 1)
    }
  }

  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = {
    val id = FlameDriver.idOf(event.stageInfo)
    val info = event.stageInfo
    change(id) { stage =>
      stage.isOver = true
      stage.tookMs = for (begun <- info.submissionTime; done <- info.completionTime) yield done - begun
    }
    synchronized {
      ended += id
      // Who has not asked by then never will.
      if (ended.size > 100000) ended.remove(ended.head)
    }
    changed()
  }

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = isGone(event.executorId)

  private def isGone(executor: String): Unit = synchronized {
    profiled -= executor
    notifyAll()
  }

  private def change(id: StageAttempt)(body: StageEntry => Unit): Unit =
    board.synchronized(board.find(id).foreach(body))

  /** The thread begins with the first stage, when the application has its id. */
  private def changed(): Unit = synchronized {
    if (context.applicationId != null) {
      if (!hasIndex) {
        hasIndex = true
        index.start()
      }
      index.changed()
    }
  }

  /** Executors that are stopped write what they have; waits for that, so long as it is reasonable. */
  def shutdown(): Unit = {
    val end = System.nanoTime() + FlameDriver.patience
    synchronized {
      while (profiled.nonEmpty && System.nanoTime() < end) wait(100)
    }
    ownProfiler.foreach(_.shutdown())
    if (hasIndex) index.stop()
    folder.close()
  }
}
