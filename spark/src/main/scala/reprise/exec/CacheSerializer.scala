package reprise.exec

import scala.annotation.tailrec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, StringType, UserDefinedType}
import org.apache.spark.storage.StorageLevel

import reprise.serialize.SparkCacheFormat

/**
 * What `spark.sql.cache.serializer` names where the plug-in runs: Spark's own serializer, except that what the core has
 * computed leaves it as batches of the cache, in Spark's format, with no row in between.
 */
final class CacheSerializer extends DefaultCachedBatchSerializer with SparkCacheFormat {

  override def convertInternalRowToCachedBatch(
      input: RDD[InternalRow],
      schema: Seq[Attribute],
      storageLevel: StorageLevel,
      conf: SQLConf): RDD[CachedBatch] = input match {
    case rows: FragmentRDD[_] if conf.columnBatchSize > 0 && schema.forall(column => isEncoded(column.dataType)) =>
      rows.cached(CacheLayout(conf.columnBatchSize, conf.useCompression), schema.length)
    case _ => super.convertInternalRowToCachedBatch(input, schema, storageLevel, conf)
  }

  /** Strings of other collations have bounds by them, and variants a format of their own. */
  @tailrec
  private def isEncoded(dataType: DataType): Boolean = dataType match {
    case user: UserDefinedType[_] => isEncoded(user.sqlType)
    case text: StringType => text == StringType
    case other => other.typeName != "variant"
  }
}
