package reprise.plugin

import java.util.IdentityHashMap

import org.apache.spark.SparkException
import org.apache.spark.sql.catalyst.expressions.{And, Expression, Generator, NamedExpression}
import org.apache.spark.sql.execution.{ColumnarToRowExec, ProjectExec, SparkPlan, TakeOrderedAndProjectExec}
import org.apache.spark.sql.execution.aggregate.{BaseAggregateExec, HashAggregateExec, ObjectHashAggregateExec, SortAggregateExec}
import org.apache.spark.sql.execution.datasources.WriteFilesExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ShuffleExchangeExec}

import reprise.exec._
import reprise.serialize.{PlanDocument, QueryIdentity, Readiness}

/** Puts native operators and their transitions into a plan where the core's answer says so. */
private[plugin] final class Replacement(
    document: PlanDocument,
    answer: CoreAnswer,
    query: QueryIdentity,
    readiness: Readiness) {
  private val nodes = new IdentityHashMap[SparkPlan, NodeAnswer]
  for ((number, plan) <- document.nodes; node <- answer.nodes.get(number)) nodes.put(plan, node)

  def apply(plan: SparkPlan): SparkPlan = asRows(rebuild(plan))

  /** The plan whose root may be native. Transitions are made afresh. */
  private def rebuild(plan: SparkPlan): SparkPlan = plan match {
    case transition: TransitionExec => rebuild(transition.child)
    case _ =>
      val children = plan.children.map(rebuild)
      val answered = Option(nodes.get(plan))
      (plan, answered.flatMap(_.native)) match {
        case (native: NativeOperatorExec, Some(verdict)) =>
          tagged(native, native.original, native.exprs, verdict, children, guestsIn(document))
        case (native: NativeOperatorExec, None) =>
          tagged(native, native.original, native.exprs, native.verdict, children, guestsOf(native))
        case (spark, Some(verdict)) =>
          tagged(spark, spark, spark.expressions, verdict, children, guestsIn(document))
        case (_, None) if answered.exists(_.isRemoved) => children.head
        case (spark, None) =>
          val made = answered.flatMap(_.record) match {
            case Some(verdict) => recorded(spark, verdict, children)
            case None => spark.withNewChildren(children.map(asRows))
          }
          val checked = answered.flatMap(_.check).fold(made)(CheckedExec(made, _))
          answered.flatMap(_.ledger).fold(checked)(LedgerExec(checked, _, query.token))
      }
  }

  /** The operator stays Spark's, between recorders. */
  private def recorded(spark: SparkPlan, verdict: RecordVerdict, children: Seq[SparkPlan]): SparkPlan = {
    val recording = new Recording(verdict, spark.isInstanceOf[ShuffleExchangeExec] && verdict.output.isDefined)
    val inputs = children.zip(verdict.inputs).zipWithIndex.map {
      case ((child, recorder), i) if recorder.isShared =>
        BroadcastRecorderExec(child, i, recorder, recording)
      case ((child: NativeTakeOrderedExec, recorder), i) => RecorderExec(asRows(child), i, recorder, recording)
      case ((child, recorder), i) => RecorderExec(child, i, recorder, recording)
    }
    val node = spark.withNewChildren(inputs)
    recording.node = node
    (node, verdict.output) match {
      case (_, None) => node
      case (shuffle: ShuffleExchangeExec, Some(recorder)) =>
        withTagsOf(spark, RecordedShuffleExec(shuffle, shuffle.child, recorder, recording))
      case (broadcast: BroadcastExchangeExec, Some(recorder)) =>
        withTagsOf(spark, RecordedBroadcastExec(broadcast, broadcast.child, recorder, recording))
      case (_, Some(recorder)) => RecorderExec(node, Recording.output, recorder, recording)
    }
  }

  private def withTagsOf(from: SparkPlan, made: SparkPlan): SparkPlan = {
    made.copyTagsFrom(from)
    made
  }

  private def tagged(
      from: SparkPlan,
      original: SparkPlan,
      exprs: Seq[Expression],
      verdict: NativeVerdict,
      children: Seq[SparkPlan],
      guests: GuestVerdict => Seq[Expression]): SparkPlan = {
    val inputs = withGuests(verdict, connected(verdict, children), guests)
    val native = (original, verdict.stages) match {
      case (exchange: ShuffleExchangeExec, _) => NativeShuffleExchangeExec(exchange, verdict, exprs, inputs.head)
      case (exchange: BroadcastExchangeExec, _) => NativeBroadcastExchangeExec(exchange, verdict, exprs, inputs.head)
      case (write: WriteFilesExec, _) => NativeWriteFilesExec(write, verdict, exprs, inputs.head)
      case (taken: TakeOrderedAndProjectExec, Some(stages)) if verdict.results.isDefined =>
        val plain = withExpressions(taken, exprs).copy(projectList = taken.child.output)
        NativeTakeOrderedExec(plain, verdict.copy(results = None), stages, plain.expressions, inputs)
      case (_, Some(stages)) => NativeTakeOrderedExec(original, verdict, stages, exprs, inputs)
      case (aggregate: BaseAggregateExec, _) if verdict.results.isDefined =>
        withoutResults(aggregate, exprs, verdict, inputs)
      case _ => NativeExec(original, verdict, exprs, inputs)
    }
    native.copyTagsFrom(from)
    (original, verdict.results) match {
      case (aggregate: BaseAggregateExec, Some(results)) =>
        withResults(withExpressions(aggregate, exprs).resultExpressions, results, native)
      case (taken: TakeOrderedAndProjectExec, Some(results)) =>
        withResults(withExpressions(taken, exprs).projectList, results, native)
      case _ => native
    }
  }

  /** An aggregate that gives its keys and the results of its functions. */
  private def withoutResults(
      aggregate: BaseAggregateExec,
      exprs: Seq[Expression],
      verdict: NativeVerdict,
      inputs: Seq[SparkPlan]): NativeExec = {
    val plain = withExpressions(aggregate, exprs) match {
      case hash: HashAggregateExec => hash.copy(resultExpressions = made(hash))
      case objects: ObjectHashAggregateExec => objects.copy(resultExpressions = made(objects))
      case sorted: SortAggregateExec => sorted.copy(resultExpressions = made(sorted))
    }
    NativeExec(plain, verdict.copy(results = None), plain.expressions, inputs)
  }

  private def made(aggregate: BaseAggregateExec): Seq[NamedExpression] =
    aggregate.groupingExpressions.map(_.toAttribute) ++ aggregate.aggregateAttributes

  /** The projection to what Spark's node gives. */
  private def withResults(
      list: Seq[NamedExpression],
      verdict: NativeVerdict,
      native: SparkPlan): SparkPlan = {
    val project = ProjectExec(list, native)
    NativeExec(project, verdict, project.expressions, withGuests(verdict, Seq(native), guestsIn(document)))
  }

  private def withExpressions[T <: SparkPlan](node: T, exprs: Seq[Expression]): T = {
    val present = exprs.iterator
    node.mapExpressions(_ => present.next()).asInstanceOf[T]
  }

  private def connected(verdict: NativeVerdict, children: Seq[SparkPlan]): Seq[SparkPlan] = {
    if (children.length != verdict.inputs.length && !verdict.readsSplits) {
      throw SparkException.internalError(
        s"${verdict.name} has ${children.length} children and ${verdict.inputs.length} inputs")
    }
    children.zip(verdict.inputs).map {
      case (child @ (_: NativeExec | _: NativeTakeOrderedExec), None) => child
      case (child: ColumnarToRowExec, Some(leaf)) if leaf.readsColumns => FragmentInputExec(child.child, leaf)
      case (child, Some(leaf)) => FragmentInputExec(if (leaf.readsRows) asRows(child) else child, leaf)
      case (child, None) =>
        throw SparkException.internalError(s"${verdict.name} expects ${child.nodeName} to be native")
    }
  }

  private def withGuests(
      verdict: NativeVerdict,
      inputs: Seq[SparkPlan],
      expressions: GuestVerdict => Seq[Expression]): Seq[SparkPlan] =
    inputs.zipWithIndex.map { case (input, i) =>
      verdict.guests.filter(_.input == i).foldLeft(input)((below, guests) => GuestProjectExec(below, guests, expressions(guests)))
    }

  private def guestsIn(document: PlanDocument)(guests: GuestVerdict): Seq[Expression] =
    guests.expressions.map(_.map(document.expressions).reduce(And(_, _)) match {
      case generator: Generator => GeneratedRows(generator)
      case other => other
    })

  /** Those of an operator of an earlier answer, whose numbers are of another document. */
  private def guestsOf(native: NativeOperatorExec)(guests: GuestVerdict): Seq[Expression] = {
    def in(plan: SparkPlan): Seq[Expression] = plan match {
      case node: GuestProjectExec if node.verdict == guests => node.guests
      case node: GuestProjectExec => in(node.child)
      case other => throw SparkException.internalError(s"${native.nodeName} has guests above ${other.nodeName}")
    }
    in(native.children(guests.input))
  }

  private def asRows(plan: SparkPlan): SparkPlan = plan match {
    case native @ (_: NativeExec | _: NativeTakeOrderedExec) =>
      val root = NativeToRowExec(native, answer.nativeToRow)
      Readiness.set(root, readiness)
      root
    case other => other
  }
}
