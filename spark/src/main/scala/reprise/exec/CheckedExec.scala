package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.SparkPlan

/** Lets the rows of an operator of Spark's pass while what is asserted of them (`spark.reprise.assert`) is checked. */
case class CheckedExec(child: SparkPlan, check: CheckVerdict) extends TransitionExec {
  override def spec: TransitionSpec = TransitionSpec("RepriseCheck", check.metrics)

  override protected def doExecute(): RDD[InternalRow] = Fragment.checked(child, check, metrics)

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}
