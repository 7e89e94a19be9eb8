package reprise.profile

import scala.collection.mutable

import com.fasterxml.jackson.databind.node.ObjectNode
import com.fasterxml.jackson.databind.util.RawValue

/** What an executor has done of a stage, and written. */
private[profile] final class ExecutorPart {
  var tasks = 0L
  var wallMs = 0L
  var cpuMs = 0L
  var page: Option[PageWritten] = None
  var isDropped = false
}

private[profile] final class StageEntry(val id: StageAttempt, val name: String) {
  val parts = mutable.TreeMap.empty[String, ExecutorPart]
  var isOver = false

  /** From its submission to its end, once that is known. */
  var tookMs: Option[Long] = None

  /** Tasks on executors that are not profiled. */
  var unprofiledTasks = 0L
  var slow: Option[String] = None

  /** Whether it is known if there is a page of slow tasks to be. */
  var isCompared = false

  /** What the index shows of it, until something changes: most stages are over. */
  var row: Option[String] = None

  def part(executor: String): ExecutorPart = parts.getOrElseUpdate(executor, new ExecutorPart)
}

/** What the driver knows of the stages' pages: what `index.html` shows. Callers take its lock. */
private[profile] final class StageBoard {
  private val stages = mutable.LinkedHashMap.empty[StageAttempt, StageEntry]
  private val others = mutable.TreeMap.empty[String, OtherPageWritten]
  private val messages = mutable.LinkedHashSet.empty[String]

  /** The newest are kept; who looks at the index of older ones finds their files all the same. */
  def begin(id: StageAttempt, name: String): Unit = {
    stages.getOrElseUpdate(id, new StageEntry(id, name))
    if (stages.size > StageBoard.stagesMax) stages.remove(stages.head._1)
  }

  /** For who changes something of it. */
  def find(id: StageAttempt): Option[StageEntry] = {
    val found = stages.get(id)
    found.foreach(_.row = None)
    found
  }

  /** Those whose files are all gone take their page of slow tasks along. @return its name, where there is one */
  def takeForgotten(): Seq[String] = stages.values.filter { stage =>
    stage.slow.nonEmpty && stage.parts.values.forall(_.isDropped)
  }.flatMap { stage =>
    val name = stage.slow
    stage.slow = None
    stage.row = None
    name
  }.toIndexedSeq

  def add(page: OtherPageWritten): Unit = others(page.executor) = page

  /** Whether a page of the stage would be news. */
  def lacks(executor: String, id: StageAttempt): Boolean =
    find(id).exists(_.parts.get(executor).forall(part => part.page.isEmpty && !part.isDropped))

  /** @return whether it is new */
  def say(message: String): Boolean = messages.size < 1000 && messages.add(message)

  /** Stages that are over and whose pages are all there by now, if it is worth while to compare their tasks. */
  def takeToCompare(): Seq[StageEntry] = {
    val complete = stages.values.filter { stage =>
      !stage.isCompared && stage.isOver && stage.parts.nonEmpty &&
      stage.parts.values.forall(_.page.exists(_.isLast))
    }.toIndexedSeq
    complete.foreach(_.isCompared = true)
    complete.filter { stage =>
      stage.parts.values.forall(!_.isDropped) &&
      stage.parts.values.map(_.tasks).sum > 1 &&
      stage.parts.values.flatMap(_.page).map(_.samples).sum >= StageBoard.samplesMin
    }
  }

  def write(to: ObjectNode): Unit = {
    val array = to.putArray("stages")
    stages.values.foreach { stage =>
      if (stage.row.isEmpty) stage.row = Some(CoreProfile.text(write(stage, _)))
      stage.row.foreach(row => array.addRawValue(new RawValue(row)))
    }
    val otherArray = to.putArray("others")
    others.values.foreach { other =>
      val one = otherArray.addObject()
      one.put("executor", other.executor)
      one.put("page", s"${other.name}.html")
      one.put("cpuSamples", other.cpuSamples)
      one.put("wallSamples", other.wallSamples)
      EventSamples.write(other.otherSamples, one)
    }
    val texts = to.putArray("messages")
    messages.foreach(texts.add)
  }

  private def write(stage: StageEntry, to: ObjectNode): Unit = {
    to.put("stage", stage.id.stage)
    to.put("attempt", stage.id.attempt)
    to.put("name", stage.name)
    to.put("tasks", stage.parts.values.map(_.tasks).sum)
    stage.tookMs.fold(to.putNull("tookMs"))(to.put("tookMs", _))
    to.put("unprofiledTasks", stage.unprofiledTasks)
    to.put("wallMs", stage.parts.values.map(_.wallMs).sum)
    to.put("cpuMs", stage.parts.values.map(_.cpuMs).sum)
    to.put("slow", stage.slow.orNull)
    val executors = to.putArray("executors")
    stage.parts.foreach { case (executor, part) =>
      val one = executors.addObject()
      one.put("executor", executor)
      one.put("page", part.page.map(page => s"${page.name}.html").orNull)
      one.put("isLast", part.page.exists(_.isLast))
      one.put("isDropped", part.isDropped)
      one.put("tasks", part.tasks)
      one.put("wallMs", part.wallMs)
      one.put("cpuMs", part.cpuMs)
      one.put("cpuSamples", part.page.fold(0L)(_.cpuSamples))
      one.put("wallSamples", part.page.fold(0L)(_.wallSamples))
      EventSamples.write(part.page.fold(Array.empty[EventSamples])(_.otherSamples), one)
    }
    val operators = to.putArray("operators")
    stage.parts.values.flatMap(_.page).flatMap(_.operators).groupBy(_.loreId).toIndexedSeq.sortBy(_._1).foreach {
      case (loreId, samples) =>
        val one = operators.addObject()
        one.put("loreId", loreId)
        one.put("name", samples.head.name)
        one.put("samples", samples.map(_.samples).sum)
    }
  }
}

private[profile] object StageBoard {
  val stagesMax = 10000

  /** Fewer samples show no difference between tasks. */
  val samplesMin = 100L
}
