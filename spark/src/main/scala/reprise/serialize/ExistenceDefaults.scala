package reprise.serialize

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.util.ResolveDefaultColumns
import org.apache.spark.sql.types.{StructField, StructType}

/** The values of a table's columns in files that were written before these were added. */
private[serialize] object ExistenceDefaults {

  private val key = "EXISTS_DEFAULT"

  /** One for each of the columns that a scan reads, null for those without; nothing where none has one. */
  def of(columns: StructType): WrittenSpecially.Arguments =
    if (columns.exists(hasDefault)) {
      Seq("existenceDefaults" -> columns.map(column => if (hasDefault(column)) literal(column) else null))
    } else Nil

  private def hasDefault(column: StructField): Boolean = column.metadata.contains(key)

  /** As Spark's readers make it of the text that the table has, or fail to. */
  private def literal(column: StructField): Literal =
    Literal(ResolveDefaultColumns.existenceDefaultValues(StructType(Seq(column))).head, column.dataType)
}
