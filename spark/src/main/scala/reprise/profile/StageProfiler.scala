package reprise.profile

import java.io.{File, IOException}
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import com.fasterxml.jackson.databind.util.RawValue
import org.apache.spark.TaskContext
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging

import reprise.access.{ExitHooks, LocalFolder}
import reprise.bridge.{NativeLibrary, NativeProfile}

private[reprise] object StageProfiler extends Logging {
  /** A worker kills an executor that has not ended after ten seconds. */
  private val exitSeconds = 9L

  /** Begins to profile this executor, if that is wanted and can be done. */
  def start(context: PluginContext, settings: FlameSettings): Option[StageProfiler] =
    if (settings.takes(context.executorID())) start(new ExecutorLink(context), settings) else None

  /** The same for whichever process is at this end of the link. */
  private[profile] def start(link: DriverLink, settings: FlameSettings): Option[StageProfiler] =
    try {
      val profiler = new StageProfiler(link, settings)
      profiler.begin()
      Some(profiler)
    } catch {
      case e @ (NonFatal(_) | _: LinkageError) =>
        tell(link, s"no profiles are taken: ${e.getMessage}")
        None
    }

  /** Has the driver say it, once, whatever the number of executors. */
  private def tell(link: DriverLink, message: String): Unit = link.send(ProfilerSays(link.executor, message))
}

/**
 * Profiles this process: one continuous recording, taken apart by stage as soon as a stage has ended.
 *
 * A thread of its own asks the driver about stages that have no task here, ends the recording's chunk where one is
 * over, has the core split it, and writes the stage's recording and page. Of a stage that runs for long it writes
 * what there is so far, at growing intervals, so that an executor that is killed leaves something; and so of the
 * threads that belong to no task, which are all that a driver has whose executors are other processes.
 */
private[reprise] final class StageProfiler private (link: DriverLink, settings: FlameSettings) extends Logging {
  private val executor = link.executor
  private val spans = new TaskSpans
  private val folder = LocalFolder.make("reprise-flame-")
  private val target = new FlameFolder(settings.prefix, LocalFolder.fileSystems())
  private val written = new WrittenFiles(target, settings.maxBytes)
  private val unplaced = new UnplacedStages(settings.maxBytes)
  private lazy val profiler = new Profiler(folder)
  // Asked for when the first page is written: by then there is an id.
  private lazy val names = new FlameNames(link.application.get)
  private val page = new File(folder, "page.html")
  private val thread = new Thread(() => run(), "reprise-flame-graphs")
  // Takes recordings apart and makes pages. Ending a chunk is not for it: samples are lost meanwhile.
  private val quiet = new QuietThread("reprise-flame-pages")
  private val isStopping = new AtomicBoolean
  private val hasEnded = new CountDownLatch(1)
  // A worker sends the signal to end while the executor is still stopping: the JVM waits for what is being written.
  // A driver's context ends its plug-ins itself then.
  private val exitHook = if (link.isDriverAlone) None else Some(ExitHooks.add(() => shutdown()))

  // Of the profiler's thread, and of who ends it.
  private var chunkBegun = 0L
  private var mayEndChunk = 0L
  private val otherPage = new PageTimes(System.nanoTime(), TaskSpans.firstOtherPage, TaskSpans.otherPageShare)
  private var stages = Map.empty[StageAttempt, JsonNode]
  private var other: Option[JsonNode] = None
  private var said = Set.empty[String]
  private var threadsWithoutClock = 0L
  private var driverAnswers = true

  private def begin(): Unit =
    try {
      target.checkName() // an executor may have another locale than the driver
      NativeLibrary.withFiles(profiler.start(settings)).foreach(sayOnce(_))
      request("begin") { it =>
        it.put("folder", folder.getAbsolutePath)
        // A part of the whole: stages that run at once have a file each.
        it.put("maxBytes", math.max(settings.maxBytes / 8, 1L << 20))
      }
      chunkBegun = System.nanoTime()
      mayEndChunk = chunkBegun + TaskSpans.chunkMin
      NativeProfile.watchThreads(spans)
      if (!link.isDriverAlone) link.send(TakesProfiles(executor))
      thread.setDaemon(true)
      thread.start()
    } catch {
      case e: Throwable =>
        exitHook.foreach(ExitHooks.remove)
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
    exitHook.foreach(ExitHooks.remove)
  }

  private def writeRest(): Unit = {
    spans.wake()
    thread.join(60000)
    NativeProfile.watchThreads(null)
    quiet.end()
    attempted("end the recording") {
      profiler.stop()
      split(spans.state)
      finish(spans.state)
      // Once more, with what has come since.
      if (!unplaced.isEmpty) writePages(unplaced.all, isLast = true)
      if (!unplaced.isEmpty) logWarning(s"spark.reprise.flameGraph: the files of ${unplaced.all.size} stages are lost")
      if (link.application.nonEmpty) writeOther(isLast = true)
    }
    attempted("forget the recording")(request("end")(_ => ()))
    target.close()
    LocalFolder.delete(folder)
    if (!link.isDriverAlone) link.send(ProfilesEnded(executor))
  }

  private def run(): Unit =
    while (!isStopping.get) {
      if (System.nanoTime() >= mayEndChunk) {
        val before = chunkBegun
        val cost = quiet.timeOf(attempted("take a stage out of the recording")(step()))
        if (chunkBegun != before) mayEndChunk = chunkBegun + TaskSpans.chunkMinAfter(cost)
      }
      if (!isStopping.get) spans.await(chunkBegun, mayEndChunk, math.min(otherPage.next, unplaced.next))
    }

  private def step(): Unit = {
    val now = System.nanoTime()
    val ended = endedOf(spans.quiet(now), now)
    val due = spans.state.filter(state => state.page.next <= now && !ended.contains(state))
    val isOtherDue = otherPage.next <= now && link.application.nonEmpty
    val isLong = chunkBegun + TaskSpans.chunk <= now && spans.state.nonEmpty
    if (ended.nonEmpty || due.nonEmpty || isOtherDue || isLong) {
      chunkBegun = now
      profiler.endChunk()
      split(ended ++ due)
      val cost = quiet.timeOf(writePages(due, isLast = false))
      due.foreach(_.page.written(now, cost / due.size))
      finish(ended)
    }
    // One that has got another task is written when that has ended.
    val again = unplaced.due(now).filterNot(state => spans.state.exists(_.id == state.id))
    if (again.nonEmpty) writePages(again, isLast = true)
    if (otherPage.next <= now) {
      otherPage.written(now, quiet.timeOf(if (isOtherDue) writeOther(isLast = false)))
    }
  }

  private def endedOf(quiet: Seq[StageState], now: Long): Seq[StageState] =
    if (quiet.isEmpty) Nil
    else {
      val ended = link.ask(WhichHaveEnded(quiet.map(_.id).toArray)).asInstanceOf[Array[Boolean]]
      val (over, on) = quiet.zip(ended).partition(_._2)
      on.foreach { case (state, _) => spans.askLater(state, now) }
      over.map(_._1)
    }

  /** Has the core take the recording apart, for the pages of `toShow`, which are written next. */
  private def split(toShow: Seq[StageState]): Unit = {
    val tasks = spans.snapshot().map(_.json).mkString("[", ",", "]")
    val answer = request("split") { it =>
      it.putRawValue("tasks", new RawValue(tasks))
      val numbers = putQueries(it, toShow)
      val array = it.putArray("shown")
      toShow.foreach(state => put(array.addObject(), state.id).put("query", numbers(state)))
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
    threadsWithoutClock = answer.get("threadsWithoutClock").asLong
    if (threadsWithoutClock > 0) {
      sayOnce(
        "some threads have no wall-clock samples: the kernel gives no more timers, since signals of the user's " +
          "processes are pending up to the limit (ulimit -i); the pages of stages say how many")
    }
  }

  private def finish(states: Seq[StageState]): Unit = {
    states.foreach(state => spans.forget(state.id))
    writePages(states, isLast = true)
  }

  /** What the query's operators are called, where that is known by now. */
  private def operatorsOf(executionId: Long): Array[String] =
    // A page without the names is better than none.
    try if (driverAnswers) link.ask(WhatOperators(executionId)).asInstanceOf[Array[String]] else Array.empty
    catch {
      case NonFatal(e) =>
        driverAnswers = false // it may be gone; each question would wait for its time to run out
        logDebug(s"the driver does not name the operators of query $executionId", e)
        Array.empty
    }

  /** What the operators of the stages' queries are called. @return the query's number there, or -1 */
  private def putQueries(request: ObjectNode, states: Seq[StageState]): StageState => Int = {
    val queries = states.flatMap(_.executionId).distinct
    val names = request.putArray("queries")
    queries.foreach { id =>
      val tags = names.addArray()
      operatorsOf(id).foreach(tags.add(_))
    }
    val numbers = queries.zipWithIndex.toMap
    _.executionId.fold(-1)(numbers)
  }

  private def put(to: ObjectNode, stage: StageAttempt): ObjectNode =
    to.put("stage", stage.stage).put("attempt", stage.attempt)

  /** By one request: what is done seldom runs slowly in a JVM. */
  private def writePages(states: Seq[StageState], isLast: Boolean): Unit = {
    val known = states.filter(state => stages.contains(state.id))
    if (known.nonEmpty) {
      val answer = request("stages") { it =>
        val array = it.putArray("stages")
        known.foreach(state => order(state, isLast, array.addObject()))
      }
      val pages = known.zip(CoreProfile.elements(answer.get("stages")).toIndexedSeq).flatMap {
        case (state, shown) => take(state, isLast, shown)
      }
      link.send(PagesWritten(pages.toArray))
    }
  }

  private def order(state: StageState, isLast: Boolean, to: ObjectNode): Unit = {
    val id = state.id
    val name = names.of(executor, id)
    val about = Seq(s"application ${names.application}", state.job) ++
      (if (isLast) None else Some("the stage runs on")) ++ droppedText(stages(id)) ++ lostText(stages(id)) ++
      withoutClockText
    put(to, id).put("isLast", isLast)
    val html = target.localFile(s"$name.html").getOrElse(pageOf(name))
    put(to, html, s"stage ${id.stage}, attempt ${id.attempt}, executor $executor", about)
    target.localFile(s"$name.jfr").foreach(file => to.put("jfr", file.getPath))
  }

  private def pageOf(name: String): File = new File(folder, s"$name.html")

  /** What has become of it; files that are not where they are to be are brought there. */
  private def take(state: StageState, isLast: Boolean, shown: JsonNode): Option[PageWritten] = {
    val id = state.id
    val name = names.of(executor, id)
    val page =
      try {
        if (shown.has("error")) throw new IOException(shown.get("error").asText)
        if (target.localFile(name).isEmpty) bring(id, name, isLast)
        Some(PageWritten.of(executor, id, name, shown, shown.get("bytes").asLong, isLast))
      } catch {
        case NonFatal(e) =>
          sayOnce("pages of stages cannot be written; what is recorded is kept and tried again", e.getMessage)
          logDebug(s"no page of $id", e)
          None
      }
    if (page.nonEmpty) {
      if (isLast) unplaced.placed(id)
      attempted("keep to maxBytes")(note(id, name, shown))
    } else if (isLast && shown.get("isKept").asBoolean) keep(state)
    else if (isLast) unplaced.placed(id) // there is nothing to keep
    page
  }

  private def bring(id: StageAttempt, name: String, isLast: Boolean): Unit = {
    target.put(new File(stages(id).get("file").asText), s"$name.jfr")
    target.put(pageOf(name), s"$name.html")
    pageOf(name).delete()
    if (isLast) forget(id)
  }

  private def note(id: StageAttempt, name: String, shown: JsonNode): Unit =
    written.note(id, name, shown.get("bytes").asLong + shown.get("pageBytes").asLong).foreach { dropped =>
      sayOnce("the oldest stages' files are deleted, to keep to spark.reprise.flameGraph.maxBytes")
      link.send(PageDropped(executor, dropped))
    }

  private def keep(state: StageState): Unit =
    unplaced.failed(state, stages(state.id).get("bytes").asLong, System.nanoTime()).foreach { dropped =>
      sayOnce("the oldest recordings that cannot be put in their place go, to keep to flameGraph.maxBytes")
      forget(dropped)
      link.send(PageDropped(executor, dropped))
    }

  private def forget(id: StageAttempt): Unit = request("finish")(put(_, id))

  private def writeOther(isLast: Boolean): Unit = other.foreach { slice =>
    val name = names.ofOther(executor)
    val about = Seq(s"application ${names.application}") ++
      (if (isLast) None else Some("the application runs on")) ++ droppedText(slice) ++ lostText(slice)
    val title = if (link.isDriverAlone) "the driver" else s"threads of no task, executor $executor"
    val recording = new File(slice.get("file").asText)
    val shown = target.make(s"$name.html", page) { html =>
      val shown = core("page") { it =>
        it.putArray("files").add(recording.getAbsolutePath)
        put(it, html, title, about)
      }
      target.put(recording, s"$name.jfr")
      shown
    }
    val Seq(cpu, wall) = Seq("cpuSamples", "wallSamples").map(shown.get(_).asLong)
    link.send(OtherPageWritten(executor, name, cpu, wall, EventSamples.of(shown)))
  }

  private def put(request: ObjectNode, html: File, title: String, about: Seq[String]): Unit = {
    request.put("html", html.getAbsolutePath)
    request.put("title", title)
    request.put("subtitle", about.filter(_.nonEmpty).mkString(", "))
  }

  private def withoutClockText: Option[String] =
    if (threadsWithoutClock == 0) None
    else Some(s"$threadsWithoutClock threads of tasks had no timer of the kernel's for wall-clock samples so far")

  private def droppedText(slice: JsonNode): Option[String] = {
    val dropped = slice.get("droppedChunks").asLong
    if (dropped == 0) None
    else {
      sayOnce("the oldest chunks of recordings are dropped, to keep to spark.reprise.flameGraph.maxBytes")
      Some(s"$dropped of the oldest chunks were dropped, to keep to maxBytes")
    }
  }

  private def lostText(slice: JsonNode): Option[String] = {
    val error = slice.get("error").asText
    if (error.nonEmpty) sayOnce("recordings of stages cannot be written to the local directory", error)
    val lost = slice.get("lostChunks").asLong
    if (lost == 0) None else Some(s"$lost chunks could not be written and are lost")
  }

  /** async-profiler itself takes a timer for `cpu` where the kernel forbids perf events to this user. */
  private def tellEngine(profilerSettings: JsonNode): Unit =
    Option(profilerSettings.get("engine")).map(_.asText).foreach { engine =>
      if (settings.options.contains("event=cpu") && engine != "perf_events") {
        sayOnce(s"the kernel forbids event=cpu; $engine is taken instead")
      }
    }

  private def request(what: String)(fill: ObjectNode => Unit): JsonNode =
    core(what) { it =>
      it.put("recording", profiler.recording.getAbsolutePath)
      fill(it)
    }

  private def core(what: String)(fill: ObjectNode => Unit): JsonNode =
    if (Thread.currentThread() eq thread) quiet.run(CoreProfile.run(what)(fill)) else CoreProfile.run(what)(fill)

  /** @param why of the first time, where it may be another one each time */
  private def sayOnce(what: String, why: String = ""): Unit = if (!said.contains(what)) {
    said += what
    StageProfiler.tell(link, if (why.isEmpty) what else s"$what: $why")
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
