package reprise.serialize

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.columnar.{CachedBatch, CachedBatchSerializer}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec
import org.apache.spark.sql.execution.columnar.{DefaultCachedBatchSerializer, InMemoryTableScanExec}

/** Marks a serializer of cached tables whose batches are as those of Spark's own. */
private[reprise] trait SparkCacheFormat

/** The scan of a cached table whose batches are in Spark's own format: a cache may have another serializer. */
private[reprise] object CachedTable {
  def unapply(plan: SparkPlan): Option[InMemoryTableScanExec] = plan match {
    case scan: InMemoryTableScanExec if isSparks(scan.relation.cacheBuilder.serializer) => Some(scan)
    case stage: TableCacheQueryStageExec => unapply(stage.plan)
    case _ => None
  }

  private def isSparks(serializer: CachedBatchSerializer): Boolean =
    serializer.isInstanceOf[SparkCacheFormat] || serializer.getClass == classOf[DefaultCachedBatchSerializer]

  /** Which columns of the table's batches the scan gives. */
  def columns(scan: InMemoryTableScanExec): Array[Int] = {
    val kept = scan.relation.output.map(_.exprId)
    scan.attributes.map(column => kept.indexOf(column.exprId)).toArray
  }

  /** The batches that the scan reads, counted as it counts them. */
  def batches(scan: InMemoryTableScanExec): RDD[CachedBatch] = {
    val relation = scan.relation
    val all = relation.cacheBuilder.cachedColumnBuffers
    val chosen =
      if (!scan.conf.inMemoryPartitionPruning) all
      else all.mapPartitionsWithIndex(relation.cacheBuilder.serializer.buildFilter(scan.predicates, relation.output))
    val rows = scan.metrics("numOutputRows")
    val accumulators = if (scan.enableAccumulatorsForTest) Some((scan.readPartitions, scan.readBatches)) else None
    accumulators.foreach { case (partitions, batches) =>
      partitions.reset()
      batches.reset()
    }
    chosen.mapPartitions { batches =>
      accumulators.filter(_ => batches.hasNext).foreach(_._1.add(1))
      batches.map { batch =>
        accumulators.foreach(_._2.add(1))
        rows += batch.numRows
        batch
      }
    }
  }
}
