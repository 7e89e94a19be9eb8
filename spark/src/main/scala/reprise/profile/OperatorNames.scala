package reprise.profile

import scala.collection.mutable

import org.apache.spark.sql.execution.{InputAdapter, QueryExecution, SQLExecution, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

import reprise.exec.NativeOperatorExec
import reprise.serialize.LoreTag

/** What the plans of running queries call their operators. On the driver. */
private[profile] final class OperatorNames {
  // Spark forgets an execution when it ends, which may be before an executor asks.
  private val executions = mutable.LinkedHashMap.empty[Long, QueryExecution]

  /** A stage of this execution begins. */
  def note(executionId: Long): Unit = synchronized {
    if (!executions.contains(executionId)) {
      Option(SQLExecution.getQueryExecution(executionId)).foreach { execution =>
        executions(executionId) = execution
        if (executions.size > OperatorNames.executionsMax) executions.remove(executions.head._1)
      }
    }
  }

  def of(executionId: Long): Array[OperatorName] =
    synchronized(executions.get(executionId)).fold(Array.empty[OperatorName]) { execution =>
      val native = mutable.LinkedHashMap.empty[Long, String]
      // Subqueries number their generated classes anew, so that a number may be that of several.
      val generated = mutable.LinkedHashMap.empty[Long, mutable.LinkedHashSet[String]]
      OperatorNames.walk(execution.executedPlan) {
        case codegen: WholeStageCodegenExec =>
          val names = generated.getOrElseUpdate(codegen.codegenStageId.toLong, mutable.LinkedHashSet.empty)
          names += OperatorNames.within(codegen.child).map(OperatorNames.text).mkString(", ")
        case operator: NativeOperatorExec =>
          LoreTag.of(operator).foreach(tag => native(tag.loreId) = OperatorNames.text(operator))
        case _ =>
      }
      (native.map { case (id, name) => OperatorName(isCodegen = false, id, name) } ++
        generated.map { case (id, names) => OperatorName(isCodegen = true, id, names.mkString(" or ")) }).toArray
    }
}

private[profile] object OperatorNames {
  private val executionsMax = 100

  private def walk(plan: SparkPlan)(visit: SparkPlan => Unit): Unit = {
    visit(plan)
    below(plan).foreach(walk(_)(visit))
  }

  private def below(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case adaptive: AdaptiveSparkPlanExec => Seq(adaptive.executedPlan)
    case stage: QueryStageExec => Seq(stage.plan)
    case reused: ReusedExchangeExec => Seq(reused.child)
    // A stage that reads what is cached may have to compute it.
    case cached: InMemoryTableScanExec => Seq(cached.relation.cachedPlan)
    case other => other.children ++ other.subqueries
  }

  /** The operators whose code is in one class, from the one that gives its rows on. */
  private def within(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case _: InputAdapter => Nil
    case operator => operator +: operator.children.flatMap(within)
  }

  private def text(plan: SparkPlan): String =
    LoreTag.of(plan).fold(plan.nodeName)(tag => s"${plan.nodeName} [loreId=${tag.loreId}]")
}
