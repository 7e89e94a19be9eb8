package reprise.plugin

import java.util.UUID

import scala.collection.mutable
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.node.TextNode
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.{
  ApplyColumnarRulesAndInsertTransitions,
  BaseSubqueryExec,
  CollapseCodegenStages,
  CommandResultExec,
  ExecSubqueryExpression,
  InputAdapter,
  QueryExecution,
  ReusedSubqueryExec,
  SparkPlan,
  WholeStageCodegenExec
}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.internal.SQLConf

import reprise.access.QueryEvents
import reprise.bridge.{Native, SessionConf}
import reprise.exec.{NativeExec, OnceChoices, StageTimes}
import reprise.ledger.Ledger
import reprise.report.LiveTab
import reprise.serialize.{LoreTag, PlanDocument, PlanWriter, QueryIdentity, Readiness}

/** The two passes over a plan. An error of the configuration is the user's; anything else leaves Spark's plan alone. */
private[reprise] object Planning extends Logging {

  /** Numbers the operators of a plan that adaptive execution has made anew. */
  def numberAgain(plan: SparkPlan): SparkPlan =
    if (!isTagging) plan else guarded(plan)(identityOf(plan).fold(plan)(number(plan, _)))

  /** Replaces what runs natively, in one stage or, where nothing has been numbered before, in a whole query. */
  def replace(plan: SparkPlan): SparkPlan = {
    if (isTagging) numberAdaptive(plan)
    if (runsNothing(plan) || !SessionConf.switches(SQLConf.get).isEnabled) plan
    else guarded(plan) {
      val known = identityOf(plan)
      val query = known.getOrElse(newIdentity())
      val isFirst = known.isEmpty && isTagging
      val (document, answer) = ask(plan, "replace", query)
      val superseded = if (isFirst) setTags(document, answer, query) else Nil
      query.explain(answer.explain)
      // Of what a command runs its own queries tell.
      if (!QueryEnds.isCommand(plan)) show(query)
      tell(plan, document, answer, query, superseded)
      val replaced = new Replacement(document, answer, query, ready(plan, query))(plan)
      if (isFirst) renumberSubqueries(replaced, query) else replaced
    }
  }

  /** Its parts do, one by one; or they have, when a command was run. */
  private def runsNothing(plan: SparkPlan) = plan match {
    case _: AdaptiveSparkPlanExec | _: CommandResultExec => true
    case _ => false
  }

  private def isTagging = {
    val switches = SessionConf.switches(SQLConf.get)
    switches.isEnabled && switches.isTagging
  }

  /** Numbers what adaptive execution will run of a new query: the whole of it, or what a command writes. */
  private def numberAdaptive(plan: SparkPlan): Unit = plan.foreach {
    case adaptive: AdaptiveSparkPlanExec if identityOf(adaptive).isEmpty =>
      guarded(adaptive)(number(adaptive.executedPlan, newIdentity(), foretells = LiveTab.showsIds(adaptive.session.sparkContext)))
    case _ =>
  }

  private def number(plan: SparkPlan, query: QueryIdentity, foretells: Boolean = false): SparkPlan = {
    val (document, answer) = ask(plan, "tag", query, foretells = foretells)
    setTags(document, answer, query)
    query.explain(answer.explain)
    if (foretells) {
      query.foretold = Explanations.explained(document, answer)
      Explanations.foretell(plan.session.sparkContext, query)
    }
    plan
  }

  /** A query's plan as it is known before it runs. */
  def wholePlan(query: QueryExecution): SparkPlan = query.executedPlan match {
    case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
    case plan => plan
  }

  /**
   * The core's explanation of a plan: with the numbers that its operators have, or with those that they would get where
   * it has never been numbered.
   */
  def explain(plan: SparkPlan, mode: String): String = {
    def asked(query: QueryIdentity) =
      ask(plan, "tag", query, Map("spark.reprise.sql.explain" -> mode, "spark.reprise.lore.strict" -> "false"))._2.explain
    try identityOf(plan).filter(_.ids.nonEmpty).map(asked).filter(_.nonEmpty).getOrElse(asked(newIdentity()))
    catch { case refusal: CoreRefusal => throw refusal.error }
  }

  private def ask(
      plan: SparkPlan,
      pass: String,
      query: QueryIdentity,
      overrides: Map[String, String] = Map.empty,
      foretells: Boolean = false): (PlanDocument, CoreAnswer) = {
    val start = System.nanoTime()
    LateKeys.warn(SQLConf.get)
    val switches = SessionConf.switches(SQLConf.get)
    val isNumbered = query.ids.nonEmpty || !switches.isTagging
    val document = PlanWriter.write(plan, _ eq query, whole = pass == "tag" || !isNumbered, caches = switches.isMasked)
    if (switches.isMasked) Ledger.of(plan.session.sparkContext).foreach(_.hideValues())
    val written = System.nanoTime()
    if (pass == "replace" && query.execution.isEmpty) {
      query.execution = Option(QueryEvents.execution(plan.session.sparkContext)).map(_.longValue)
    }
    val text =
      try Native.plan(document.json, request(pass, query, overrides ++ OnceChoices.overrides(plan, query.token), Ledger.of(plan.session.sparkContext).nonEmpty, foretells))
      catch { case e: IllegalArgumentException => throw new CoreRefusal(e) }
    val answer = CoreAnswer.read(text)
    logDebug(
      s"$pass: ${document.json.length} bytes written in ${(written - start) / 1000} us, " +
        s"answered in ${(System.nanoTime() - written) / 1000} us")
    if (answer.asksForTaskTimes) StageTimes.watch(plan.session.sparkContext)
    if (query.ids.isEmpty && answer.ids.nonEmpty) query.ids = Some(answer.ids)
    (document, answer)
  }

  private def request(
      pass: String,
      query: QueryIdentity,
      overrides: Map[String, String],
      hasLedger: Boolean,
      foretells: Boolean): String = {
    val conf = SessionConf.json(SQLConf.get, overrides)
    val known = query.ids.fold("")(ids => s""","known":${new TextNode(ids)}""")
    val execution = query.execution.fold("")(id => s""","execution":$id""")
    val ledger = if (hasLedger) ""","ledger":true""" else ""
    val foretell = if (foretells) ""","foretell":true""" else ""
    s"""{"conf":$conf,"pass":"$pass","query":"${query.token}","secret":"${query.secret}"$execution$known$ledger$foretell}"""
  }

  /** What others want to know of the decisions. */
  private def tell(
      plan: SparkPlan,
      document: PlanDocument,
      answer: CoreAnswer,
      query: QueryIdentity,
      superseded: Seq[QueryIdentity]): Unit = {
    val context = plan.session.sparkContext
    LiveTab.showsIds(context)
    Explanations.foretell(context, query)
    if (!QueryEnds.isCommand(plan)) Explanations.post(context, document, answer, query, superseded.map(_.token))
    Ledger.of(context).foreach { ledger =>
      // A stage that hides the scan of a cache has that one's verdict, and no number.
      for ((number, node) <- document.nodes; said <- answer.nodes.get(number) if said.isChecksummed && said.loreId > 0) {
        ledger.describe(query.token, said.loreId, node.output.map(_.name))
      }
    }
    // The first number is the root's; what stands below an exchange is a stage of its own.
    QueryEnds.note(context, plan, query, answer, isComplete = answer.nodes.values.exists(_.loreId == 1))
  }

  private def newIdentity() = new QueryIdentity(UUID.randomUUID().toString)

  /** @return the queries whose operators turn out to be this one's: subqueries that were planned before */
  private def setTags(document: PlanDocument, answer: CoreAnswer, query: QueryIdentity): Seq[QueryIdentity] = {
    val superseded = mutable.LinkedHashSet.empty[QueryIdentity]
    for ((number, plan) <- document.nodes; node <- answer.nodes.get(number)) {
      superseded ++= LoreTag.of(plan).map(_.query).filter(_ ne query)
      QueryIdentity.set(plan, query)
      if (node.loreId > 0) {
        LoreTag.set(plan, LoreTag(node.loreId, node.fingerprint, node.occurrence, query))
        QueryIdentity.setMade(plan, node.loreId)
      }
    }
    superseded.foreach(_.isSuperseded = true)
    superseded.toIndexedSeq
  }

  /** The query that the plan's operators belong to, found in those that have been numbered before. */
  private[reprise] def identityOf(plan: SparkPlan): Option[QueryIdentity] = QueryIdentity.of(plan).orElse {
    val below = plan match {
      case stage: QueryStageExec => Seq(stage.plan)
      case reused: ReusedExchangeExec => Seq(reused.child)
      case adaptive: AdaptiveSparkPlanExec => Seq(adaptive.executedPlan)
      case other => other.children
    }
    below.iterator.map(identityOf).collectFirst { case Some(query) => query }
  }

  /**
   * Without adaptive execution Spark prepares subqueries before the query that they stand in, as if each were a query
   * of its own. Now that the whole is numbered, their native operators take their numbers from it.
   */
  private def renumberSubqueries(plan: SparkPlan, query: QueryIdentity): SparkPlan = plan.transformUp { case node =>
    node.transformExpressions {
      case s: ExecSubqueryExpression
          if !s.plan.isInstanceOf[ReusedSubqueryExec] && s.plan.children.exists(_.exists(_.isInstanceOf[NativeExec])) =>
        s.withNewPlan(s.plan.withNewChildren(s.plan.children.map(renumbered(_, query))).asInstanceOf[BaseSubqueryExec])
    }
  }

  private def renumbered(subquery: SparkPlan, query: QueryIdentity): SparkPlan = {
    val (document, answer) = ask(subquery, "replace", query)
    tell(subquery, document, answer, query, Nil)
    renumberSubqueries(new Replacement(document, answer, query, ready(subquery, query))(subquery), query)
  }

  /** Notes what is chosen as a part of the query is made ready. */
  private def ready(plan: SparkPlan, query: QueryIdentity): Readiness = {
    val conf = SQLConf.get
    val chosen = SessionConf.switches(conf).chosen
    query.chosen = QueryEnds.chosen(plan.session.sparkContext, conf.getAllConfs)
    def isAsChosen = SessionConf.switches(SQLConf.get).chosen == chosen
    // Where planning fails the part stays as it is.
    new Readiness(root => if (isAsChosen) None else Some(chosenAgain(root, query)).filterNot(_ eq root))
  }

  /** Replaces anew in a part that has been replaced, now that other operators are chosen. */
  private def chosenAgain(root: SparkPlan, query: QueryIdentity): SparkPlan = guarded(root) {
    val plan = root.transformUp {
      case generated: WholeStageCodegenExec => generated.child
      case input: InputAdapter => input.child
    }
    val (document, answer) = ask(plan, "replace", query)
    tell(plan, document, answer, query, Nil)
    val replaced = new Replacement(document, answer, query, ready(plan, query))(plan)
    // What has given a native operator its columns may give them to one of Spark's now.
    CollapseCodegenStages()(ApplyColumnarRulesAndInsertTransitions(Nil, outputsColumnar = false)(replaced))
  }

  /** Of an adaptive query when it runs. */
  private def show(query: QueryIdentity): Unit = {
    val text = query.takeExplanation()
    if (text.nonEmpty) logWarning(s"Reprise:\n$text")
  }

  /** @return `plan` where the core fails by its own fault, or the plan is deeper than the stack */
  private def guarded(plan: SparkPlan)(pass: => SparkPlan): SparkPlan = {
    def leave(failure: Throwable) = {
      logError("Reprise could not plan this query, which Spark runs alone: this is a bug of Reprise", failure)
      plan
    }
    try pass
    catch {
      // It may be the very command that mends the setting.
      case refusal: CoreRefusal if QueryEnds.isCommand(plan) =>
        logWarning(refusal.error.getMessage)
        plan
      case refusal: CoreRefusal => throw refusal.error
      case overflow: StackOverflowError => leave(overflow)
      case NonFatal(e) => leave(e)
    }
  }
}

/** The core does not take the user's configuration. */
private final class CoreRefusal(val error: IllegalArgumentException) extends RuntimeException(error)
