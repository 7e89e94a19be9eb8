package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.SparkPlan

import reprise.bridge.UserCallSite

/** The rows of a native broadcast, on the driver. */
private[exec] object RelationRows {
  def of(encoded: Array[Array[Byte]], leaf: LeafSpec, plan: SparkPlan): Array[InternalRow] = UserCallSite(plan.session.sparkContext) {
    val blocks: RDD[Array[Byte]] = plan.session.sparkContext.parallelize(encoded.toList, 1)
    val rows = Fragment.rowsOf(BlockLeaf(blocks), leaf, plan)
    rows.map(_.asInstanceOf[UnsafeRow].copy(): InternalRow).collect()
  }
}
