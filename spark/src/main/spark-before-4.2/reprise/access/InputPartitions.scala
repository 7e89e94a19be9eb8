package reprise.access

import org.apache.spark.sql.connector.read.InputPartition
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDDPartition

/** What one partition of a scan of a connector reads. */
object InputPartitions {

  /** Several where partitions of one key are read together. */
  def of(partition: DataSourceRDDPartition): Seq[InputPartition] = partition.inputPartitions
}
