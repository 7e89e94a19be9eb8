package reprise.profile

import java.io.{File, IOException}
import java.nio.file.{Files, StandardCopyOption}

import scala.util.Using

import one.profiler.AsyncProfiler

import reprise.bridge.{NativeLibrary, NativeProfile}

/**
 * async-profiler in this process: one continuous recording, whose chunks are ended at will.
 *
 * @param folder where its library and its recording are kept
 */
private[profile] final class Profiler(folder: File) {
  val recording = new File(folder, "recording.jfr")
  private val profiler: AsyncProfiler = {
    val library = new File(folder, "libasyncProfiler.so")
    val in = getClass.getResourceAsStream(s"/${NativeLibrary.platform.profiler}/libasyncProfiler.so")
    if (in == null) throw new IOException("the jar has no async-profiler in it")
    Using.resource(in)(Files.copy(_, library.toPath, StandardCopyOption.REPLACE_EXISTING))
    AsyncProfiler.getInstance(library.getAbsolutePath)
  }

  /**
   * Starts the recording.
   *
   * The wall clock of threads that run tasks is ours, where the options let it: see `core/profile/wall_clock.h`.
   *
   * @return what had to be done otherwise
   */
  def start(settings: FlameSettings): Seq[String] =
    if (settings.wallNs == 0) startWithEvent(settings.options)._2.toIndexedSeq
    else {
      val (event, said) = startWithEvent(settings.optionsBesideOwnWall)
      // Its signals go to whichever thread runs: no thread is sure to have one.
      val processorNs = if (event.contains("itimer")) 0 else settings.processorNs
      Option(NativeProfile.beginWallClock(settings.wallNs, processorNs)) match {
        case None => said.toIndexedSeq
        case Some(reason) =>
          profiler.stop()
          startWithEvent(settings.options)._2.toIndexedSeq :+ s"async-profiler's own wall clock samples all threads: $reason"
      }
    }

  /** Where an event cannot be had, the next best is taken. @return which it is, and what had to be done otherwise */
  private def startWithEvent(options: String): (Option[String], Option[String]) = {
    val event = "event=([^,]*)".r.findFirstMatchIn(options).map(_.group(1))
    event match {
      case None =>
        execute(s"start,$options")
        (None, None)
      case Some(wanted) =>
        val others = Seq("ctimer", "itimer").filter(_ != wanted)
        var reason: String = null
        val taken = (wanted +: others).find { one =>
          try {
            start(one, options.replace(s"event=$wanted", s"event=$one"))
            true
          } catch {
            case e: IllegalStateException =>
              if (reason == null) reason = e.getMessage
              false
          }
        }
        taken match {
          case Some(`wanted`) => (taken, None)
          case Some(other) =>
            (taken, Some(s"event=$wanted cannot be recorded on this machine ($reason); $other is taken instead"))
          case None => throw new IllegalStateException(reason)
        }
    }
  }

  /**
   * Of an event that is not to be had, such as `cache-misses` in a virtual machine, async-profiler would warn once for
   * each thread. The next command has it warn again.
   */
  private def start(event: String, options: String): Unit = {
    val quietly = if (Profiler.processorTime.contains(event)) "" else ",loglevel=error"
    execute(s"start,$options$quietly")
  }

  /** Ends the chunk that is being written and begins another one. */
  def endChunk(): Unit = {
    NativeProfile.endingChunk(true)
    try profiler.execute("dump,jfr")
    finally NativeProfile.endingChunk(false)
  }

  def stop(): Unit = {
    NativeProfile.endWallClock()
    profiler.stop()
  }

  private def execute(command: String): Unit = profiler.execute(s"$command,file=${recording.getAbsolutePath}")
}

private object Profiler {
  private val processorTime = Set("cpu", "ctimer", "itimer")
}
