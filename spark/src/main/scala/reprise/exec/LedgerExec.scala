package reprise.exec

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.SparkPlan

import reprise.bridge.UserCallSite
import reprise.ledger.ChecksummedRows

/** Checksums what an operator of Spark's gives, for the ledger. @param request the core's; @param query its token */
case class LedgerExec(child: SparkPlan, request: String, query: String) extends TransitionExec {
  override def spec: TransitionSpec = LedgerExec.spec

  override protected def doExecute(): RDD[InternalRow] = UserCallSite(sparkContext) {
    val (columns, asked, token) = (schema, request, query)
    child.execute().mapPartitions(
      rows => new ChecksummedRows(rows, columns, asked, token, TaskContext.get()),
      preservesPartitioning = true)
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object LedgerExec {
  private val spec = TransitionSpec("RepriseLedger", Nil)
}
