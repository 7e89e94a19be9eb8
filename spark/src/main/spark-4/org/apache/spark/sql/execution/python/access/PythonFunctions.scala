package org.apache.spark.sql.execution.python.access

import org.apache.spark.{JobArtifactSet, SparkException, TaskContext}
import org.apache.spark.api.python.{ChainedPythonFunctions, PythonEvalType}
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  NamedArgumentExpression,
  PythonFuncExpression,
  PythonUDAF,
  PythonUDF,
  UnsafeProjection
}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.python.{
  ArrowEvalPythonExec,
  ArrowPythonRunner,
  FlatMapGroupsInArrowExec,
  FlatMapGroupsInBatchExec,
  MapInBatchExec,
  PandasGroupUtils
}
import org.apache.spark.sql.execution.python.EvalPythonExec.ArgumentMetadata
import org.apache.spark.sql.types.{DataType, IntegerType, StructField, StructType}
import org.apache.spark.sql.types.DataType.equalsIgnoreCompatibleCollation
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnarBatch, ColumnVector}

/**
 * The functions of one node that Python's workers run, and all that Spark's runner of them must be told.
 *
 * @param places    for each function which columns it gets, in front those of its frame; none where its arguments are
 *                  rows
 * @param offsets   then: which of the columns the rows have, in the form that Spark's runner knows
 * @param isGrouped rows are given group by group
 * @param schema    of the columns that are sent
 * @param expected  the types of what is to come back
 * @param name      of what is run, for errors
 */
final case class PythonFunctions(
    functions: Seq[(ChainedPythonFunctions, Long)],
    evalType: Int,
    places: Option[Array[Array[ArgumentMetadata]]],
    offsets: Array[Int],
    isGrouped: Boolean,
    schema: StructType,
    expected: Seq[DataType],
    name: String,
    timeZone: String,
    settings: Map[String, String],
    metrics: Map[String, SQLMetric],
    artifacts: Option[String],
    session: Option[String],
    profiler: Option[String]) {

  /** The columns that come back are the fields of one. */
  def givesFields: Boolean = places.isEmpty

  /** What the worker gives for the messages; in the task, when it is asked for. */
  def run(messages: ArrowMessages, context: TaskContext): Iterator[ColumnarBatch] =
    PythonRunners.of(this, messages).compute(Iterator.empty, context.partitionId(), context)

  /** @throws Throwable where the worker has given columns of other types than it was to, as Spark throws it */
  def check(batch: ColumnarBatch): Unit = {
    val types = (0 until batch.numCols).map(batch.column(_).dataType())
    if (!givesFields) {
      if (!equalsIgnoreCompatibleCollation(expected, types)) throw PythonRunners.mismatch(name, expected, types)
    } else if (!isGrouped && PythonRunners.isWrong(types.head, expected.head)) {
      throw PythonRunners.mismatch(name, expected, types)
    } else {
      checkFields(batch.column(0).asInstanceOf[ArrowColumnVector], expected.head.asInstanceOf[StructType], batch.numRows)
    }
  }

  /** Spark takes fields by their place, and meets one of another type where it reads a value of it. */
  private def checkFields(all: ColumnVector, fields: StructType, rows: Int): Unit = {
    val columns = all.dataType().asInstanceOf[StructType]
    val isRight = columns.length == fields.length && columns.zip(fields).forall { case (found, field) =>
      DataType.equalsIgnoreNullability(found.dataType, field.dataType)
    }
    if (!isRight) {
      val read = new ColumnarBatch(fields.indices.map(all.getChild).toArray[ColumnVector], rows)
      val projection = UnsafeProjection.create(fields)
      read.rowIterator.forEachRemaining(projection(_))
      throw PythonRunners.mismatch(name, Seq(fields), Seq(columns))
    }
  }
}

object PythonFunctions {

  /**
   * @param places  of each function whose arguments are columns: which of those that are sent it gets
   * @param metrics those of the node, Spark's own among them
   */
  def of(node: SparkPlan, places: Seq[Seq[Int]], metrics: Map[String, SQLMetric]): PythonFunctions = node match {
    case eval: ArrowEvalPythonExec =>
      withArguments(node, eval.udfs, eval.evalType, places, metrics)
        .copy(expected = eval.resultAttrs.map(_.dataType), name = "pandas_udf()")
    case map: MapInBatchExec => mapped(map, metrics)
    case groups: FlatMapGroupsInBatchExec => grouped(groups, metrics)
    case PythonRunners.Aggregate(functions, evalType) => ofGroups(node, functions, evalType, places, metrics)
    case PythonRunners.Window(expressions, evalType) =>
      val functions = expressions.map(_.collectFirst { case function: PythonUDAF => function }.get)
      val frames = functions.zip(places).map { case (function, all) =>
        if (all.length > chained(function)._2.length) "bounded" else "unbounded"
      }
      val run = ofGroups(node, functions, evalType, places, metrics)
      run.copy(settings = run.settings + (PythonRunners.windowBounds -> frames.mkString(",")))
    case other => throw SparkException.internalError(s"${other.nodeName} runs no functions of Python over Arrow")
  }

  private def ofGroups(
      node: SparkPlan,
      functions: Seq[PythonUDAF],
      evalType: Int,
      places: Seq[Seq[Int]],
      metrics: Map[String, SQLMetric]): PythonFunctions =
    withArguments(node, functions, evalType, places, metrics).copy(expected = functions.map(_.dataType), isGrouped = true)

  /** In front of a function's arguments stand the columns of its frame, where it has one. */
  private def withArguments(
      node: SparkPlan,
      functions: Seq[PythonFuncExpression],
      evalType: Int,
      places: Seq[Seq[Int]],
      metrics: Map[String, SQLMetric]): PythonFunctions = {
    val (run, arguments) = functions.map(chained).unzip
    val placed = places.zip(arguments).map { case (all, own) => all.takeRight(own.length).zip(own) }
    val metadata = places.zip(placed).map { case (all, own) =>
      all.dropRight(own.length).map(ArgumentMetadata(_, None)) ++ own.map {
        case (place, NamedArgumentExpression(key, _)) => ArgumentMetadata(place, Some(key))
        case (place, _) => ArgumentMetadata(place, None)
      }
    }
    val types = placed.flatten.map { case (place, argument) => place -> argument.dataType }.toMap
    val count = places.flatten.maxOption.fold(0)(_ + 1)
    val schema = StructType((0 until count).map(i => StructField(s"_$i", types.getOrElse(i, IntegerType))))
    described(node, run, evalType, schema, metrics).copy(places = Some(metadata.map(_.toArray).toArray))
  }

  /** As Spark chains them: the innermost gets the arguments. */
  private def chained(function: PythonFuncExpression): ((ChainedPythonFunctions, Long), Seq[Expression]) =
    function.children match {
      case Seq(inner: PythonFuncExpression) =>
        val ((before, _), arguments) = chained(inner)
        ((ChainedPythonFunctions(before.funcs :+ function.func), function.resultId.id), arguments)
      case arguments => ((ChainedPythonFunctions(Seq(function.func)), function.resultId.id), arguments)
    }

  private def mapped(node: MapInBatchExec, metrics: Map[String, SQLMetric]): PythonFunctions =
    overRows(node, asOne(DataTypeUtils.fromAttributes(node.child.output)), metrics)

  private def grouped(node: FlatMapGroupsInBatchExec, metrics: Map[String, SQLMetric]): PythonFunctions = {
    val (columns, offsets) = PandasGroupUtils.resolveArgOffsets(node.child.output, node.groupingAttributes)
    val rows = DataTypeUtils.fromAttributes(columns)
    val schema = if (node.isInstanceOf[FlatMapGroupsInArrowExec]) asOne(rows) else rows
    overRows(node, schema, metrics).copy(offsets = offsets, isGrouped = true)
  }

  private def asOne(rows: StructType) = StructType(Seq(StructField("struct", rows)))

  /** Of a node whose only function gets rows. */
  private def overRows(node: SparkPlan, schema: StructType, metrics: Map[String, SQLMetric]): PythonFunctions = {
    val function = node.expressions.collectFirst { case udf: PythonUDF => udf }.getOrElse {
      throw SparkException.internalError(s"${node.nodeName} has no function of Python")
    }
    described(node, Seq(chained(function)._1), function.evalType, schema, metrics)
      .copy(expected = Seq(function.dataType))
  }

  private def described(
      node: SparkPlan,
      functions: Seq[(ChainedPythonFunctions, Long)],
      evalType: Int,
      schema: StructType,
      metrics: Map[String, SQLMetric]): PythonFunctions = {
    val conf = node.conf
    PythonFunctions(
      functions,
      evalType,
      places = None,
      offsets = Array(0),
      isGrouped = false,
      schema,
      expected = Nil,
      name = PythonEvalType.toString(evalType),
      conf.sessionLocalTimeZone,
      ArrowPythonRunner.getPythonRunnerConfMap(conf),
      metrics,
      JobArtifactSet.getCurrentJobArtifactState.map(_.uuid),
      PythonRunners.sessionOf(node),
      conf.pythonUDFProfiler)
  }
}
