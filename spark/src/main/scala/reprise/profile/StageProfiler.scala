package reprise.profile

import java.io.File
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.TaskContext
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging

import reprise.shims.{ExitHooks, LocalFolder}

private[reprise] object StageProfiler extends Logging {
  /** A worker kills an executor that has not ended after ten seconds. */
  private val exitSeconds = 9L

  /** Begins to profile this executor, if that is wanted and can be done. */
  def start(context: PluginContext, settings: FlameSettings): Option[StageProfiler] = {
    val executor = context.executorID()
    if (!settings.takes(executor, isLocal = executor == "driver")) None
    else
      try {
        val profiler = new StageProfiler(context, settings)
        profiler.begin()
        Some(profiler)
      } catch {
        case e @ (NonFatal(_) | _: LinkageError) =>
          tell(context, s"no profiles are taken: ${e.getMessage}")
          None
      }
  }

  /** Has the driver say it, once, whatever the number of executors. */
  private def tell(context: PluginContext, message: String): Unit =
    context.send(ProfilerSays(context.executorID(), message))
}

/**
 * Profiles this process: one continuous recording, taken apart by stage as soon as a stage has ended.
 *
 * A thread of its own asks the driver about stages that have no task here, ends the recording's chunk where one is
 * over, has the core split it, and writes the stage's recording and page. Of a stage that runs for long it writes
 * what there is so far, at growing intervals, so that an executor that is killed leaves something.
 */
private[reprise] final class StageProfiler(context: PluginContext, settings: FlameSettings) extends Logging {
  private val executor = context.executorID()
  private val spans = new TaskSpans
  private val folder = LocalFolder.make("reprise-flame-")
  private val target = new FlameFolder(settings.prefix, LocalFolder.fileSystems())
  private val written = new WrittenFiles(target, settings.maxBytes)
  private lazy val profiler = new Profiler(folder)
  // In local mode an application has no id yet when its executor starts.
  private lazy val names = new FlameNames(context.conf.get("spark.app.id"))
  private val page = new File(folder, "page.html")
  private val thread = new Thread(() => run(), "reprise-flame-graphs")
  private val isStopping = new AtomicBoolean
  private val hasEnded = new CountDownLatch(1)
  // A worker sends the signal to end while the executor is still stopping: the JVM waits for what is being written.
  private val exitHook = ExitHooks.add(() => shutdown())

  // Of the profiler's thread, and of who ends it.
  private var chunkBegun = 0L
  private var stages = Map.empty[StageAttempt, JsonNode]
  private var other: Option[JsonNode] = None
  private var said = Set.empty[String]
  private var driverAnswers = true

  private def begin(): Unit =
    try {
      profiler.start(settings.options).foreach(sayOnce)
      request("begin") { it =>
        it.put("folder", folder.getAbsolutePath)
        // A part of the whole: stages that run at once have a file each.
        it.put("maxBytes", math.max(settings.maxBytes / 8, 1L << 20))
      }
      chunkBegun = System.nanoTime()
      context.send(TakesProfiles(executor))
      thread.setDaemon(true)
      thread.start()
    } catch {
      case e: Throwable =>
        ExitHooks.remove(exitHook)
        LocalFolder.delete(folder)
        target.close()
        throw e
    }

  def onTaskStart(): Unit = Option(TaskContext.get()).foreach(spans.begin)

  def onTaskEnd(): Unit = spans.end()

  /** Writes all that is left. */
  def shutdown(): Unit = {
    if (isStopping.compareAndSet(false, true)) {
      try writeRest()
      finally hasEnded.countDown()
    }
    hasEnded.await(StageProfiler.exitSeconds, TimeUnit.SECONDS)
    ExitHooks.remove(exitHook)
  }

  private def writeRest(): Unit = {
    spans.wake()
    thread.join(60000)
    attempted("end the recording") {
      profiler.stop()
      split()
      spans.state.foreach(finish)
      writeOther()
      request("end")(_ => ())
    }
    target.close()
    LocalFolder.delete(folder)
    context.send(ProfilesEnded(executor))
  }

  private def run(): Unit =
    while (!isStopping.get) {
      attempted("take a stage out of the recording")(step())
      if (!isStopping.get) spans.await(chunkBegun)
    }

  private def step(): Unit = if (System.nanoTime() >= chunkBegun + TaskSpans.chunkMin) {
    val now = System.nanoTime()
    val ended = endedOf(spans.quiet(now), now)
    val due = spans.state.filter(state => state.nextPage <= now && !ended.contains(state))
    val isLong = chunkBegun + TaskSpans.chunk <= now && spans.state.nonEmpty
    if (ended.nonEmpty || due.nonEmpty || isLong) {
      chunkBegun = now
      profiler.endChunk()
      split()
      due.foreach { state =>
        state.nextPage = now + math.min(now - state.begun, TaskSpans.pageMax)
        stages.get(state.id).foreach(writePage(state, _, isLast = false))
      }
      ended.foreach(finish)
    }
  }

  private def endedOf(quiet: Seq[StageState], now: Long): Seq[StageState] =
    if (quiet.isEmpty) Nil
    else {
      val ended = context.ask(WhichHaveEnded(quiet.map(_.id).toArray)).asInstanceOf[Array[Boolean]]
      val (over, on) = quiet.zip(ended).partition(_._2)
      on.foreach { case (state, _) => spans.askLater(state, now) }
      over.map(_._1)
    }

  /** Has the core take the recording apart. */
  private def split(): Unit = {
    val all = spans.snapshot()
    val answer = request("split") { it =>
      val tasks = it.putArray("tasks")
      all.foreach { span =>
        tasks.addArray().add(span.thread).add(span.start).add(span.end).add(span.task)
          .add(span.stage.stage).add(span.stage.attempt).add(span.partition)
      }
    }
    spans.forgetEndedBefore(chunkBegun)
    stages = CoreProfile.elements(answer.get("stages")).map { one =>
      StageAttempt(one.get("stage").asInt, one.get("attempt").asInt) -> one
    }.toMap
    other = Some(answer.get("other")).filter(_.get("file").asText.nonEmpty)
    tellEngine(answer.get("settings"))
    if (answer.get("operatorChangesDropped").asLong > 0) {
      sayOnce("operators changed too often to note it all: some samples lack their LORE id")
    }
  }

  private def finish(state: StageState): Unit = {
    spans.forget(state.id)
    stages.get(state.id).foreach { slice =>
      val names = operatorsOf(state)
      request("finish") { it =>
        it.put("stage", state.id.stage)
        it.put("attempt", state.id.attempt)
        val array = it.putArray("names")
        names.foreach { one =>
          array.addObject().put(if (one.isCodegen) "codegen" else "loreId", one.number).put("name", one.name)
        }
      }
      writePage(state, slice, isLast = true)
      new File(slice.get("file").asText).delete()
    }
  }

  /** A page without the names is better than none. */
  private def operatorsOf(state: StageState): Array[OperatorName] =
    try state.executionId.filter(_ => driverAnswers).fold(Array.empty[OperatorName]) { id =>
      context.ask(WhatOperators(id)).asInstanceOf[Array[String]].map(OperatorName.of)
    } catch {
      case NonFatal(e) =>
        driverAnswers = false // it may be gone; each question would wait for its time to run out
        logDebug(s"the driver does not name the operators of stage ${state.id.stage}", e)
        Array.empty
    }

  private def writePage(state: StageState, slice: JsonNode, isLast: Boolean): Unit = {
    val id = state.id
    val name = names.of(executor, id)
    val about = Seq(s"application ${names.application}", state.job) ++
      (if (isLast) None else Some("the stage runs on")) ++ droppedText(slice)
    val shown = makePage(slice, s"stage ${id.stage}, attempt ${id.attempt}, executor $executor", about)
    written.put(id, name, new File(slice.get("file").asText), page).foreach { dropped =>
      sayOnce("the oldest stages' files are deleted, to keep to spark.reprise.flameGraph.maxBytes")
      context.send(PageDropped(executor, dropped))
    }
    val operators = CoreProfile.elements(shown.get("operators")).map { one =>
      OperatorSamples(one.get("loreId").asLong, one.get("name").asText, one.get("samples").asLong)
    }
    context.send(
      PageWritten(
        executor,
        id,
        name,
        shown.get("cpuSamples").asLong,
        shown.get("wallSamples").asLong,
        operators.toArray,
        slice.get("bytes").asLong,
        isLast))
  }

  private def writeOther(): Unit = other.foreach { slice =>
    val name = names.ofOther(executor)
    val about = s"application ${names.application}" +: droppedText(slice).toSeq
    val shown = makePage(slice, s"threads of no task, executor $executor", about)
    target.put(new File(slice.get("file").asText), s"$name.jfr")
    target.put(page, s"$name.html")
    context.send(OtherPageWritten(executor, name, shown.get("cpuSamples").asLong, shown.get("wallSamples").asLong))
  }

  private def makePage(slice: JsonNode, title: String, about: Seq[String]): JsonNode =
    CoreProfile.run("page") { it =>
      it.putArray("files").add(slice.get("file").asText)
      it.put("html", page.getAbsolutePath)
      it.put("title", title)
      it.put("subtitle", about.filter(_.nonEmpty).mkString(", "))
    }

  private def droppedText(slice: JsonNode): Option[String] = {
    val dropped = slice.get("droppedChunks").asLong
    if (dropped == 0) None
    else {
      sayOnce("the oldest chunks of recordings are dropped, to keep to spark.reprise.flameGraph.maxBytes")
      Some(s"$dropped of the oldest chunks were dropped, to keep to maxBytes")
    }
  }

  /** async-profiler itself takes a timer for `cpu` where the kernel forbids perf events to this user. */
  private def tellEngine(profilerSettings: JsonNode): Unit =
    Option(profilerSettings.get("engine")).map(_.asText).foreach { engine =>
      if (settings.options.contains("event=cpu") && engine != "perf_events") {
        sayOnce(s"the kernel forbids event=cpu; $engine is taken instead")
      }
    }

  private def request(what: String)(fill: ObjectNode => Unit): JsonNode =
    CoreProfile.run(what) { it =>
      it.put("recording", profiler.recording.getAbsolutePath)
      fill(it)
    }

  private def sayOnce(message: String): Unit = if (!said.contains(message)) {
    said += message
    StageProfiler.tell(context, message)
  }

  private def attempted(what: String)(body: => Unit): Unit =
    try body
    catch {
      case NonFatal(e) =>
        val message = s"cannot $what: ${e.getMessage}"
        if (!said.contains(message)) logWarning(s"spark.reprise.flameGraph: $message", e)
        if (said.size < 100) said += message
    }
}
