package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.SparkPlan

/**
 * What Spark evaluates for the native operator above, on the batches of its input: columns behind the input's, which
 * that operator alone knows of.
 *
 * @param guests held here so that Spark's rules find and replace them
 */
case class GuestProjectExec(child: SparkPlan, verdict: GuestVerdict, guests: Seq[Expression]) extends TransitionExec {
  override def spec: TransitionSpec = TransitionSpec(verdict.name, verdict.metrics)
  override def argString(maxFields: Int): String = guests.mkString("[", ", ", "]")

  /** What evaluates them in a task, when the subqueries have their values. */
  private[exec] def inTask: Guests = Guests(guests.map(TaskGuest.known), verdict.reads.map(child.output))

  /** Runs `body` when the subqueries of the guests have their values. */
  private[exec] def whenReady[T](body: => T): T = executeQuery(body)

  /** As it is: who asks for rows does not know of the guests. */
  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}
