package reprise.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  EmptyRow,
  GenericInternalRow,
  JoinedRow,
  MutableProjection,
  SpecificInternalRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  AggregateFunction,
  DeclarativeAggregate,
  ImperativeAggregate,
  TypedImperativeAggregate
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.types.DataType

import reprise.bridge.GuestGroupSource

/**
 * An aggregate function that Spark evaluates for an operator of a fragment.
 *
 * @param reads     the columns of its rows, where it reads rows
 * @param inUnsafe  whether its buffers are UnsafeRows, which bound decimals, where they can be
 */
private[exec] final case class GuestFunction(function: AggregateFunction, reads: Option[Seq[Attribute]], inUnsafe: Boolean)
  extends TaskGuest {
  override def in(partition: Int): GuestGroupSource = new GuestGroups(this)

  private[exec] def calls: FunctionCalls = function match {
    case declarative: DeclarativeAggregate => new DeclarativeCalls(declarative, reads.getOrElse(Nil), inUnsafe)
    case imperative: ImperativeAggregate =>
      val bound = reads.fold(imperative)(BindReferences.bindReference(imperative, _))
      bound.withNewMutableAggBufferOffset(0).withNewInputAggBufferOffset(0) match {
        case typed: TypedImperativeAggregate[_] => new TypedCalls(typed)
        case other => new ImperativeCalls(other)
      }
  }
}

private[exec] object GuestFunction {

  /** Those that the verdict names of an aggregate over `input`, when its subqueries have their values. */
  def of(node: SparkPlan, verdicts: Seq[GuestFunctionVerdict], input: SparkPlan): Seq[GuestFunction] = node match {
    case aggregate: BaseAggregateExec =>
      verdicts.map { verdict =>
        val function = aggregate.aggregateExpressions(verdict.index).aggregateFunction
        GuestFunction(
          TaskGuest.known(function).asInstanceOf[AggregateFunction],
          verdict.reads.map(_.map(input.output)),
          verdict.inUnsafe)
      }
    case _ => Nil
  }
}

/** What Spark does with an aggregate function's buffers. A row that is given is valid until the next call. */
private[exec] sealed trait FunctionCalls {
  def initial(): InternalRow
  def update(buffer: InternalRow, row: UnsafeRow): Unit
  def merge(buffer: InternalRow, other: UnsafeRow): Unit
  def handedOn(buffer: InternalRow): UnsafeRow
  def result(buffer: InternalRow): UnsafeRow
}

private final class DeclarativeCalls(function: DeclarativeAggregate, reads: Seq[Attribute], inUnsafe: Boolean)
  extends FunctionCalls {
  private val types: Array[DataType] = function.aggBufferAttributes.map(_.dataType).toArray
  private val joined = new JoinedRow
  private lazy val first = UnsafeProjection.create(function.initialValues)(EmptyRow).copy()
  private lazy val start = MutableProjection.create(function.initialValues, Nil)
  private lazy val updates = MutableProjection.create(function.updateExpressions, function.aggBufferAttributes ++ reads)
  private lazy val merges =
    MutableProjection.create(function.mergeExpressions, function.aggBufferAttributes ++ function.inputAggBufferAttributes)
  private lazy val toUnsafe = UnsafeProjection.create(types)
  private lazy val evaluate = UnsafeProjection.create(Seq(function.evaluateExpression), function.aggBufferAttributes)

  override def initial(): InternalRow =
    if (inUnsafe) first.copy()
    else {
      val row = new SpecificInternalRow(types.toSeq)
      start.target(row)(EmptyRow)
      row
    }

  override def update(buffer: InternalRow, row: UnsafeRow): Unit = updates.target(buffer)(joined(buffer, row))
  override def merge(buffer: InternalRow, other: UnsafeRow): Unit = merges.target(buffer)(joined(buffer, other))
  override def handedOn(buffer: InternalRow): UnsafeRow = toUnsafe(buffer)
  override def result(buffer: InternalRow): UnsafeRow = evaluate(buffer)
}

private sealed class ImperativeCalls(function: ImperativeAggregate) extends FunctionCalls {
  private val types: Array[DataType] = function.aggBufferAttributes.map(_.dataType).toArray
  private lazy val toUnsafe = UnsafeProjection.create(types)
  private lazy val resultToUnsafe = UnsafeProjection.create(Array(function.dataType))
  private val results = new GenericInternalRow(1)

  override def initial(): InternalRow = {
    val row = new SpecificInternalRow(types.toSeq)
    function.initialize(row)
    row
  }

  override def update(buffer: InternalRow, row: UnsafeRow): Unit = function.update(buffer, row)
  override def merge(buffer: InternalRow, other: UnsafeRow): Unit = function.merge(buffer, other)
  override def handedOn(buffer: InternalRow): UnsafeRow = toUnsafe(buffer)

  override def result(buffer: InternalRow): UnsafeRow = {
    results.update(0, function.eval(buffer))
    resultToUnsafe(results)
  }
}

/** Its buffers are objects, which are handed on as bytes. */
private final class TypedCalls(function: TypedImperativeAggregate[_]) extends ImperativeCalls(function) {
  private val serialised = new GenericInternalRow(1)

  override def initial(): InternalRow = {
    val row = new GenericInternalRow(1)
    function.initialize(row)
    row
  }

  override def handedOn(buffer: InternalRow): UnsafeRow = {
    serialised.update(0, buffer.get(0, null))
    function.serializeAggregateBufferInPlace(serialised)
    super.handedOn(serialised)
  }
}
