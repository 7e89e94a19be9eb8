package reprise.plugin

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.execution.{FilterExec, InputAdapter, SparkPlan, WholeStageCodegenExec}

import reprise.SparkSuite
import reprise.exec.{NativeExec, NativeToRowExec, FragmentInputExec}
import reprise.serialize.{LoreTag, PlanWriter, QueryIdentity, Readiness}

/** Answers of the core are written by hand here: what the plug-in makes of them is tested, not the rules. */
class ReplacementSuite extends SparkSuite {

  /** A plan as the columnar rule sees it. */
  private def plan(df: DataFrame): SparkPlan =
    executed(df).transformUp {
      case w: WholeStageCodegenExec => w.child
      case i: InputAdapter => i.child
    }

  /** An answer that makes the nodes native that `isNative` names by their class. */
  private def replaced(plan: SparkPlan, isNative: String => Boolean, firstLore: Int = 1): SparkPlan = {
    val document = PlanWriter.write(plan)
    def native(p: SparkPlan) = isNative(p.getClass.getSimpleName)
    val nodes = document.nodes.toSeq.sortBy(_._1).map { case (id, p) =>
      val rows = p.children.map(c => if (native(c)) "null" else """{"kind":"row_input","name":"RepriseRowToNative"}""").mkString(",")
      val verdict = s""","native":{"name":"Reprise${p.nodeName}","arguments":"[loreId=${id + firstLore}]",
        "operator":{"kind":"x","lore_id":${id + firstLore}},"input":"children","inputs":[$rows],"metrics":[]}"""
      val more = if (native(p)) verdict else ""
      s"""{"id":$id,"loreId":${id + firstLore},"fingerprint":"ab","occurrence":"x#0"$more}"""
    }
    val transitions = """"rowToNative":{"name":"RepriseRowToNative","metrics":[]},
      "nativeToRow":{"name":"RepriseNativeToRow","metrics":[]}"""
    val answer = CoreAnswer.read(s"""{"ids":"","explain":"","nodes":[${nodes.mkString(",")}],$transitions}""")
    new Replacement(document, answer, new QueryIdentity("query"), new Readiness(_ => None))(plan)
  }

  private val filterAndProject = Set("FilterExec", "ProjectExec")

  private def sample: SparkPlan =
    plan(spark.range(100).selectExpr("id", "id % 3 as k").where("k < 2").sort("k"))

  override protected def settings: Map[String, String] = Map("spark.sql.adaptive.enabled" -> "false")

  test("neighbouring native nodes are one fragment between two transitions") {
    val result = replaced(sample, filterAndProject)
    val exit = result.collectFirst { case n: NativeToRowExec => n }.get
    val names = exit.collect { case p => p.nodeName }
    assert(
      names == Seq(
        "RepriseNativeToRow",
        "RepriseProject",
        "RepriseFilter",
        "RepriseRowToNative",
        "Range"))
    assert(exit.treeString.contains("RepriseFilter [loreId="))
  }

  test("output, partitioning and ordering are Spark's") {
    val before = sample
    val after = replaced(before, filterAndProject)
    assert(after.output == before.output)
    assert(after.outputPartitioning == before.outputPartitioning)
    assert(after.outputOrdering == before.outputOrdering)
  }

  test("a native plan is the same as Spark's where results are reused, whatever its numbers") {
    val before = sample
    assert(replaced(before, filterAndProject).canonicalized == before.canonicalized)
    assert(replaced(before, filterAndProject, 70).canonicalized == replaced(sample, filterAndProject).canonicalized)
    assert(replaced(before, _ == "FilterExec").sameResult(before))
    assert(!replaced(plan(spark.range(5).toDF().where("id < 3")), filterAndProject)
      .sameResult(replaced(plan(spark.range(5).toDF().where("id < 4")), filterAndProject)))
  }

  test("documents show native nodes as Spark's, and no transitions") {
    val result = replaced(sample, filterAndProject)
    val text = new String(PlanWriter.write(result).json, "UTF-8")
    assert(!text.contains("Reprise") && !text.contains("reprise."))
    assert(text.contains("\"org.apache.spark.sql.execution.FilterExec\""))
    assert(PlanWriter.write(result).nodes.values.exists(_.isInstanceOf[NativeExec]))
  }

  test("replacing again keeps one transition at each edge") {
    val once = replaced(sample, filterAndProject)
    val twice = replaced(once, Set("NativeExec"))
    assert(twice.collect { case n: NativeToRowExec => n }.length == 1)
    assert(twice.collect { case n: FragmentInputExec => n }.length == 1)
    assert(twice.collect { case n: NativeExec => n }.length == 2)
  }

  test("Spark's rules find and replace the expressions of a native node") {
    val result = replaced(sample, filterAndProject).transformAllExpressions {
      case Literal(2L, dataType) => Literal(1L, dataType)
    }
    val filter = result.collectFirst { case n: NativeExec if n.nodeName == "RepriseFilter" => n }.get
    assert(filter.current.asInstanceOf[FilterExec].condition.toString.contains("< 1"))
  }

  test("tags and logical links stay with a node that becomes native") {
    val query = new QueryIdentity("q")
    val before = sample
    before.foreach(LoreTag.set(_, LoreTag(7, "ab", "x#0", query)))
    replaced(before, filterAndProject).foreach {
      case n: NativeExec =>
        assert(LoreTag.of(n).exists(_.loreId == 7))
        assert(n.logicalLink.isDefined)
      case _ =>
    }
  }

  test("a query is known again by its nodes, or by the logical plan that they come from") {
    val query = new QueryIdentity("q")
    val before = sample
    before.foreach(QueryIdentity.set(_, query))
    val copy = before.clone()
    assert(QueryIdentity.of(copy).contains(query))
    val filter = before.collectFirst { case f: FilterExec => f }.get
    val anew = FilterExec(filter.condition, filter.child)
    anew.setLogicalLink(filter.logicalLink.get)
    assert(QueryIdentity.of(anew).contains(query))
    assert(QueryIdentity.of(sample).isEmpty)
  }
}
