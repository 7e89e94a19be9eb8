package reprise.replay

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, BoundReference, JoinedRow, SpecificInternalRow, UnsafeProjection}
import org.apache.spark.sql.types.IntegerType

/** Rows with the numbers of the partitions that a shuffle sends them to. */
private[reprise] object DividedRows {

  /** `rows` and behind them the number, named as in the core's specification. */
  def columns(rows: Seq[Attribute]): Seq[Attribute] =
    rows :+ AttributeReference("spark_partition_id", IntegerType, nullable = false)()

  /** Of pairs of number and row: the rows with the number in their last column. */
  def together(divided: RDD[_ <: Product2[Int, InternalRow]], rows: Seq[Attribute]): RDD[InternalRow] = {
    val types = columns(rows).map(_.dataType).toArray
    divided.mapPartitions { pairs =>
      val project = UnsafeProjection.create(types)
      val number = new SpecificInternalRow(Seq(IntegerType))
      val both = new JoinedRow()
      pairs.map { pair =>
        number.setInt(0, pair._1)
        project(both(pair._2, number))
      }
    }
  }

  /** The opposite. A sorting writer of a shuffle keeps rows, so they are copied. */
  def apart(together: RDD[InternalRow], rows: Seq[Attribute]): RDD[Product2[Int, InternalRow]] = {
    val fields = rows.zipWithIndex.map { case (column, i) => BoundReference(i, column.dataType, column.nullable) }
    together.mapPartitions { all =>
      val project = UnsafeProjection.create(fields)
      all.map(row => (row.getInt(fields.length), project(row).copy()))
    }
  }
}
