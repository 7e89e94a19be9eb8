package reprise.access

import org.apache.spark.sql.catalyst.expressions.{Attribute, GenericInternalRow}
import org.apache.spark.sql.execution.datasources.{FileFormat, PartitionedFile}

/** What the columns of `_metadata` are of one file. */
object FileMetadata {

  def of(
      file: PartitionedFile,
      columns: Seq[Attribute],
      extractors: Map[String, PartitionedFile => Any]): Array[Any] = {
    val row = new GenericInternalRow(columns.length)
    FileFormat.updateMetadataInternalRow(row, columns.map(_.name), file, extractors, columns.map(_.dataType))
    row.values
  }
}
