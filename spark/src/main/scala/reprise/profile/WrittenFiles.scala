package reprise.profile

import java.io.File

import scala.collection.mutable

/** The files that an executor has written; the oldest stages' go where there would be more than `maxBytes`. */
private[profile] final class WrittenFiles(folder: FlameFolder, maxBytes: Long) {
  private val stages = mutable.LinkedHashMap.empty[StageAttempt, (String, Long)]
  private var total = 0L

  /** @return the stages whose files had to go */
  def put(stage: StageAttempt, name: String, recording: File, page: File): Seq[StageAttempt] = {
    folder.put(recording, s"$name.jfr")
    folder.put(page, s"$name.html")
    stages.remove(stage).foreach { case (_, bytes) => total -= bytes }
    val bytes = recording.length() + page.length()
    stages(stage) = (name, bytes)
    total += bytes
    val dropped = mutable.ArrayBuffer.empty[StageAttempt]
    while (total > maxBytes && stages.size > 1) {
      val (oldest, (itsName, itsBytes)) = stages.head
      stages.remove(oldest)
      total -= itsBytes
      Seq("jfr", "html").foreach(ending => folder.delete(s"$itsName.$ending"))
      dropped += oldest
    }
    dropped.toSeq
  }
}
