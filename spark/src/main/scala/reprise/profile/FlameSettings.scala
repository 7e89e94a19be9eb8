package reprise.profile

import java.util.{HashMap => JavaHashMap, Map => JavaMap}

/**
 * What the driver has found out of `spark.reprise.flameGraph.*`, and executors go by.
 *
 * @param options what async-profiler is started with
 * @param wallNs the interval of our own wall clock, 0: there is none
 * @param processorNs how much of the processor a thread uses between two samples of it, by which wall-clock samples may
 *   be counted; 0: they may not
 * @param optionsBesideOwnWall what async-profiler is started with where there is one
 */
final case class FlameSettings(
    prefix: String,
    options: String,
    wallNs: Long,
    processorNs: Long,
    optionsBesideOwnWall: String,
    maxBytes: Long,
    all: Boolean,
    driver: Boolean,
    ranges: Seq[(Long, Long)]) {

  /** @param executor an executor's id, or "driver": the one executor of local mode, and any driver */
  def takes(executor: String): Boolean =
    if (executor == FlameSettings.driverId) driver || all
    else all || executor.toLongOption.exists(id => ranges.exists { case (first, last) => first <= id && id <= last })

  def toMap: JavaMap[String, String] = {
    val map = new JavaHashMap[String, String]()
    map.put("flameGraph.prefix", prefix)
    map.put("flameGraph.options", options)
    map.put("flameGraph.wallNs", wallNs.toString)
    map.put("flameGraph.processorNs", processorNs.toString)
    map.put("flameGraph.optionsBesideOwnWall", optionsBesideOwnWall)
    map.put("flameGraph.maxBytes", maxBytes.toString)
    map.put("flameGraph.all", all.toString)
    map.put("flameGraph.driver", driver.toString)
    map.put("flameGraph.ranges", ranges.map { case (first, last) => s"$first-$last" }.mkString(","))
    map
  }
}

object FlameSettings {

  /** What Spark calls a driver, and the one executor of local mode. */
  val driverId = "driver"

  /** Nothing where the driver said nothing. */
  def of(map: JavaMap[String, String]): Option[FlameSettings] =
    Option(map.get("flameGraph.prefix")).map { prefix =>
      FlameSettings(
        prefix,
        map.get("flameGraph.options"),
        map.get("flameGraph.wallNs").toLong,
        map.get("flameGraph.processorNs").toLong,
        map.get("flameGraph.optionsBesideOwnWall"),
        map.get("flameGraph.maxBytes").toLong,
        map.get("flameGraph.all").toBoolean,
        map.get("flameGraph.driver").toBoolean,
        map.get("flameGraph.ranges").split(',').toSeq.filter(_.nonEmpty).map { range =>
          val Array(first, last) = range.split('-')
          (first.toLong, last.toLong)
        })
    }
}

/** How files are called, without their endings. @param id of the application, as Spark has it */
private[profile] final class FlameNames(id: String) {
  val application: String = id.stripPrefix("app-")

  def of(executor: String, stage: StageAttempt): String =
    s"app-$application-exec-$executor-stage-${stage.stage}-attempt-${stage.attempt}"

  def ofOther(executor: String): String = s"app-$application-exec-$executor-other"
}
