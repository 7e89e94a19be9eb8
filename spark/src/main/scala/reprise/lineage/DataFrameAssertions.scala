package reprise.lineage

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.sql.{Column, DataFrame, Row}
import org.apache.spark.sql.catalyst.{CatalystTypeConverters, InternalRow}
import org.apache.spark.sql.catalyst.expressions.BindReferences
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering
import org.apache.spark.sql.catalyst.plans.logical.Sort
import org.apache.spark.sql.execution.access.LineageAccess
import org.apache.spark.sql.functions.{col, count, lit, max, min, spark_partition_id, sum, when}
import org.apache.spark.sql.types.StructType

import reprise.access.SparkTypes
import reprise.bridge.UserCallSite

/**
 * Conditions on the rows of DataFrames, of the kinds and by the names of those on RDDs ([[ReplayAssertions]]). Values are
 * compared as Spark compares them: null equals null, NaN equals NaN, -0.0 equals 0.0.
 */
trait DataFrameAssertions {
  def sc: SparkContext

  private[lineage] def cleaned[F <: AnyRef](closure: F): F = LineageAccess.clean(sc, closure)

  /** Every row satisfies `p`; checked while the DataFrame is computed. */
  def assertForall(rows: DataFrame)(p: Row => Boolean): DataFrame =
    attached(rows, new Forall("forall", cleaned(p).asInstanceOf[Any => Boolean]))

  /** At least one row of the DataFrame satisfies `p`. A partition without one looks into the others. */
  def assertExists(rows: DataFrame)(p: Row => Boolean): DataFrame = UserCallSite(sc) {
    val checked = new AssertedRdd[Row](rows.rdd, new Exists(cleaned(p).asInstanceOf[Any => Boolean]), subjectOf(rows))
    rows.sparkSession.createDataFrame(checked, rows.schema)
  }

  /** No column has a null. */
  def assertNoNulls(rows: DataFrame): DataFrame = attached(rows, new Forall("no-nulls", Assertions.hasNoNull))

  /** Of each partition that has rows: what they come to by `f` satisfies `p`. */
  def assertReduce(rows: DataFrame)(f: (Row, Row) => Row)(p: Row => Boolean): DataFrame = attached(
    rows, new Reduce(cleaned(f).asInstanceOf[(Any, Any) => Any], cleaned(p).asInstanceOf[Any => Boolean]))

  /** Checked by a job: no two rows have the same values in `columns`; in all of them where none is named. */
  def assertUnique(rows: DataFrame, columns: String*): DataFrame = UserCallSite(sc) {
    val double = grouped(rows, columns)(count(lit(1)), min(col(partition)))(_ > 1)
    if (double.nonEmpty) {
      fail(rows, "unique", Some(double.map(_.getInt(2)).min), "keys that several rows have:" + Sample.list(
        double.map(row => s"${Sample.text(row.get(0))} (${row.get(1)} records, first in partition ${row.get(2)})")))
    }
    rows
  }

  /** Checked by a job: rows with the same values in `columns` are in one partition. */
  def assertPartitioned(rows: DataFrame, columns: String*): DataFrame = UserCallSite(sc) {
    val torn = grouped(rows, columns)(max(col(partition)) - min(col(partition)), min(col(partition)))(_ > 0)
    if (torn.nonEmpty) {
      fail(rows, "partitioning", Some(torn.map(_.getInt(2)).min), "keys in several partitions:" + Sample.list(
        torn.map(row => s"${Sample.text(row.get(0))} (partitions ${row.get(2)} and ${row.getInt(1) + row.getInt(2)})")))
    }
    rows
  }

  /** Checked by a job: rows are in that order, within a partition and from each to the next. */
  def assertSorted(rows: DataFrame, order: Column*): DataFrame = UserCallSite(sc) {
    val (by, input) = plan(rows.sortWithinPartitions(order: _*)).analyzed.collectFirst {
      case sort: Sort => (sort.order, sort.child.output)
    }.get
    val bound = BindReferences.bindReferences(by, input)
    implicit val ordering: Ordering[InternalRow] = new LazilyGeneratedOrdering(bound)
    Assertions.firstFall(OwnRecords.ends(plan(rows).toRdd, (row: InternalRow) => row.copy())).foreach { fall =>
      fail(rows, "sorted", Some(fall.partition),
        s"record ${fall.at} is ${text(fall.after, rows.schema)}, after ${text(fall.before, rows.schema)}")
    }
    rows
  }

  /** The same by names of columns, each ascending. */
  def assertSorted(rows: DataFrame, first: String, more: String*): DataFrame =
    assertSorted(rows, (first +: more).map(rows.col): _*)

  /** Checked by a job: it has at least `min` rows and at most `max`. */
  def assertCount(rows: DataFrame)(min: Long, max: Long): DataFrame = UserCallSite(sc) {
    Assertions.miscounted(plan(rows).toRdd, min, max).foreach(fail(rows, "count", None, _))
    rows
  }

  /** Checked by a job: the same rows as `other` has, each as often, in whatever order; columns by position. */
  def assertEqual(rows: DataFrame, other: DataFrame): DataFrame = UserCallSite(sc) {
    val types = rows.schema.map(_.dataType.catalogString)
    val otherTypes = other.schema.map(_.dataType.catalogString)
    if (types != otherTypes) {
      fail(rows, "equal", None, s"columns of the types ${types.mkString(", ")}, the other's: ${otherTypes.mkString(", ")}")
    }
    def signed(of: DataFrame, sign: Int): DataFrame = numbered(of).withColumn(DataFrameAssertions.sign, lit(sign))
    val names = keys(rows.columns.length)
    val differing = signed(rows, 1)
      .union(signed(other, -1))
      .groupBy(names.map(col): _*)
      .agg(
        sum(col(DataFrameAssertions.sign)).as(DataFrameAssertions.sign),
        min(when(col(DataFrameAssertions.sign) > 0, col(partition))).as(partition))
      .filter(col(DataFrameAssertions.sign) =!= 0)
      .take(Sample.recordsMax)
    if (differing.nonEmpty) {
      val places = differing.toSeq.filterNot(_.isNullAt(names.length + 1)).map(_.getInt(names.length + 1))
      fail(rows, "equal", places.reduceOption(_ min _), "rows that differ:" + Sample.list(differing.toSeq.map { row =>
        val values = Sample.text(Row.fromSeq(row.toSeq.take(names.length)))
        val more = row.getLong(names.length)
        if (more > 0) s"$values ($more more than in the other)" else s"$values (${-more} less than in the other)"
      }))
    }
    rows
  }

  /** The columns by place, so that no two have the same name, and the partition that each row is in. */
  private def numbered(rows: DataFrame): DataFrame =
    rows.toDF(keys(rows.columns.length): _*).withColumn(partition, spark_partition_id())

  /** Some of the groups whose first figure is one of `wanted`: (values, first figure, second). */
  private def grouped(rows: DataFrame, columns: Seq[String])(figure: Column, place: Column)(
      wanted: Column => Column): Seq[Row] = {
    val chosen = if (columns.isEmpty) rows else rows.select(columns.map(rows.col): _*)
    val names = keys(chosen.columns.length)
    numbered(chosen)
      .groupBy(names.map(col): _*)
      .agg(figure.as("figure"), place.as("place"))
      .filter(wanted(col("figure")))
      .take(Sample.recordsMax)
      .toIndexedSeq
      .map(row => Row(Row.fromSeq(row.toSeq.take(names.length)), row.get(names.length), row.get(names.length + 1)))
  }

  private def keys(count: Int): Seq[String] = (0 until count).map(i => s"c$i")

  private def partition = DataFrameAssertions.partition

  private def text(row: InternalRow, schema: StructType): String =
    Sample.text(CatalystTypeConverters.convertToScala(row, schema))

  private def plan(rows: DataFrame) = rows.asInstanceOf[SparkTypes.Dataset[Row]].queryExecution

  private def subjectOf(rows: DataFrame) = Subject("DataFrame", rows.schema.simpleString, None)

  private def attached(rows: DataFrame, assertion: Assertion): DataFrame = {
    val subject = subjectOf(rows)
    rows.mapPartitions { it: Iterator[Row] =>
      val task = TaskContext.get()
      assertion.check(it, subject, if (task == null) 0 else task.partitionId(), () => Iterator.empty)
    }(rows.encoder)
  }

  private def fail(rows: DataFrame, name: String, partition: Option[Int], found: String): Unit =
    throw subjectOf(rows).failure(name, partition, found)
}

private object DataFrameAssertions {
  // Beside c0, c1, …
  val partition = "partition"
  val sign = "sign"
}
