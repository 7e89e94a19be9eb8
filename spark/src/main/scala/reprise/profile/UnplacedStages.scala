package reprise.profile

import scala.collection.mutable

/**
 * Stages that are over and whose files could not be put in their place, as where HDFS is away: they are tried again,
 * at growing intervals. One thread at a time.
 *
 * @param maxBytes of all recordings that wait: beyond that the oldest go
 */
private[profile] final class UnplacedStages(maxBytes: Long) {
  private final class Waiting(val state: StageState, var bytes: Long, var pause: Long, var next: Long)
  private val waiting = mutable.LinkedHashMap.empty[StageAttempt, Waiting]

  def isEmpty: Boolean = waiting.isEmpty
  def all: Seq[StageState] = waiting.values.map(_.state).toIndexedSeq

  /** When something is to be tried again. */
  def next: Long = waiting.values.map(_.next).foldLeft(Long.MaxValue)(math.min)

  def due(now: Long): Seq[StageState] = waiting.values.filter(_.next <= now).map(_.state).toIndexedSeq

  def placed(stage: StageAttempt): Unit = waiting.remove(stage)

  /**
   * It could not be put there, once more or for the first time.
   *
   * @param bytes of its recording
   * @return the stages that wait no longer, to keep to `maxBytes`
   */
  def failed(state: StageState, bytes: Long, now: Long): Seq[StageAttempt] = {
    val one = waiting.getOrElseUpdate(state.id, new Waiting(state, bytes, UnplacedStages.pauseMin, now))
    one.bytes = bytes
    one.next = now + one.pause
    one.pause = math.min(one.pause * 2, UnplacedStages.pauseMax)
    val dropped = mutable.ArrayBuffer.empty[StageAttempt]
    while (waiting.size > 1 && waiting.values.map(_.bytes).sum > maxBytes) {
      dropped += waiting.head._1
      waiting.remove(waiting.head._1)
    }
    dropped.toIndexedSeq
  }
}

private[profile] object UnplacedStages {
  val pauseMin = 10000000000L
  val pauseMax = 300000000000L
}
