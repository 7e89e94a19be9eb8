package reprise.access

import org.apache.spark.sql.connector.read.InputPartition
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDDPartition

/** What one partition of a scan of a connector reads. */
object InputPartitions {

  /** One at most: partitions of one key are brought together by an operator of their own. */
  def of(partition: DataSourceRDDPartition): Seq[InputPartition] = partition.inputPartition.toSeq
}
