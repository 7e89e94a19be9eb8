package reprise.profile

import java.util.{Collections, HashMap => JavaHashMap, Map => JavaMap}

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode

/** What the core has found out of `spark.reprise.flameGraph.*` on the driver, and executors go by. */
final class FlameSettings private (node: ObjectNode) {

  /** The directory for all that is made. */
  def prefix: String = node.get("prefix").asText

  /** What async-profiler is started with. */
  def options: String = node.get("options").asText

  /** The interval of our own wall clock, 0: there is none. */
  def wallNs: Long = node.get("wallNs").asLong

  /**
   * How much of the processor a thread uses between two samples of it, by which wall-clock samples may be counted; 0:
   * they may not.
   */
  def processorNs: Long = node.get("processorNs").asLong

  /** What async-profiler is started with where there is a wall clock of our own. */
  def optionsBesideOwnWall: String = node.get("optionsBesideOwnWall").asText

  def maxBytes: Long = node.get("maxBytes").asLong

  /** @param executor an executor's id, or "driver": the one executor of local mode, and any driver */
  def takes(executor: String): Boolean =
    CoreProfile
      .run("takes") { it =>
        it.put("executors", node.get("executors").asText)
        it.put("executor", executor)
      }
      .get("takes")
      .asBoolean

  def withPrefix(prefix: String): FlameSettings = new FlameSettings(node.deepCopy().put("prefix", prefix))

  /** As they travel to executors. */
  def toMap: JavaMap[String, String] = new JavaHashMap[String, String](Collections.singletonMap(FlameSettings.key, node.toString))
}

object FlameSettings {
  private val key = "flameGraph"

  /** What Spark calls a driver, and the one executor of local mode. */
  val driverId = "driver"

  /**
   * Nothing where no profiles are to be taken.
   *
   * @param conf `{key:value}` of what is set
   * @throws reprise.bridge.NativeException for what is wrong with it
   */
  def checked(conf: String): Option[FlameSettings] =
    of(CoreProfile.run("check")(_.set[JsonNode]("conf", CoreProfile.parse(conf))))

  /** Nothing where the driver said nothing. */
  def of(map: JavaMap[String, String]): Option[FlameSettings] =
    Option(map.get(key)).flatMap(text => of(CoreProfile.parse(text)))

  private def of(answer: JsonNode): Option[FlameSettings] = answer match {
    case node: ObjectNode if node.has("prefix") => Some(new FlameSettings(node))
    case _ => None
  }
}

/** How files are called, without their endings. @param id of the application, as Spark has it */
private[profile] final class FlameNames(id: String) {
  val application: String = id.stripPrefix("app-")

  def of(executor: String, stage: StageAttempt): String =
    s"app-$application-exec-$executor-stage-${stage.stage}-attempt-${stage.attempt}"

  def ofOther(executor: String): String = s"app-$application-exec-$executor-other"
}
