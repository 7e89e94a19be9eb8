package reprise.lineage

import org.apache.spark.{SparkContext, SparkException}
import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.functions.{col, desc}

import reprise.SparkSuite

/** All kinds of assertions over DataFrames; needs neither a recording nor the core. */
class DataFrameAssertionsSuite extends SparkSuite {
  private object asserting extends DataFrameAssertions {
    override def sc: SparkContext = spark.sparkContext
  }
  import asserting._

  /** In two partitions: 0 to 4, and 5 to 9. */
  private def table: DataFrame = spark.range(0, 10, 1, 2).selectExpr("id", "if(id = 7, null, id) as v", "double('NaN') as d")

  private def fails(name: String, found: String)(body: => Any): Unit = {
    val said = Iterator
      .iterate(intercept[Throwable](body))(_.getCause)
      .takeWhile(_ != null)
      .map(_.getMessage)
      .mkString("\n")
    assert(said.contains(s"DataFrame $name-assertion error:\n  DataFrame type: struct<"))
    assert(said.contains(found))
  }

  test("forall, no nulls and reduce are checked while the DataFrame is computed") {
    assert(assertForall(table)(_.getLong(0) < 10).count() === 10)
    fails("forall", "partition: 1\n  offending records: 2 of 5\n    [8,8,NaN]\n    [9,9,NaN]")(
      assertForall(table)(_.getLong(0) < 8).collect())
    fails("no-nulls", "partition: 1\n  offending records: 1 of 5\n    [7,null,NaN]")(assertNoNulls(table).collect())
    assert(assertNoNulls(table.select("id")).count() === 10)
    def sum(a: Row, b: Row) = Row(a.getLong(0) + b.getLong(0))
    val ids = table.select("id")
    assert(assertReduce(ids)(sum)(_.getLong(0) < 36).count() === 10)
    fails("reduce", "partition: 1\n  result of 5 records: [35]")(assertReduce(ids)(sum)(_.getLong(0) < 35).collect())
  }

  test("exists looks at all partitions") {
    assert(assertExists(table)(_.isNullAt(1)).count() === 10)
    fails("exists", "offending records: 5 of 5, and none of another partition holds")(
      assertExists(table)(_.getLong(0) > 10).collect())
    val nothing = spark.emptyDataFrame.selectExpr("1 AS one").filter("one > 1")
    fails("exists", "there are no partitions, so no records")(assertExists(nothing)(_ => true).collect())
  }

  test("unique keys") {
    assert(assertUnique(table, "id", "d").count() === 10)
    assertUnique(table)
    fails("unique", "partition: 0\n  keys that several rows have:\n    [0] (2 records, first in partition 0)")(
      assertUnique(table.selectExpr("id % 9 as k"), "k"))
    fails("unique", "[NaN] (10 records, first in partition 0)")(assertUnique(table, "d"))
  }

  test("rows with the same values are in one partition") {
    assertPartitioned(table, "id")
    assertPartitioned(table.repartition(3, (col("id") % 4).as("k")).selectExpr("id % 4 as k"), "k")
    fails("partitioning", "keys in several partitions:\n    [NaN] (partitions 0 and 1)")(assertPartitioned(table, "d"))
  }

  test("sorted, as Spark orders") {
    assertSorted(table, "id")
    assertSorted(table, "d", "id")
    assertSorted(table.sort(desc("v")), col("v").desc)
    fails("sorted", "partition: 1\n  record 2 is [7,null,NaN], after [6,6,NaN]")(assertSorted(table, "v"))
    fails("sorted", "partition: 0\n  record 1 is [1,1,NaN], after [0,0,NaN]")(assertSorted(table, col("id").desc))
    val halves = table.select("id").filter("id >= 5").union(table.select("id").filter("id < 5"))
    fails("sorted", "is [0], after [9]")(assertSorted(halves, "id"))
  }

  test("counts between bounds") {
    assertCount(table)(10, 10)
    fails("count", "10 records, expected 11 to 12\n  by partition: 0: 5, 1: 5")(assertCount(table)(11, 12))
  }

  test("equal to another, in whatever order") {
    assertEqual(table, table.repartition(3))
    val maps = table.selectExpr("map(id, v) as m", "named_struct('a', array(d)) as s")
    assertEqual(maps.select("s"), maps.select("s").sort(desc("s")))
    // Spark groups by maps since 4.0.
    if (isSince("4.0")) assertEqual(maps, maps.sort(desc("s")))
    else intercept[AnalysisException](assertEqual(maps, maps.sort(desc("s"))))
    fails("equal", "[9,9,NaN] (1 more than in the other)")(assertEqual(table, table.filter("id < 9")))
    fails("equal", "[9,9,NaN] (1 less than in the other)")(assertEqual(table.filter("id < 9"), table))
    fails("equal", "columns of the types bigint, the other's: int")(
      assertEqual(table.select("id"), table.selectExpr("int(id) as id")))
  }

  test("a column that there is not is Spark's error") {
    intercept[AnalysisException](assertUnique(table, "nothing"))
    intercept[SparkException](assertForall(table)(_.getLong(0) < 0).count())
  }
}
