package reprise.exec

import scala.util.control.NonFatal

import org.apache.spark.TaskKilledException
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BindReferences, Expression, Literal, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.ScalarSubquery
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.Platform

import reprise.bridge.{GuestSource, RowSource}

/** What Spark evaluates for an operator of a fragment. */
private[exec] trait TaskGuest extends Serializable {

  /** @param partition what nondeterministic expressions are told */
  def in(partition: Int): RowSource
}

private[exec] object TaskGuest {

  /** The expression with the values of its subqueries, which must be there: no task needs their plans. */
  def known(expression: Expression): Expression =
    expression.transform { case s: ScalarSubquery => Literal.create(s.eval(null), s.dataType) }
}

/**
 * Expressions that Spark evaluates for an operator of a fragment.
 *
 * @param expressions bound to the columns that they read
 * @param columns     how many these are
 */
private[exec] final case class Guests(expressions: Seq[Expression], columns: Int) extends TaskGuest {
  override def in(partition: Int): GuestRows = new GuestRows(this, partition)
}

private[exec] object Guests {
  def apply(expressions: Seq[Expression], reads: Seq[Attribute]): Guests =
    Guests(BindReferences.bindReferences(expressions, reads), reads.length)
}

/** Evaluates guests over rows in the core's memory, by the code that Spark generates for a projection. */
private[exec] final class GuestRows(guests: Guests, partition: Int) extends GuestSource {
  private lazy val projection = {
    val made = UnsafeProjection.create(guests.expressions)
    made.initialize(partition)
    made
  }

  private lazy val types: Array[DataType] = guests.expressions.map(_.dataType).toArray
  private lazy val toUnsafe = UnsafeProjection.create(types)

  /** Each guest alone, to find which of them fail; those that draw numbers would draw other ones. */
  private lazy val alone =
    if (guests.expressions.forall(_.deterministic)) guests.expressions.map(e => UnsafeProjection.create(Seq(e))) else Nil

  private val row = new UnsafeRow(guests.columns)
  private var rows = 0L
  private var offsets = 0L
  private var count = 0
  private var next = 0

  /** Results that did not fit, and what the guests have thrown for their row. */
  private var waiting: UnsafeRow = _
  private var thrown: Array[Throwable] = _

  override def begin(rows: Long, offsets: Long, count: Int): Unit = {
    this.rows = rows
    this.offsets = offsets
    this.count = count
    next = 0
    waiting = null
    thrown = null
  }

  override def failures(): Array[Throwable] = if (waiting == null) thrown else null

  override def fill(to: Long, capacity: Long, lengths: Long, maxRows: Int): Int = {
    if (waiting == null) thrown = null
    val filled = new FilledRows(to, capacity, lengths)
    while (filled.count < maxRows && (waiting != null || next < count)) {
      if (waiting == null) evaluate()
      if (!filled.add(waiting)) return filled.before(waiting)
      waiting = null
      if (thrown != null) return filled.count
    }
    filled.count
  }

  private def evaluate(): Unit = {
    val start = Platform.getInt(null, offsets + 4L * next)
    row.pointTo(null, rows + start, Platform.getInt(null, offsets + 4L * (next + 1)) - start)
    next += 1
    waiting =
      try projection(row)
      catch {
        case killed: TaskKilledException => throw killed
        case NonFatal(e) => oneByOne(e)
      }
  }

  /** The results of those guests that can be evaluated, nulls for the others. */
  private def oneByOne(first: Throwable): UnsafeRow = {
    thrown = Array.fill(types.length)(first)
    val values = Array.fill[Any](types.length)(null)
    for ((guest, i) <- alone.zipWithIndex) {
      try {
        val result = guest(row)
        values(i) = if (result.isNullAt(0)) null else result.copy().get(0, types(i))
        thrown(i) = null
      } catch { case NonFatal(e) => thrown(i) = e }
    }
    // What is common to several guests is evaluated first, whether or not one of them comes to it.
    if (thrown.forall(_ == null)) {
      thrown = Array.fill(types.length)(first)
      java.util.Arrays.fill(values.asInstanceOf[Array[AnyRef]], null)
    }
    toUnsafe(InternalRow.fromSeq(values.toSeq))
  }
}
