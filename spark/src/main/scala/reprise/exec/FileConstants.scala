package reprise.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, FileSourceConstantMetadataAttribute}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.apache.spark.sql.types.{StructField, StructType}

import reprise.access.FileMetadata

/**
 * What all rows of a split have alike: the columns of its folders, which Spark's splits have, and of its file's metadata.
 *
 * @param extractors what gives those of the metadata that not all formats have
 */
private[exec] final case class FileConstants(
    folders: StructType,
    metadata: Seq[AttributeReference],
    extractors: Map[String, PartitionedFile => Any]) {

  def schema: StructType = StructType(folders ++ metadata.map(a => StructField(a.name, a.dataType, a.nullable)))

  /** The split with the values of all of them. */
  def addedTo(split: FilePartition): FilePartition =
    if (metadata.isEmpty) split
    else {
      val types = folders.map(_.dataType)
      split.copy(files = split.files.map { file =>
        val values = FileMetadata.of(file, metadata, extractors)
        file.copy(partitionValues = InternalRow.fromSeq(file.partitionValues.toSeq(types) ++ values))
      })
    }
}

private[exec] object FileConstants {

  def of(scan: FileSourceScanExec): FileConstants = FileConstants(
    scan.relation.partitionSchema,
    scan.output.collect { case FileSourceConstantMetadataAttribute(attribute) => attribute },
    scan.relation.fileFormat.fileConstantMetadataExtractors)
}
