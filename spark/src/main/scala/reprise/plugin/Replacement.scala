package reprise.plugin

import java.util.IdentityHashMap

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.SparkPlan

import reprise.exec.{NativeExec, NativeToRowExec, NativeVerdict, RowToNativeExec, TransitionExec}
import reprise.serialize.PlanDocument

/** Puts native operators and their transitions into a plan where the core's answer says so. */
private[plugin] final class Replacement(document: PlanDocument, answer: CoreAnswer) {
  private val verdicts = new IdentityHashMap[SparkPlan, NativeVerdict]
  for ((number, plan) <- document.nodes; node <- answer.nodes.get(number); verdict <- node.native) {
    verdicts.put(plan, verdict)
  }

  def apply(plan: SparkPlan): SparkPlan = if (verdicts.isEmpty) plan else asRows(rebuild(plan))

  /** The plan whose root may be native. Transitions are made afresh. */
  private def rebuild(plan: SparkPlan): SparkPlan = plan match {
    case transition: TransitionExec => rebuild(transition.child)
    case _ =>
      val children = plan.children.map(rebuild)
      (plan, Option(verdicts.get(plan))) match {
        case (native: NativeExec, verdict) =>
          val copy = native.copy(
            verdict = verdict.getOrElse(native.verdict),
            children = connected(native.verdict, children))
          copy.copyTagsFrom(native)
          copy
        case (spark, Some(verdict)) =>
          val native = NativeExec(spark, verdict, spark.expressions, connected(verdict, children))
          native.copyTagsFrom(spark)
          native
        case (spark, None) => spark.withNewChildren(children.map(asRows))
      }
  }

  private def connected(verdict: NativeVerdict, children: Seq[SparkPlan]): Seq[SparkPlan] = {
    if (children.length != verdict.rowInputs.length && !verdict.readsFiles) {
      throw SparkException.internalError(
        s"${verdict.name} has ${children.length} children and ${verdict.rowInputs.length} row inputs")
    }
    children.zip(verdict.rowInputs).map {
      case (child: NativeExec, None) => child
      case (child, Some(_)) => RowToNativeExec(asRows(child), answer.rowToNative)
      case (child, None) =>
        throw SparkException.internalError(s"${verdict.name} expects ${child.nodeName} to be native")
    }
  }

  private def asRows(plan: SparkPlan): SparkPlan = plan match {
    case native: NativeExec => NativeToRowExec(native, answer.nativeToRow)
    case other => other
  }
}
