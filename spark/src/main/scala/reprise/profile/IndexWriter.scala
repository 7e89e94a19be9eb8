package reprise.profile

import java.io.File

import scala.util.control.NonFatal
import scala.util.matching.Regex

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.internal.Logging

import reprise.access.LocalFolder

/**
 * Writes `index.html` again, on a thread of its own, where the board has changed; and the pages that compare a
 * stage's slow tasks with its median ones, which need the recordings of all executors.
 */
private[profile] final class IndexWriter(
    board: StageBoard,
    folder: FlameFolder,
    names: => FlameNames,
    applicationName: String)
  extends Logging {
  private val local = LocalFolder.make("reprise-flame-index-")
  private val thread = new Thread(() => run(), "reprise-flame-index")
  private val quiet = new QuietThread("reprise-flame-index-pages")
  private var hasChanged = false
  private var isPausing = false
  private var isStopping = false
  private var isFailing = false
  private var others = Seq.empty[String]
  private var nextLook = Long.MinValue

  def start(): Unit = {
    thread.setDaemon(true)
    thread.start()
  }

  /** Called often: who pauses is left to it. */
  def changed(): Unit = synchronized {
    hasChanged = true
    if (!isPausing) notifyAll()
  }

  /** Writes it for the last time. */
  def stop(): Unit = {
    synchronized {
      isStopping = true
      notifyAll()
    }
    thread.join(30000)
    quiet.end()
    try takeUntold()
    catch { case NonFatal(e) => logDebug("pages that no executor told of are not in index.html", e) }
    write(isOver = true)
    LocalFolder.delete(local)
  }

  private def run(): Unit = {
    while (waitForChange()) {
      val cost = quiet.timeOf(write(isOver = false))
      pause(math.max(IndexWriter.pauseMin, math.min(cost * IndexWriter.share, IndexWriter.pauseMax)))
    }
  }

  private def pause(ns: Long): Unit = synchronized {
    val end = System.nanoTime() + ns
    isPausing = true
    while (!isStopping && System.nanoTime() < end) wait(math.max(1, (end - System.nanoTime()) / 1000000))
    isPausing = false
  }

  private def waitForChange(): Boolean = synchronized {
    while (!hasChanged && !isStopping) wait()
    hasChanged = false
    !isStopping
  }

  private def write(isOver: Boolean): Unit = {
    board.synchronized(board.takeToCompare()).foreach { stage =>
      // Its recordings may be deleted meanwhile, to keep to maxBytes.
      try compare(stage)
      catch { case NonFatal(e) => logDebug(s"no page of the slow tasks of stage ${stage.id}", e) }
    }
    try {
      board.synchronized(board.takeForgotten()).foreach(folder.delete)
      writeIndex(isOver)
      isFailing = false
    } catch {
      case NonFatal(e) =>
        if (!isFailing) logWarning("spark.reprise.flameGraph: index.html cannot be written", e)
        isFailing = true
    }
  }

  /** `index.html` is of who wrote it last: each application has one of its own as well. */
  private def writeIndex(isOver: Boolean): Unit = {
    if (isOver || System.nanoTime() >= nextLook) {
      others = folder.names().collect { case IndexWriter.ofApplication(id) if id != names.application => id }.sorted
      nextLook = System.nanoTime() + IndexWriter.pauseMax
    }
    val page = new File(local, "index.html")
    val own = s"app-${names.application}-index.html"
    folder.make(own, page) { html =>
      core("index") { it =>
        it.put("html", html.getAbsolutePath)
        it.put("application", names.application)
        it.put("name", applicationName)
        it.put("isOver", isOver)
        board.synchronized(board.write(it))
        val array = it.putArray("applications")
        others.foreach(id => array.addObject().put("application", id).put("page", s"app-$id-index.html"))
      }
    }
    folder.put(folder.localFile(own).getOrElse(page), "index.html")
  }

  /** Pages whose executor was killed before it could tell of them. */
  private def takeUntold(): Unit = {
    val page = s"app-${Regex.quote(names.application)}-exec-(.+)-stage-(\\d+)-attempt-(\\d+)\\.html".r
    folder.names().foreach {
      case file @ page(executor, stage, attempt) =>
        val id = StageAttempt(stage.toInt, attempt.toInt)
        if (board.synchronized(board.lacks(executor, id))) {
          val name = file.stripSuffix(".html")
          val recording = new File(local, "untold.jfr")
          folder.get(s"$name.jfr", recording)
          val shown = core("page") { it =>
            it.putArray("files").add(recording.getAbsolutePath)
            it.put("html", new File(local, "untold.html").getAbsolutePath)
            it.put("title", name)
            it.put("subtitle", "")
          }
          val written = PageWritten.of(executor, id, name, shown, recording.length(), isLast = false)
          board.synchronized(board.find(id).foreach(_.part(executor).page = Some(written)))
        }
      case _ =>
    }
  }

  private def compare(stage: StageEntry): Unit = {
    val parts = board.synchronized(stage.parts.values.flatMap(_.page).toIndexedSeq)
    // More would take the driver too long: the executors' own pages are there.
    if (parts.map(_.bytes).sum <= IndexWriter.bytesMax) {
      val files = parts.zipWithIndex.map { case (part, i) =>
        folder.localFile(s"${part.name}.jfr").getOrElse {
          val file = new File(local, s"$i.jfr")
          folder.get(s"${part.name}.jfr", file)
          file
        }
      }
      val page = new File(local, "slow.html")
      try {
        val name = s"app-${names.application}-stage-${stage.id.stage}-attempt-${stage.id.attempt}-slow.html"
        if (slowTasks(stage, files, page) > 0) {
          folder.put(page, name)
          board.synchronized(board.find(stage.id).foreach(_.slow = Some(name)))
        }
      } finally files.filter(_.getParentFile == local).foreach(_.delete())
    }
  }

  private def core(what: String)(fill: ObjectNode => Unit): JsonNode =
    if (Thread.currentThread() eq thread) quiet.run(CoreProfile.run(what)(fill)) else CoreProfile.run(what)(fill)

  private def slowTasks(stage: StageEntry, files: Seq[File], page: File): Long =
    core("slow") { it =>
      val array = it.putArray("files")
      files.foreach(file => array.add(file.getAbsolutePath))
      it.put("html", page.getAbsolutePath)
      it.put("title", s"stage ${stage.id.stage}, attempt ${stage.id.attempt}: slow tasks against median tasks")
      it.put("subtitle", s"application ${names.application}, ${stage.name}")
    }.get("tasks").asLong
}

private[profile] object IndexWriter {
  private val ofApplication = "app-(.+)-index\\.html".r
  private val pauseMin = 1000000000L
  private val pauseMax = 120000000000L

  /** It waits so many times as long as the last one took of the processor: a two-thousandth of one core. */
  private val share = 2000L
  private val bytesMax = 256L << 20
}
