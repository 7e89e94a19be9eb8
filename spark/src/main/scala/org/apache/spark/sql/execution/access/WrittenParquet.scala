package org.apache.spark.sql.execution.access

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}
import org.apache.spark.SPARK_VERSION_SHORT
import org.apache.spark.sql.SPARK_VERSION_METADATA_KEY
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.datasources.{BasicWriteJobStatsTracker, WriteFilesExec, WriteJobDescription}
import org.apache.spark.sql.execution.datasources.parquet.{ParquetFileFormat, ParquetOptions, ParquetReadSupport, ParquetUtils, ParquetWriteSupport}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{ArrayType, MapType, StructField, StructType}

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
  def whyLeft(description: WriteJobDescription, node: WriteFilesExec): Option[String] = {
    // A subclass may look at rows.
    val others = description.statsTrackers.map(_.getClass).filterNot(_ == classOf[BasicWriteJobStatsTracker])
    val writers = description.outputWriterFactory.getClass.getName
    if (others.nonEmpty) Some(s"statistics of ${others.head.getName} are collected, which look at rows")
    else if (!writers.startsWith(ParquetUtils.getClass.getName)) Some(s"its files are written by $writers")
    else if (description.allColumns.exists(hasUnknownId)) Some("a column has a field id (parquet.field.id) below 0, or one that is no integer")
    else if (description.bucketSpec.nonEmpty && buckets(description, node).isEmpty) Some("its buckets are not Spark's own")
    else if (description.allColumns.length != node.child.output.length) Some("it writes other columns than its child has")
    else None
  }

  /** Libraries of Parquet do not tell ids below 0 from none; of others Spark says what is wrong. */
  private def hasUnknownId(column: Attribute): Boolean = {
    val field = StructField(column.name, column.dataType, column.nullable, column.metadata)
    ParquetUtils.hasFieldId(field) && !Try(ParquetUtils.getFieldId(field)).toOption.exists(_ >= 0)
  }

  /** The columns that its buckets are of, and the number of buckets, where they are Spark's own and not Hive's. */
  private def buckets(description: WriteJobDescription, node: WriteFilesExec): Option[(Seq[Attribute], Int)] =
    for {
      writers <- description.bucketSpec
      spec <- node.bucketSpec
      columns = writers.bucketIdExpression.collect { case column: Attribute => column }
      if writers.bucketIdExpression.semanticEquals(HashPartitioning(columns, spec.numBuckets).partitionIdExpression)
    } yield (columns, spec.numBuckets)

  /** Of a write that begins: an element of "write" of the core's kind "parquet_write". */
  def write(description: WriteJobDescription, node: WriteFilesExec): String = {
    val json = JsonNodeFactory.instance.objectNode()
    val conf = description.serializableHadoopConf.value
    val hasIds = conf.getBoolean(SQLConf.PARQUET_FIELD_ID_WRITE_ENABLED.key, false)
    val partition = AttributeSet(description.partitionColumns)
    json.put("fieldIds", hasIds)
    val columns = json.putArray("columns")
    description.allColumns.zipWithIndex.filterNot { case (column, _) => partition.contains(column) }.foreach {
      case (column, i) =>
        val field = StructField(column.name, column.dataType, column.nullable, column.metadata)
        describe(columns.addObject(), field, i, hasIds)
    }
    val numbers = json.putArray("partitionColumns")
    def number(column: Attribute) = description.allColumns.indexWhere(_.exprId == column.exprId)
    description.partitionColumns.foreach(column => numbers.add(number(column)))
    buckets(description, node).foreach { case (columns, count) =>
      val of = json.putObject("buckets").put("count", count).putArray("columns")
      columns.foreach(column => of.add(number(column)))
    }
    val footer = json.putArray("footer")
    def entry(key: String, value: String): Unit = footer.addArray().add(key).add(value)
    entry(SPARK_VERSION_METADATA_KEY, SPARK_VERSION_SHORT)
    entry(ParquetReadSupport.SPARK_METADATA_KEY, conf.get(ParquetWriteSupport.SPARK_ROW_SCHEMA))
    json.put("maxRecordsPerFile", description.maxRecordsPerFile)
    json.toString
  }

  private def describe(to: ObjectNode, field: StructField, i: Int, hasIds: Boolean): Unit = {
    to.put("column", i).put("name", field.name).put("nullable", field.nullable)
    // What is nullable in it, which the child's may tell otherwise, is in the files' schema.
    field.dataType match {
      case nested @ (_: ArrayType | _: MapType | _: StructType) => to.put("type", nested.json)
      case _ =>
    }
    if (hasIds && ParquetUtils.hasFieldId(field)) to.put("fieldId", ParquetUtils.getFieldId(field))
  }
}
