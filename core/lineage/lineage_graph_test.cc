#include "lineage/lineage_graph.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "lineage/graphviz.h"
#include "lineage/lineage_dot.h"
#include "lineage/sql_scopes.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RddInfo RddOf(int64_t id, std::string_view name, std::vector<int64_t> parents,
              std::string scope = "", bool cached = false) {
  RddInfo rdd;
  rdd.id = id;
  rdd.name = name;
  rdd.call_site = "map at <console>:14";
  rdd.parents = std::move(parents);
  rdd.scope_id = scope;
  rdd.scope_name = std::move(scope);
  rdd.storage.memory = cached;
  rdd.storage.deserialized = true;
  rdd.determinism = "DETERMINATE";
  rdd.partitions = 2;
  return rdd;
}

StageInfo StageOf(int64_t id, std::vector<RddInfo> rdds, std::vector<int64_t> accumulators = {}) {
  StageInfo stage;
  stage.id = id;
  stage.name = "collect";
  stage.tasks = 2;
  stage.rdds = std::move(rdds);
  stage.accumulators = std::move(accumulators);
  return stage;
}

StageCompleted Completed(StageInfo stage) {
  stage.submitted = 1;
  stage.completed = 2;
  return {std::move(stage)};
}

// Job 0 runs stages 0 (RDDs 0, 1) and 1 (2 cached, 3). Job 1 skips stage 2, which is stage 0 again,
// and runs stage 3: RDDs 2 and 4, and by a second shuffle of RDD 1 RDD 5.
LogModel TwoJobs() {
  const std::vector<RddInfo> first = {RddOf(1, "Mapped", {0}), RddOf(0, "Source", {})};
  const std::vector<RddInfo> second = {RddOf(3, "Mapped", {2}),
                                       RddOf(2, "Shuffled", {1}, "", true)};
  const std::vector<RddInfo> third = {RddOf(6, "Zipped", {4, 5}), RddOf(4, "Mapped", {2}),
                                      RddOf(2, "Shuffled", {1}, "", true),
                                      RddOf(5, "Shuffled", {1})};
  LogModel model;
  model.Apply(ApplicationStart{"app"});
  model.Apply(JobStart{0, 1, {StageOf(0, first), StageOf(1, second)}});
  model.Apply(Completed(StageOf(0, first)));
  model.Apply(Completed(StageOf(1, second)));
  model.Apply(JobEnd{0, 3});
  model.Apply(JobStart{1, 4, {StageOf(2, first), StageOf(3, third)}});
  model.Apply(Completed(StageOf(3, third)));
  model.Apply(JobEnd{1, 5});
  return model;
}

TEST(LineageGraph, DrawsAStageOnceAndAShuffleBetweenStages) {
  const LogModel model = TwoJobs();
  const LineageGraph graph = BuildLineageGraph(model, {}).ValueOrDie();
  EXPECT_EQ(graph.title, "app");
  ASSERT_EQ(graph.stages.size(), 3u);
  EXPECT_EQ(graph.stages[0].stage->id, 0);
  EXPECT_THAT(graph.stages[0].skipped, ElementsAre(2));
  EXPECT_EQ(graph.stages[2].state, StageState::kComplete);
  EXPECT_THAT(graph.edges, ElementsAre(LineageEdge{0, 0, 0, 1, false, false},  //
                                       LineageEdge{0, 1, 1, 2, true, false},   //
                                       LineageEdge{1, 2, 1, 3, false, false},  //
                                       LineageEdge{0, 1, 3, 2, true, true},    //
                                       LineageEdge{3, 2, 3, 4, false, false},  //
                                       LineageEdge{0, 1, 3, 5, true, false},   //
                                       LineageEdge{3, 4, 3, 6, false, false},  //
                                       LineageEdge{3, 5, 3, 6, false, false}));
  EXPECT_THAT(graph.outside, IsEmpty());
}

TEST(LineageGraph, MarksWhatACacheHolds) {
  const LogModel model = TwoJobs();
  const LineageGraph graph = BuildLineageGraph(model, {.job = 1}).ValueOrDie();
  EXPECT_EQ(graph.title, "app: job 1");
  ASSERT_EQ(graph.stages.size(), 2u);
  EXPECT_EQ(graph.stages[0].state, StageState::kSkipped);
  // Stage 1, which filled the cache, is of the other job.
  const StageBox& box = graph.stages[1];
  EXPECT_TRUE(box.rdds[0].cached);
  EXPECT_FALSE(box.rdds[0].behind_cache);
  EXPECT_FALSE(box.rdds[1].cached);
  const LineageGraph earlier = BuildLineageGraph(model, {.stage = 1}).ValueOrDie();
  EXPECT_FALSE(earlier.stages[0].rdds[0].cached);
}

TEST(LineageGraph, ShowsParentsThatWereNotAskedFor) {
  const LogModel model = TwoJobs();
  const LineageGraph graph = BuildLineageGraph(model, {.stage = 1}).ValueOrDie();
  ASSERT_EQ(graph.outside.size(), 1u);
  EXPECT_EQ(graph.outside[0]->id, 1);
  EXPECT_EQ(graph.edges[0], (LineageEdge{-1, 1, 1, 2, true, false}));
}

TEST(LineageGraph, RefusesWhatIsNotThere) {
  const LogModel model = TwoJobs();
  EXPECT_EQ(BuildLineageGraph(model, {.stage = 9}).status().message(),
            "there is no stage 9; the log tells of 0 to 3");
  EXPECT_EQ(BuildLineageGraph(model, {.job = 9}).status().message(),
            "there is no job 9; the log tells of 0 to 1");
  EXPECT_EQ(BuildLineageGraph(model, {.sql = 0}).status().message(),
            "there is no SQL query 0; the log has none");
}

TEST(LineageGraph, IsJson) {
  const LogModel model = TwoJobs();
  const nlohmann::json json = ToJson(BuildLineageGraph(model, {.stage = 1}).ValueOrDie());
  EXPECT_EQ(json["stages"][0]["rdds"][0]["storageLevel"], "MEMORY_ONLY");
  EXPECT_EQ(json["edges"][0]["fromStage"], nullptr);
  EXPECT_EQ(json["edges"][0]["shuffle"], true);
  EXPECT_EQ(json["outside"][0]["id"], 1);
}

TEST(LineageDot, IsGraphvizLanguage) {
  const LogModel model = TwoJobs();
  const std::string dot = LineageDot(BuildLineageGraph(model, {}).ValueOrDie());
  EXPECT_THAT(dot, HasSubstr("  subgraph cluster_0 {\n    label=\"\" "));
  EXPECT_THAT(dot,
              HasSubstr("label=\"Stage 0: collect\\l2 tasks, complete; skipped as 2\\l1 ms\\l\""));
  EXPECT_THAT(dot, HasSubstr("s1r2 [label=\"#2 Shuffled\\nmap at <console>:14\\n2 partitions, "
                             "determinate\\nMEMORY_ONLY\" style=filled "
                             "fillcolor=\"#c8e6c9\" color=\"#2e7d32\" tooltip=\"#2 Shuffled\\n"));
  EXPECT_THAT(dot, HasSubstr("  s0r1 -> s1r2 [color=red penwidth=1.6 "
                             "tooltip=\"shuffle: #2 is computed from #1\\n\"];\n"));
  EXPECT_THAT(dot, HasSubstr("  s0r0 -> s0r1 [tooltip=\"#1 is computed from #0\\n\"];\n"));
  EXPECT_THAT(dot, HasSubstr("  s0r1 -> s3r2 [color=\"#ef9a9a\" style=dashed "));
  EXPECT_THAT(dot, HasSubstr("  legend [shape=plaintext "));
}

TaskEnd TaskOf(int64_t index, int64_t ms) {
  TaskEnd task;
  task.stage = 0;
  task.task = task.index = task.partition = index;
  task.executor = "7";
  task.launched = 1;
  task.finished = 1 + ms;
  task.end.reason = "Success";
  task.figures.input_rows = 500;
  task.figures.shuffle_read_rows = 100;
  task.figures.shuffle_read_bytes = 2048;
  task.figures.shuffle_write_rows = 1;
  return task;
}

TEST(LineageDot, SaysWhatStagesTookAndMoved) {
  LogModel model;
  model.Apply(StageSubmitted{StageOf(0, {RddOf(0, "Source", {})})});
  model.Apply(TaskOf(0, 100));
  model.Apply(TaskOf(1, 250));
  model.Apply(TaskOf(2, 100));
  StageCompleted completed{StageOf(0, {RddOf(0, "Source", {})})};
  completed.stage.submitted = 1;
  completed.stage.completed = 1901;
  model.Apply(completed);
  const LineageGraph graph = BuildLineageGraph(model, {}).ValueOrDie();
  const std::string dot = LineageDot(graph);
  EXPECT_THAT(dot,
              HasSubstr("\\l1.90 s, skew 2.5 x\\lreads 1,800 rows, 6.1 kB\\lwrites 3 rows\\l\""));
  EXPECT_THAT(
      dot, HasSubstr("\\nattempt 0: 3 tasks succeeded\\n  fastest 100 ms, median 100 ms, slowest "
                     "250 ms: task 1 on 7\\n\""));
  const nlohmann::json json = ToJson(graph)["stages"][0];
  EXPECT_EQ(json["durationMs"], 1900);
  EXPECT_EQ(json["skew"], 2.5);
  EXPECT_EQ(json["rowsRead"], 1800);
  EXPECT_EQ(json["bytesRead"], 6144);
  EXPECT_EQ(json["rowsWritten"], 3);
}

TEST(LineageDot, EscapesAndCutsTexts) {
  LogModel model;
  model.Apply(ApplicationStart{"a \"b\" \\n"});
  const std::string name(200, 'x');
  model.Apply(StageSubmitted{StageOf(0, {RddOf(0, name, {})})});
  const std::string dot = LineageDot(BuildLineageGraph(model, {}).ValueOrDie());
  EXPECT_THAT(dot, HasSubstr("label=\"a \\\"b\\\" \\\\n\""));
  EXPECT_THAT(dot, HasSubstr(fmt::format("#0 {}…\\n", std::string(45, 'x'))));
}

// Graphviz takes half a minute for a union of 1,500 RDDs, each framed by the call that made it.
TEST(LineageDot, BoxesSayTheirOperationWhereAStageHasManyOfThem) {
  const auto drawn = [](int64_t scopes) {
    std::vector<RddInfo> rdds;
    for (int64_t id = 0; id < 2 * scopes; ++id) {
      rdds.push_back(RddOf(id, "Source", {}, fmt::format("textFile <{}>", id / 2)));
    }
    LogModel model;
    model.Apply(StageSubmitted{StageOf(0, std::move(rdds))});
    return LineageDot(BuildLineageGraph(model, {}).ValueOrDie());
  };
  const std::string few = drawn(200);
  const std::string operation =
      "<<font color=\"#1a4f8b\">textFile &lt;{}&gt;<br align=\"left\"/></font>#{} Source<br/>";
  EXPECT_THAT(few, HasSubstr("subgraph cluster_0_199"));
  EXPECT_THAT(few, HasSubstr("s0r398 [label=" + fmt::format(fmt::runtime(operation), 199, 398)));
  EXPECT_THAT(few, HasSubstr("s0r399 [label=\"#399 Source"));
  const std::string many = drawn(201);
  EXPECT_THAT(many, Not(HasSubstr("subgraph cluster_0_")));
  EXPECT_THAT(many, HasSubstr("s0r401 [label=" + fmt::format(fmt::runtime(operation), 200, 401)));
}

TEST(Graphviz, DrawsOrSaysWhatIsMissing) {
  const std::string path = testing::TempDir() + "/lineage.svg";
  const LogModel model = TwoJobs();
  const std::string dot = LineageDot(BuildLineageGraph(model, {}).ValueOrDie());
  const Status drawn = RenderGraph(dot, "svg", path);
  if (!drawn.ok()) {
    EXPECT_THAT(drawn.message(), HasSubstr("install it (on Debian: apt-get install graphviz)"));
    GTEST_SKIP() << drawn.message();
  }
  std::ifstream file(path);
  const std::string svg((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(svg, HasSubstr("<svg "));
  EXPECT_THAT(svg, HasSubstr("stroke=\"red\""));
  EXPECT_THAT(svg, HasSubstr("Stage 3: collect"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(RenderGraph(dot, "nonsense", path).message(),
            "this Graphviz cannot draw nonsense: expected svg, png, pdf or dot, or another of its "
            "formats");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(RenderGraph(dot, "svg", "/nowhere/x.svg").message(),
              HasSubstr("cannot write /nowhere/x.svg: No such file"));
}

// Sort over code 2 (aggregate) over an exchange over code 1 (aggregate, filter), and another Sort.
LogModel Query(std::vector<int64_t> accumulators) {
  const std::vector<RddInfo> rdds = {
      RddOf(2, "Mapped", {1}, "Sort"), RddOf(1, "Mapped", {}, "WholeStageCodegen (2)"),
      RddOf(0, "Shuffled", {}, "Exchange"), RddOf(3, "Mapped", {}, "parallelize")};
  LogModel model;
  model.Apply(SqlExecutionStart{5,
                                5,
                                1,
                                "collect",
                                {{"Sort", "Sort [loreId=1]", 0, {{10}}},
                                 {"Union", "Union", 1, {}},
                                 {"WholeStageCodegen (2)", "", 2, {{12}}},
                                 {"HashAggregate", "HashAggregate [loreId=3]", 3, {{13}}},
                                 {"Project", "Project [loreId=4]", 4, {}},
                                 {"InputAdapter", "", 5, {}},
                                 {"Exchange", "Exchange [loreId=5]", 6, {{14}}},
                                 {"Filter", "Filter [loreId=6]", 7, {}},
                                 {"Sort", "Sort [loreId=9]", 2, {{19}}}}});
  model.Apply(JobStart{0, 1, {StageOf(0, rdds)}, 5});
  model.Apply(Completed(StageOf(0, rdds, std::move(accumulators))));
  return model;
}

std::vector<std::string> OperatorsOf(const LogModel& model, int64_t stage, int64_t rdd) {
  return OperatorsOfScope(model, model.stages().at(stage), model.rdds().at(rdd));
}

TEST(SqlScopes, TellOperatorsByNameAndMetrics) {
  const LogModel model = Query({10, 13});
  // Union has no RDD of its own; the generated code below it, and the other Sort, have.
  EXPECT_THAT(OperatorsOf(model, 0, 2), ElementsAre("Sort [loreId=1]", "Union"));
  EXPECT_THAT(OperatorsOf(model, 0, 1),
              ElementsAre("HashAggregate [loreId=3]", "Project [loreId=4]"));
  EXPECT_THAT(OperatorsOf(model, 0, 0), ElementsAre("Exchange [loreId=5]"));
  EXPECT_THAT(OperatorsOf(model, 0, 3), IsEmpty());
}

// Exchange 2 runs filter 3 and writes what it read of exchange 4, which another stage wrote.
TEST(SqlScopes, OfANativeExchangeAreThoseOfTheStageThatWrites) {
  LogModel model;
  model.Apply(
      SqlExecutionStart{5,
                        5,
                        1,
                        "collect",
                        {{"RepriseShuffleExchange", "RepriseShuffleExchange [loreId=2]", 0, {{10}}},
                         {"RepriseFilter", "RepriseFilter [loreId=3]", 1, {{13}}},
                         {"RepriseShuffleRead", "RepriseShuffleRead", 2, {{14}}},
                         {"ShuffleQueryStage", "ShuffleQueryStage 0", 3, {}},
                         {"RepriseShuffleExchange", "RepriseShuffleExchange [loreId=4]", 4, {{15}}},
                         {"RepriseRange", "RepriseRange [loreId=5]", 5, {{16}}}}});
  const std::string name = "RepriseShuffleExchange";
  const std::vector<RddInfo> first = {RddOf(0, "FragmentRDD", {}, name)};
  const std::vector<RddInfo> second = {RddOf(2, "FragmentRDD", {1}, name),
                                       RddOf(1, "ShuffledBlockRDD", {0}, name)};
  const std::vector<RddInfo> last = {RddOf(3, "ShuffledBlockRDD", {2}, name)};
  model.Apply(JobStart{0, 1, {StageOf(0, first), StageOf(1, second), StageOf(2, last)}, 5});
  model.Apply(Completed(StageOf(0, first, {15, 16})));
  model.Apply(Completed(StageOf(1, second, {10, 13, 14, 15})));
  model.Apply(Completed(StageOf(2, last, {10})));
  EXPECT_THAT(OperatorsOf(model, 0, 0),
              ElementsAre("RepriseShuffleExchange [loreId=4]", "RepriseRange [loreId=5]"));
  EXPECT_THAT(OperatorsOf(model, 1, 1), ElementsAre("RepriseShuffleExchange [loreId=4]"));
  EXPECT_THAT(OperatorsOf(model, 1, 2),
              ElementsAre("RepriseShuffleExchange [loreId=2]", "RepriseFilter [loreId=3]",
                          "RepriseShuffleRead"));
  EXPECT_THAT(OperatorsOf(model, 2, 3), ElementsAre("RepriseShuffleExchange [loreId=2]"));
}

TEST(SqlScopes, SayWhereTheLogCannotTell) {
  EXPECT_THAT(OperatorsOf(Query({}), 0, 2), ElementsAre("Sort [loreId=1 or 9]"));
}

TEST(SqlScopes, StandInThePicture) {
  const LogModel model = Query({10, 13});
  const std::string dot = LineageDot(BuildLineageGraph(model, {.sql = 5}).ValueOrDie());
  EXPECT_THAT(dot, HasSubstr("WholeStageCodegen (2)<br align=\"left\"/>&#160;&#160;HashAggregate "
                             "[loreId=3]<br align=\"left\"/>&#160;&#160;Project [loreId=4]<br "));
}

}  // namespace
}  // namespace reprise
