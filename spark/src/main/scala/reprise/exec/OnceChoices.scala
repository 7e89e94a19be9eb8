package reprise.exec

import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.SparkPlan

import reprise.access.QueryEvents
import reprise.bridge.SessionConf

/**
 * Choices of operators to dump that hold for one query: the first of the session whose dump begins takes them. They are
 * unset when it has ended, so that setting them again, to the same text too, chooses again. Driver.
 */
private[reprise] object OnceChoices {
  private val idsToDump = "spark.reprise.lore.idsToDump"
  private val itsAlias = "spark.rapids.sql.lore.idsToDump"

  /** @param query its token; @param execution none where its RDD is used directly */
  private final case class Taken(query: String, execution: Option[Long])

  /** By session, and what is chosen there. */
  private val taken = new ConcurrentHashMap[(SparkSession, String), Taken]

  /** A dump of the query begins. */
  def begun(node: SparkPlan, query: String): Unit = {
    val switches = SessionConf.switches(node.conf)
    if (switches.isOnce) {
      val execution = Option(QueryEvents.rootExecution(node.session.sparkContext)).map(_.longValue)
      taken.putIfAbsent((node.session, switches.chosen), Taken(query, execution))
    }
  }

  /** The settings by which a plan is made ready: nothing is chosen where what its session has chosen is another query's. */
  def overrides(plan: SparkPlan, query: String): Map[String, String] = {
    val switches = SessionConf.switches(plan.conf)
    val isOthers = switches.isOnce && Option(taken.get((plan.session, switches.chosen))).exists(_.query != query)
    if (isOthers) Map(idsToDump -> "") else Map.empty
  }

  def executionEnded(id: Long): Unit = end(_.execution.contains(id))

  def queryEnded(query: String): Unit = end(_.query == query)

  private def end(isOver: Taken => Boolean): Unit =
    for ((key @ (session, chosen), one) <- taken.asScala.toIndexedSeq if isOver(one)) {
      // They may have been set to something else meanwhile.
      if (SessionConf.switches(session.conf.getAll).chosen == chosen) Seq(idsToDump, itsAlias).foreach(session.conf.unset)
      taken.remove(key)
    }
}
