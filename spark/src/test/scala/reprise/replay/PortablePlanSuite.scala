package reprise.replay

import java.nio.file.Files

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.{ObjectMapper, SerializationFeature}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning
import org.apache.spark.sql.execution.{ColumnarToRowExec, CommandResultExec, FileSourceScanExec, InputAdapter, LocalTableScanExec, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.command.DataWritingCommandExec
import org.apache.spark.sql.execution.datasources.{InsertIntoHadoopFsRelationCommand, WriteFilesExec}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ReusedExchangeExec}
import org.apache.spark.sql.types._

import reprise.SparkSuite
import reprise.access.ElementNames

class PortablePlanSuite extends SparkSuite {
  override protected def settings: Map[String, String] =
    Map("spark.sql.adaptive.enabled" -> "false", "spark.sql.session.timeZone" -> "Europe/Berlin")

  private def isWrapper(node: SparkPlan): Boolean = node match {
    case _: WholeStageCodegenExec | _: InputAdapter | _: ColumnarToRowExec | _: ReusedExchangeExec => true
    case _ => false
  }

  private def rowsOf(node: SparkPlan): RDD[InternalRow] = {
    val schema = node.schema
    val asRows = if (node.supportsColumnar) ColumnarToRowExec(node) else node
    asRows.execute().mapPartitions { rows =>
      val unsafe = UnsafeProjection.create(schema)
      rows.map(row => (row match {
        case u: UnsafeRow => u
        case other => unsafe(other)
      }).copy(): InternalRow)
    }
  }

  private def inputs(portable: PortablePlan, children: Seq[SparkPlan]): Seq[SparkPlan] =
    portable.inputs.zip(children).map { case (input, child) =>
      val rows = child.outputPartitioning match {
        case _: BroadcastPartitioning => rowsOf(broadcast(child).child)
        case _ => rowsOf(child)
      }
      RecordedInputExec(input, rows)
    }

  private def broadcast(node: SparkPlan): BroadcastExchangeLike = node match {
    case b: BroadcastExchangeLike => b
    case other => broadcast(other.children.headOption.getOrElse(other.asInstanceOf[ReusedExchangeExec].child))
  }

  private def hex(rows: RDD[InternalRow]): Seq[String] =
    rows.map(_.asInstanceOf[UnsafeRow].getBytes.map("%02x".format(_)).mkString).collect().sorted.toSeq

  /** Subqueries that have run are literals in the portable form. */
  private def settled(node: SparkPlan): SparkPlan = node.transformExpressions(
    Function.unlift((e: Expression) => PortableForms.valueOf.lift(e)))

  private val reasons = mutable.Map.empty[String, String]
  private val seen = mutable.Set.empty[String]

  /** Writes, reads and runs every operator of a query's plan. */
  private def check(df: DataFrame): Unit = {
    val whole = executed(df)
    df.collect()
    whole.foreach(node => if (!isWrapper(node)) checkOne(node))
  }

  private def checkOne(node: SparkPlan): Unit = {
    val json = sortedMembers(PortablePlan.write(node))
    val name = node.getClass.getSimpleName
    val refusal = new ObjectMapper().readTree(json).path("unportable")
    if (!refusal.isMissingNode) {
      reasons(name) = refusal.asText
    } else {
      seen += name
      try {
        val portable = PortablePlan.open(json)
        // A scan lists its files, a table's rows are of another class; a function is another object each time that it is read.
        if (!isLeaf(node) && !Seq("java", "cell").exists(tag => new String(json).contains("\"" + tag + "\""))) {
          val same = PortablePlan.read(json, node.children)
          assertEqual(same, settled(node))
        }
        if (hasObjects(node) || node.children.exists(hasObjects)) return
        val over = portable.over(inputs(portable, node.children))
        assert(over.output == node.output)
        node match {
          case _: BroadcastExchangeLike => assert(over.executeBroadcast[Any]() != null)
          case _ => assert(hex(rowsOf(over)) == hex(rowsOf(node)), name)
        }
      } catch {
        case NonFatal(e) => throw new AssertionError(s"${e.getMessage.take(1500)}\n$node\n${new String(json).take(4000)}", e)
      }
    }
  }

  private def isLeaf(node: SparkPlan): Boolean = node.isInstanceOf[FileSourceScanExec] || node.isInstanceOf[LocalTableScanExec]

  /** As a dump keeps a document. */
  private def sortedMembers(json: Array[Byte]): Array[Byte] = {
    val mapper = new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
    mapper.writeValueAsBytes(mapper.readValue(json, classOf[java.util.Map[_, _]]))
  }

  private def hasObjects(node: SparkPlan): Boolean = node.output.exists(_.dataType.isInstanceOf[ObjectType])

  /** Names the argument that differs. */
  private def assertEqual(made: SparkPlan, original: SparkPlan): Unit = if (made != original) {
    val (left, right) = (made.asInstanceOf[Product], original.asInstanceOf[Product])
    val names = ElementNames.of(left)
    names.zip(left.productIterator.zip(right.productIterator).toSeq).foreach { case (name, (a, b)) =>
      assert(a == b, s"$name of ${made.nodeName}")
    }
  }

  private def sql(text: String): DataFrame = spark.sql(text)

  override def beforeAll(): Unit = {
    val types = StructType(Seq(
      StructField("k", IntegerType),
      StructField("b", LongType),
      StructField("d", DecimalType(12, 2)),
      StructField("x", DoubleType),
      StructField("s", StringType),
      StructField("day", DateType),
      StructField("at", TimestampType),
      StructField("list", ArrayType(IntegerType)),
      StructField("tags", MapType(StringType, IntegerType))))
    val rows = (0 until 40).map { i =>
      Row(
        if (i % 11 == 0) null else i % 7,
        i.toLong * 100,
        new java.math.BigDecimal(s"$i.25"),
        if (i % 13 == 0) Double.NaN else i / 3.0,
        if (i % 9 == 0) null else s"text-${i % 5}",
        java.sql.Date.valueOf(f"2024-01-${i % 28 + 1}%02d"),
        new java.sql.Timestamp(1700000000000L + i * 3600000L),
        if (i % 8 == 0) null else Seq(i, i + 1),
        Map(s"a$i" -> i, "b" -> 2))
    }
    val folder = Files.createTempDirectory("portable")
    spark.createDataFrame(rows.asJava, types).repartition(3).write.partitionBy("k").parquet(s"$folder/t")
    spark.read.parquet(s"$folder/t").createOrReplaceTempView("t")
    spark.createDataFrame(rows.take(20).asJava, types).write.parquet(s"$folder/u")
    spark.read.parquet(s"$folder/u").createOrReplaceTempView("u")
  }

  test("scans, filters, projections") {
    check(sql("select b + 1, d * 2.5, x, upper(s), day + interval 1 day, at from t where k > 2 and s like 'text%'"))
    check(sql("select array(b, 1), struct(k, s) st, map('a', x) from t"))
    if (isSince("4.0")) check(sql("select cast(s as string) collate UTF8_LCASE = 'TEXT-1' c from t"))
    check(sql("select transform(list, e -> e + 1), filter(list, e -> e > 3), aggregate(list, 0, (a, e) -> a + e) from t"))
    check(sql("select id * 2 from range(0, 100, 1, 3)"))
    check(sql("select * from values (1, 'a', array(1, 2)), (2, null, null) v(a, b, c) where a + rand(3) > 0"))
    check(sql("select * from t tablesample (50 percent) repeatable (7)"))
    check(sql("select date_format(at, 'yyyy-MM-dd'), regexp_replace(s, 't', 'T'), from_json('{\"a\":1}', 'a int') from t"))
    check(sql("select case k when 1 then 'a' when 2 then 'b' else s end, k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) from t"))
  }

  test("aggregates of all kinds") {
    Seq("true", "false").foreach { hash =>
      withSetting("spark.sql.execution.useHashAggregateExec", hash) {
        check(sql("select k, sum(b), avg(d), min(s), max(day), count(*), count(x), stddev(x), first(b) from t group by k"))
      }
    }
    check(sql("select sum(x), sum(d), count(distinct s), count(distinct k) filter (where b > 3) from t"))
    check(sql("select s, collect_list(b), collect_set(k), percentile(b, 0.5), approx_count_distinct(b) from t group by s"))
    check(sql("select k, s, grouping_id(), sum(b) from t group by cube(k, s)"))
    check(sql("select distinct s from t"))
    check(sql("select max_by(s, b), bool_and(k > 0), bit_xor(b), mode(k) from t"))
    if (isSince("4.0")) check(sql("select listagg(s) within group (order by s) from t"))
  }

  test("joins of all kinds") {
    Seq("inner", "left outer", "right outer", "full outer", "left semi", "left anti").foreach { kind =>
      Seq("merge", "shuffle_hash", "broadcast").foreach { hint =>
        check(sql(s"select /*+ $hint(u) */ * from t $kind join u on t.k = u.k and t.b < u.b"))
      }
    }
    check(sql("select * from t where k not in (select k from u where k is not null)"))
    check(sql("select *, exists(select 1 from u where u.b = t.b) e from t"))
    check(sql("select * from t where exists(select 1 from u where u.b = t.b) or k = 3"))
    check(sql("select t.b, u.b from t cross join u where t.x < u.x"))
    withSetting("spark.sql.autoBroadcastJoinThreshold", "-1") {
      check(sql("select t.b, u.b from t cross join u"))
      check(sql("select /*+ merge(u) */ t.b from t join u on t.s = u.s"))
    }
    check(sql("select * from t where b > (select avg(b) from u) and k = (select max(k) from u)"))
    check(sql("select t.* from t join (select k from u where s = 'text-1') v on t.k = v.k"))
  }

  test("windows, sorts, limits, generators, set operations") {
    check(sql("select k, row_number() over (partition by k order by b), sum(d) over (partition by k order by b rows between 1 preceding and current row), lag(s, 1, 'x') over (order by b), ntile(3) over (partition by s order by x desc nulls last) from t"))
    check(sql("select * from (select *, rank() over (partition by k order by b) r from t) where r < 3"))
    check(sql("select * from t order by x desc nulls last, b limit 5"))
    check(sql("select * from t order by d offset 3"))
    check(sql("select b from t limit 5"))
    check(sql("select k, e from t lateral view outer explode(list) l as e"))
    check(sql("select k, p, e from t lateral view posexplode(list) l as p, e"))
    check(sql("select b from t union all select b from u"))
    check(sql("select k from t intersect select k from u"))
    check(sql("select k from t except select k from u"))
    check(sql("select /*+ repartition(3, s) */ * from t"))
    check(sql("select /*+ coalesce(1) */ * from t"))
    check(spark.table("t").repartitionByRange(3, spark.table("t")("x")))
    check(sql("select session_window, count(*) from t group by session_window(at, '90 minutes')"))
    check(sql("select window, count(*) from t group by window(at, '2 hours', '1 hour')"))
    check(sql("select stack(2, k, s, 3, 'x') from t"))
    // Grouped by all other columns, of which maps are since 4.0 alone.
    check(sql("select * from (select b, k, list, s from t) pivot (sum(b) for s in ('text-1', 'text-2'))"))
  }

  test("functions in Scala") {
    spark.udf.register("addOne", (x: Long) => x + 1)
    spark.udf.register("shout", (s: String, list: Seq[Int]) => if (s == null) null else s + list)
    check(sql("select addOne(b), shout(s, list) from t"))
    val session = spark
    import session.implicits._
    val numbers = sql("select b from t").as[Long]
    check(numbers.map(_ + 1).toDF())
    check(numbers.filter(_ > 300L).toDF())
    check(numbers.groupByKey(_ % 3).mapGroups((key, values) => (key, values.sum)).toDF())
    check(numbers.mapPartitions(_.grouped(2).map(_.sum)).toDF())
  }

  test("writes") {
    val tables = System.nanoTime()
    spark.sql(s"create table written_$tables (b long, s string) using parquet partitioned by (s)")
    val result = executed(sql(s"insert into written_$tables select b, s from t")).asInstanceOf[CommandResultExec]
    val nodes = result.commandPhysicalPlan.collect {
      case write: DataWritingCommandExec => write
      case write: WriteFilesExec => write
    }
    val made = nodes.map(node => PortablePlan.read(PortablePlan.write(node), node.children))
    made match {
      case Seq(DataWritingCommandExec(command: InsertIntoHadoopFsRelationCommand, _), files: WriteFilesExec) =>
        assert(command.catalogTable.isEmpty && command.outputColumnNames == Seq("b", "s"))
        assert(files == nodes(1))
      case other => fail(other.toString)
    }
  }

  test("what can't be written says why") {
    check(spark.createDataFrame(spark.sparkContext.parallelize(Seq(Row(1))), new StructType().add("a", "int")))
    sql("cache table cached as select * from t")
    check(sql("select count(*) from cached"))
    assert(reasons("InMemoryTableScanExec") == "it reads a cached table, which lives in its application alone")
    assert(reasons("RDDScanExec") == "it reads an RDD, which lives in its application alone")
  }

  test("every other operator has been written") {
    info(seen.toSeq.sorted.mkString(" "))
    assert(reasons.keySet == Set("InMemoryTableScanExec", "MergingSessionsExec", "RDDScanExec"), reasons)
  }
}
