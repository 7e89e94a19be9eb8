package org.apache.spark.sql.execution.access

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}
import org.apache.spark.SPARK_VERSION_SHORT
import org.apache.spark.sql.SPARK_VERSION_METADATA_KEY
import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.execution.datasources.{BasicWriteJobStatsTracker, WriteFilesExec, WriteJobDescription}
import org.apache.spark.sql.execution.datasources.parquet.{ParquetFileFormat, ParquetOptions, ParquetReadSupport, ParquetUtils, ParquetWriteSupport}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructField

/** What the core is told of a write of Parquet files. */
object WrittenParquet {

  /** Of a plan: the codec that Spark has chosen, and the settings of parquet-mr's writer, without their "parquet.". */
  def settings(write: WriteFilesExec): Seq[(String, Any)] = write.fileFormat match {
    case _: ParquetFileFormat =>
      val state = write.session.sessionState
      val conf = state.newHadoopConfWithOptions(write.options)
      Seq(
        "codec" -> new ParquetOptions(write.options, state.conf).compressionCodecClassName,
        "hadoop" -> conf.getPropsWithPrefix("parquet.").asScala.toMap)
    case _ => Nil
  }

  /** Why the write is left to Spark although its plan did not tell, if it is. */
  def whyLeft(description: WriteJobDescription, childColumns: Int): Option[String] = {
    // A subclass may look at rows.
    val others = description.statsTrackers.map(_.getClass).filterNot(_ == classOf[BasicWriteJobStatsTracker])
    val writers = description.outputWriterFactory.getClass.getName
    if (others.nonEmpty) Some(s"statistics of ${others.head.getName} are collected, which look at rows")
    else if (!writers.startsWith(ParquetUtils.getClass.getName)) Some(s"its files are written by $writers")
    else if (description.bucketSpec.nonEmpty) Some("buckets are not written natively")
    else if (description.allColumns.length != childColumns) Some("it writes other columns than its child has")
    else None
  }

  /** Of a write that begins: an element of "write" of the core's kind "parquet_write". */
  def write(description: WriteJobDescription): String = {
    val json = JsonNodeFactory.instance.objectNode()
    val conf = description.serializableHadoopConf.value
    val hasIds = conf.getBoolean(SQLConf.PARQUET_FIELD_ID_WRITE_ENABLED.key, false)
    val partition = AttributeSet(description.partitionColumns)
    val columns = json.putArray("columns")
    description.allColumns.zipWithIndex.filterNot { case (column, _) => partition.contains(column) }.foreach {
      case (column, i) =>
        val field = StructField(column.name, column.dataType, column.nullable, column.metadata)
        describe(columns.addObject(), field, i, hasIds)
    }
    val numbers = json.putArray("partitionColumns")
    description.partitionColumns.foreach(p => numbers.add(description.allColumns.indexWhere(_.exprId == p.exprId)))
    val footer = json.putArray("footer")
    def entry(key: String, value: String): Unit = footer.addArray().add(key).add(value)
    entry(SPARK_VERSION_METADATA_KEY, SPARK_VERSION_SHORT)
    entry(ParquetReadSupport.SPARK_METADATA_KEY, conf.get(ParquetWriteSupport.SPARK_ROW_SCHEMA))
    json.put("maxRecordsPerFile", description.maxRecordsPerFile)
    json.toString
  }

  private def describe(to: ObjectNode, field: StructField, i: Int, hasIds: Boolean): Unit = {
    to.put("column", i).put("name", field.name).put("nullable", field.nullable)
    if (hasIds && ParquetUtils.hasFieldId(field)) to.put("fieldId", ParquetUtils.getFieldId(field))
  }
}
