package reprise.profile

import scala.collection.mutable

/** The files that an executor has written; the oldest stages' go where there would be more than `maxBytes`. */
private[profile] final class WrittenFiles(folder: FlameFolder, maxBytes: Long) {
  private val stages = mutable.LinkedHashMap.empty[StageAttempt, (String, Long)]
  private var total = 0L

  /**
   * The stage's files are there.
   *
   * @param bytes of both
   * @return the stages whose files had to go
   */
  def note(stage: StageAttempt, name: String, bytes: Long): Seq[StageAttempt] = {
    stages.remove(stage).foreach { case (_, bytesBefore) => total -= bytesBefore }
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
    dropped.toIndexedSeq
  }
}
