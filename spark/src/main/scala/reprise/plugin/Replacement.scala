package reprise.plugin

import java.util.IdentityHashMap

import org.apache.spark.SparkException
import org.apache.spark.sql.catalyst.expressions.{And, Expression}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ShuffleExchangeExec}

import reprise.exec._
import reprise.serialize.{PlanDocument, QueryIdentity}

/** Puts native operators and their transitions into a plan where the core's answer says so. */
private[plugin] final class Replacement(document: PlanDocument, answer: CoreAnswer, query: QueryIdentity) {
  private val nodes = new IdentityHashMap[SparkPlan, NodeAnswer]
  for ((number, plan) <- document.nodes; node <- answer.nodes.get(number)) nodes.put(plan, node)

  def apply(plan: SparkPlan): SparkPlan = asRows(rebuild(plan))

  /** The plan whose root may be native. Transitions are made afresh. */
  private def rebuild(plan: SparkPlan): SparkPlan = plan match {
    case transition: TransitionExec => rebuild(transition.child)
    case _ =>
      val children = plan.children.map(rebuild)
      val answered = Option(nodes.get(plan))
      (plan, answered.flatMap(_.native)) match {
        case (native: NativeOperatorExec, verdict) =>
          tagged(native, native.original, native.exprs, verdict.getOrElse(native.verdict), children)
        case (spark, Some(verdict)) =>
          tagged(spark, spark, spark.expressions, verdict, children)
        case (_, None) if answered.exists(_.isRemoved) => children.head
        case (spark, None) =>
          val made = answered.flatMap(_.record) match {
            case Some(verdict) => recorded(spark, verdict, children)
            case None => spark.withNewChildren(children.map(asRows))
          }
          val checked = answered.flatMap(_.check).fold(made)(CheckedExec(made, _))
          answered.flatMap(_.ledger).fold(checked)(LedgerExec(checked, _, query.token))
      }
  }

  /** The operator stays Spark's, between recorders. */
  private def recorded(spark: SparkPlan, verdict: RecordVerdict, children: Seq[SparkPlan]): SparkPlan = {
    val recording = new Recording(verdict)
    val inputs = children.zip(verdict.inputs).zipWithIndex.map {
      case ((child, recorder), i) if recorder.isShared =>
        BroadcastRecorderExec(child, i, recorder, recording)
      case ((child: NativeTakeOrderedExec, recorder), i) => RecorderExec(asRows(child), i, recorder, recording)
      case ((child, recorder), i) => RecorderExec(child, i, recorder, recording)
    }
    val node = spark.withNewChildren(inputs)
    recording.node = node
    verdict.output.fold(node)(RecorderExec(node, Recording.output, _, recording))
  }

  private def tagged(
      from: SparkPlan,
      original: SparkPlan,
      exprs: Seq[Expression],
      verdict: NativeVerdict,
      children: Seq[SparkPlan]): SparkPlan = {
    val inputs = withGuests(verdict, connected(verdict, children))
    val native = (original, verdict.stages) match {
      case (exchange: ShuffleExchangeExec, _) => NativeShuffleExchangeExec(exchange, verdict, exprs, inputs.head)
      case (exchange: BroadcastExchangeExec, _) => NativeBroadcastExchangeExec(exchange, verdict, exprs, inputs.head)
      case (_, Some(stages)) => NativeTakeOrderedExec(original, verdict, stages, exprs, inputs)
      case _ => NativeExec(original, verdict, exprs, inputs)
    }
    native.copyTagsFrom(from)
    native
  }

  private def connected(verdict: NativeVerdict, children: Seq[SparkPlan]): Seq[SparkPlan] = {
    if (children.length != verdict.inputs.length && !verdict.readsSplits) {
      throw SparkException.internalError(
        s"${verdict.name} has ${children.length} children and ${verdict.inputs.length} inputs")
    }
    children.zip(verdict.inputs).map {
      case (child: NativeExec, None) => child
      case (child, Some(leaf)) => FragmentInputExec(if (leaf.readsRows) asRows(child) else child, leaf)
      case (child, None) =>
        throw SparkException.internalError(s"${verdict.name} expects ${child.nodeName} to be native")
    }
  }

  private def withGuests(verdict: NativeVerdict, inputs: Seq[SparkPlan]): Seq[SparkPlan] =
    verdict.guests.fold(inputs) { guests =>
      Seq(GuestProjectExec(inputs.head, guests, guests.expressions.map(_.map(document.expressions).reduce(And(_, _)))))
    }

  private def asRows(plan: SparkPlan): SparkPlan = plan match {
    case native @ (_: NativeExec | _: NativeTakeOrderedExec) => NativeToRowExec(native, answer.nativeToRow)
    case other => other
  }
}
