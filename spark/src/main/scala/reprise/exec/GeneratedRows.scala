package reprise.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Generator, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.DataType

/** All rows that a generator makes of one, as an array of structs. */
private[reprise] final case class GeneratedRows(child: Expression) extends UnaryExpression with CodegenFallback {
  override def dataType: DataType = child.dataType
  override def nullable: Boolean = false

  override def eval(input: InternalRow): Any =
    new GenericArrayData(rows(input).map(_.copy()).toArray[Any])

  /** What Scala 2.12 and 2.13 give is alike only as what a flatMap takes. */
  private def rows(input: InternalRow): Iterator[InternalRow] =
    Iterator.single(child.asInstanceOf[Generator]).flatMap(_.eval(input))

  override protected def withNewChildInternal(newChild: Expression): GeneratedRows = copy(child = newChild)
}
