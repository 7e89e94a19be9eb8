package reprise.serialize

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.{MetadataBuilder, StructType}

import reprise.SparkSuite

class PlanWriterSuite extends SparkSuite {

  private def written(df: DataFrame): JsonNode = read(PlanWriter.write(executed(df)))

  private def read(document: PlanDocument): JsonNode = new ObjectMapper().readTree(document.json)

  /** Every JSON object in the document, parents first. */
  private def objects(json: JsonNode): Iterator[JsonNode] =
    (if (json.isObject) Iterator(json) else Iterator.empty) ++ json.elements().asScala.flatMap(objects)

  private def classes(json: JsonNode): Set[String] =
    objects(json).flatMap(o => Option(o.get("class"))).map(_.asText.split('.').last).toSet

  private def firstOf(json: JsonNode, simpleClass: String): JsonNode =
    objects(json)
      .find(o => o.has("class") && o.get("class").asText.endsWith("." + simpleClass))
      .getOrElse(fail(s"no $simpleClass in $json"))

  private def text(node: JsonNode): String = node.toString

  /** What docs/internals/plan-json.md promises of every document. */
  private def check(document: PlanDocument): JsonNode = {
    val json = read(document)
    assert(json.get("version").asInt == 1)
    assert(json.get("spark").asText == org.apache.spark.SPARK_VERSION)
    val seen = scala.collection.mutable.Set.empty[Long]
    objects(json).foreach { o =>
      if (o.has("id") && o.has("class")) assert(seen.add(o.get("id").asLong), s"twice: ${o.get("id")}")
      if (o.has("ref")) assert(seen(o.get("ref").asLong), s"not yet written: $o")
    }
    assert(document.nodes.keySet.subsetOf(seen))
    json
  }

  test("expressions have type, nullability, arguments by name, and children") {
    withSetting("spark.sql.adaptive.enabled", "false") {
      val json = written(spark.range(10).selectExpr("id", "id % 3 as k").where("k < 2 and id in (1, 5)"))
      val less = firstOf(json, "LessThan")
      assert(text(less.get("type")) == "\"boolean\"")
      assert(less.get("nullable").isBoolean)
      assert(less.get("children").size == 2)
      assert(!less.get("args").has("left"))
      val in = firstOf(json, "In")
      assert(text(in.get("args").get("list")) == """[{"child":1},{"child":2}]""")
      assert(text(firstOf(json, "Literal").get("args").get("value")) == "3")
      val range = firstOf(json, "RangeExec").get("args").get("range").get("args")
      assert(range.get("end").asLong == 10 && range.get("start").asLong == 0)
    }
  }

  test("values of every kind") {
    withSetting("spark.sql.optimizer.excludedRules", "org.apache.spark.sql.catalyst.optimizer.ConstantFolding") {
      val df = spark
        .range(1)
        .selectExpr(
          "id + 1",
          "12.50 as d",
          "float('NaN') = 1.5D as f",
          "X'00ff' as b",
          "'a\u00e9\\n' as s",
          "cast(null as string) as n",
          "array(id, 2) as a",
          "map('k', id) as m",
          "named_struct('x', id) as st",
          "date '2020-01-01' as dt")
      val json = text(written(df))
      Seq(
        """{"decimal":"12.50"}""",
        """{"double":"1.5"}""",
        """{"bytes":"AP8="}""",
        "\"a\u00e9\\n\"",
        """"value":null""",
        """"value":18262""",
        """{"enum":"ANSI"}""").foreach(part => assert(json.contains(part), part))
    }
  }

  test("repeated objects are written once") {
    withSetting("spark.sql.adaptive.enabled", "false") {
      val df = spark.range(5).groupBy("id").count()
      val json = check(PlanWriter.write(executed(df.join(df, "id").join(df, "id"))))
      assert(objects(json).exists(_.has("ref")))
    }
  }

  test("data is not written") {
    import spark.implicits._
    val df = Seq(("secret-value", 1), ("another", 2)).toDF("a", "b")
    assert(!text(written(df)).contains("secret-value"))
    assert(text(firstOf(written(df), "LocalTableScanExec").get("args").get("rows")).startsWith("{\"opaque\":"))
  }

  test("deep plans and strange names") {
    val deep = (1 to 1200).foldLeft("id")((e, i) => s"($e + $i)")
    withSetting("spark.sql.optimizer.excludedRules", "org.apache.spark.sql.catalyst.optimizer.ConstantFolding") {
      val thread = new Thread(
        null,
        () => {
          val document = PlanWriter.write(executed(spark.range(3).selectExpr(s"$deep as `half \ud800 pair`")))
          assert(document.json.length > 100000)
        },
        "deep",
        256L << 20)
      thread.start()
      thread.join()
    }
    check(PlanWriter.write(executed(spark.range(3).selectExpr("id as `half \ud800 pair \"`"))))
  }

  test("a Parquet scan shows its relation, with the files' root and without its listing") {
    val folder = Files.createTempDirectory("reprise-test").resolve("t").toString
    spark.range(10).selectExpr("id", "id % 2 as p").write.partitionBy("p").parquet(folder)
    val args = firstOf(written(spark.read.parquet(folder).where("id > 3 and p = 1")), "FileSourceScanExec").get("args")
    val relation = args.get("relation").get("args")
    assert(relation.get("location").get("args").get("rootPaths").get(0).asText == s"file:$folder")
    assert(
      relation.get("fileFormat").get("opaque").asText ==
        "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat")
    assert(text(relation.get("partitionSchema")).contains("\"p\""))
    assert(args.get("partitionFilters").size == 2)
    withSetting("spark.sql.sources.useV1SourceList", "") {
      val v2 = written(spark.read.parquet(folder))
      assert(text(firstOf(v2, "BatchScanExec")).contains("\"rootPaths\""))
    }
  }

  test("a scan of files says what its columns are where files lack them") {
    val folder = Files.createTempDirectory("reprise-test").resolve("t").toString
    spark.range(3).write.parquet(folder)
    def scan(defaults: (String, String)*): JsonNode = {
      val schema = defaults.foldLeft(new StructType().add("id", "long")) { case (columns, (kind, text)) =>
        val default = new MetadataBuilder().putString("EXISTS_DEFAULT", text).build()
        columns.add(s"c${columns.length}", kind, nullable = true, default)
      }
      firstOf(written(spark.read.schema(schema).parquet(folder)), "FileSourceScanExec").get("args").path("existenceDefaults")
    }
    def value(json: JsonNode): String = text(json.get("args").get("value"))
    assert(scan().isMissingNode)
    val defaults = scan("int" -> "7", "string" -> "concat('a', 'b')", "decimal(5,2)" -> "1.5", "int" -> "NULL")
    assert(defaults.size == 5 && defaults.get(0).isNull)
    assert((1 to 4).map(i => value(defaults.get(i))) == Seq("7", "\"ab\"", """{"decimal":"1.50"}""", "null"))
  }

  test("a collation is part of the type") {
    assume(isSince("4.0"), "Spark has no collations before")
    val collated = "string(id) collate UTF8_LCASE"
    val json = text(written(spark.range(1).selectExpr(s"$collated as s", s"array($collated) as a")))
    assert(json.contains("\"string collate UTF8_LCASE\""))
    assert(json.contains("\"array<string collate UTF8_LCASE>\""))
  }

  test("every plan that Spark makes can be written") {
    val folder = Files.createTempDirectory("reprise-test").toString
    spark.sql("create or replace temporary view t as select id, id % 7 as k, string(id) as s from range(100)")
    spark.sql("create or replace temporary view u as select id as id2, id % 5 as k from range(20)")
    spark.sql(s"create table saved using parquet location '$folder/saved' as select * from t")
    spark.sql("cache table cached as select k, count(*) as n from t group by k")
    spark.udf.register("plus", (x: Long) => x + 1)
    val queries = Seq(
      "select k, count(*), sum(id), avg(id) filter (where id > 3), count(distinct s) from t group by k",
      "select k, collect_list(s), percentile(id, 0.5) from t group by k",
      "select * from t join u using (k)",
      "select /*+ merge(u) */ * from t join u using (k)",
      "select /*+ shuffle_hash(u) */ * from t join u using (k)",
      "select * from t left anti join u on t.id = u.id2 and t.s > 'x'",
      "select * from t cross join u where t.id < u.id2",
      "select *, rank() over (partition by k order by id), sum(id) over (order by s rows 3 preceding) from t",
      "select * from (select *, row_number() over (partition by k order by id) as r from t) where r < 3",
      "select * from t order by s limit 7 offset 2",
      "select * from t limit 3",
      "select s from t union all select string(k) from u",
      "select k from t intersect select k from u except select 3",
      "select k, sum(id) from t group by k with rollup having sum(id) > (select avg(id2) from u)",
      "select * from t where k in (select k from u) and exists (select 1 from u where u.id2 = t.id)",
      "select id, (select max(id2) from u where u.k = t.k) as m, plus(id) from t",
      "select explode(split(s, '1')) from t",
      "select * from t tablesample (10 percent)",
      "select /*+ repartition(3, k) */ * from t",
      "select /*+ rebalance(k) */ * from t",
      "select * from cached where n > 1",
      "select transform(array(1, 2), x -> x + id), case when k = 1 then 'a' when k = 2 then 'b' end from t",
      "select * from saved where id > 3",
      "values (1, 'a'), (2, null)",
      "show tables",
      "explain select * from t",
      "describe saved",
      "select current_date(), rand(3), uuid(), input_file_name() from saved",
      "select * from t pivot (sum(id) for k in (1, 2))",
      "select json_tuple(s, 'a') from t",
      "select window(timestamp_seconds(id), '10 seconds'), count(*) from t group by 1",
      "select session_window(timestamp_seconds(id), '10 seconds'), count(*) from t group by 1") ++
      (if (isSince("4.1")) Seq("with recursive r(n) as (select 1 union all select n + 1 from r where n < 5) select * from r") else Nil)
    for (adaptive <- Seq("true", "false"); threshold <- Seq("-1", "10m")) {
      withSetting("spark.sql.adaptive.enabled", adaptive) {
        withSetting("spark.sql.autoBroadcastJoinThreshold", threshold) {
          queries.foreach { query =>
            withClue(s"$query, adaptive=$adaptive: ") {
              val df = spark.sql(query)
              check(PlanWriter.write(executed(df)))
              if (adaptive == "true" && threshold == "10m") {
                df.collect()
                check(PlanWriter.write(executed(df)))
              }
            }
          }
        }
      }
    }
    assert(classes(written(spark.sql(queries(8)))).contains("WindowGroupLimitExec"))
  }
}
