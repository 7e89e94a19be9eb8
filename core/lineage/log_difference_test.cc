#include "lineage/log_difference.h"

#include <gmock/gmock.h>

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

StageInfo StageOf(int64_t id, std::string_view name, const std::vector<std::string_view>& rdds,
                  int64_t ms) {
  StageInfo stage;
  stage.id = id;
  stage.name = name;
  stage.tasks = 1;
  stage.submitted = 1000;
  stage.completed = 1000 + ms;
  for (const std::string_view each : rdds) {
    RddInfo& rdd = stage.rdds.emplace_back();
    rdd.id = 100 * id + static_cast<int64_t>(stage.rdds.size());
    rdd.name = each;
    if (stage.rdds.size() > 1) rdd.parents = {rdd.id - 1};
  }
  return stage;
}

void RunStage(LogModel* model, const StageInfo& stage, int64_t rows) {
  model->Apply(StageCompleted{stage});
  TaskEnd task;
  task.stage = stage.id;
  task.index = 0;
  task.end.reason = "Success";
  task.figures.input_rows = rows;
  task.figures.shuffle_write_bytes = 10 * rows;
  model->Apply(task);
}

LogModel Monday() {
  LogModel model;
  RunStage(&model, StageOf(0, "scan", {"FileScanRDD", "Mapped"}, 500), 10);
  RunStage(&model, StageOf(1, "scan", {"FileScanRDD", "Mapped"}, 500), 20);
  RunStage(&model, StageOf(2, "join", {"Shuffled", "Zipped"}, 500), 30);
  return model;
}

// A stage of two partitions of which one is lost, computed again and lost no more.
LogModel Retried() {
  LogModel model;
  StageInfo stage = StageOf(0, "scan", {"FileScanRDD", "Mapped"}, 500);
  const auto run = [&](int64_t attempt, std::vector<int64_t> partitions, const char* reason) {
    stage.attempt = attempt;
    stage.tasks = static_cast<int64_t>(partitions.size());
    model.Apply(StageSubmitted{stage});
    for (size_t i = 0; i < partitions.size(); ++i) {
      TaskEnd task;
      task.stage_attempt = attempt;
      task.stage = 0;
      task.index = static_cast<int64_t>(i);
      task.partition = partitions[i];
      task.end.reason = reason;
      task.figures.input_rows = 10 + partitions[i];
      model.Apply(task);
    }
    model.Apply(StageCompleted{stage});
  };
  run(0, {0, 1}, "Success");
  run(1, {1}, "TaskCommitDenied");
  run(2, {1}, "Success");
  return model;
}

TEST(LogDifference, CountsWhatWasComputedAgainOnce) {
  const LogModel retried = Retried();
  const Stage& stage = retried.stages().at(0);
  ASSERT_EQ(stage.attempts.size(), 3u);
  EXPECT_EQ(stage.attempts[0].task_count, 2);
  EXPECT_EQ(stage.attempts[1].task_count, 1);
  EXPECT_EQ(stage.attempts[1].tasks.killed(), 1);
  EXPECT_EQ(stage.attempts[1].tasks.failed(), 0);
  EXPECT_EQ(stage.work.partitions(), 2);
  EXPECT_EQ(stage.work.figures.input_rows, 21);
}

std::vector<std::string> Texts(const StageDifference& stage) {
  std::vector<std::string> texts;
  for (const FigureDifference& figure : stage.figures) {
    texts.push_back(fmt::format("{} {} {}", figure.name, figure.left, figure.right));
  }
  return texts;
}

TEST(LogDifference, IsNoneOfACachedTableWhoseExpressionsHaveOtherNumbers) {
  const auto run = [](std::string_view plan) {
    LogModel model;
    RunStage(&model, StageOf(0, "count", {plan, "Mapped"}, 500), 10);
    return model;
  };
  const LogModel first = run("*(1) Filter (a#3L > 7)\n+- Exchange [plan_id=12]\n");
  EXPECT_TRUE(CompareLogs(first, run("*(1) Filter (a#12L > 7)\n+- Exchange [plan_id=62]\n"), {})
                  .SameStructureAndRows());
  EXPECT_FALSE(CompareLogs(first, run("*(1) Filter (b#3L > 7)\n"), {}).SameStructureAndRows());
  EXPECT_FALSE(CompareLogs(run("table #3"), run("table #4"), {}).SameStructureAndRows());
}

TEST(LogDifference, TellsStagesApartByWhatTheyRead) {
  const auto add_query = [](LogModel* model, int64_t id, std::string_view scan, int64_t rows) {
    RunStage(model, StageOf(id, "scan", {scan, "Mapped"}, 500), rows);
    StageInfo last = StageOf(id + 1, "count", {"Shuffled", "Counted"}, 500);
    last.parents = {id};
    RunStage(model, last, 10 * rows);
  };
  LogModel one;
  add_query(&one, 0, "Orders", 7);
  LogModel two;
  add_query(&two, 0, "Customers", 5);
  add_query(&two, 2, "Orders", 7);
  const LogDifference difference = CompareLogs(one, two, {});
  EXPECT_EQ(difference.matched, 2);
  ASSERT_EQ(difference.stages.size(), 2);
  for (const StageDifference& stage : difference.stages) EXPECT_EQ(stage.left, nullptr);
  EXPECT_EQ(difference.stages[0].right->id, 0);
  EXPECT_EQ(difference.stages[1].right->id, 1);
}

TEST(LogDifference, IsNoneOfARunAndItself) {
  const LogModel model = Monday();
  const LogDifference difference = CompareLogs(model, model, {});
  EXPECT_EQ(difference.matched, 3);
  EXPECT_THAT(difference.stages, IsEmpty());
  EXPECT_TRUE(difference.SameStructureAndRows());
}

// One more stage before the others: their ids differ, they match all the same.
TEST(LogDifference, MatchesByStructureNotById) {
  const LogModel monday = Monday();
  LogModel tuesday;
  RunStage(&tuesday, StageOf(3, "count", {"ParallelCollectionRDD"}, 5), 1);
  RunStage(&tuesday, StageOf(4, "scan again", {"FileScanRDD", "Mapped"}, 550), 10);
  RunStage(&tuesday, StageOf(5, "scan", {"FileScanRDD", "Mapped"}, 1500), 20);
  RunStage(&tuesday, StageOf(6, "join", {"Shuffled", "Zipped"}, 510), 33);
  const LogDifference difference = CompareLogs(monday, tuesday, {});
  EXPECT_EQ(difference.matched, 3);
  ASSERT_EQ(difference.stages.size(), 3u);
  EXPECT_EQ(difference.stages[0].left->id, 1);
  EXPECT_EQ(difference.stages[0].right->id, 5);
  EXPECT_THAT(Texts(difference.stages[0]), ElementsAre("time 500 1500"));
  EXPECT_FALSE(difference.stages[0].OfStructure());
  EXPECT_THAT(Texts(difference.stages[1]),
              ElementsAre("input rows 30 33", "shuffle bytes written 300 330"));
  EXPECT_EQ(difference.stages[2].left, nullptr);
  EXPECT_EQ(difference.stages[2].right->id, 3);
  EXPECT_FALSE(difference.SameStructureAndRows());
  EXPECT_EQ(CompareLogs(monday, tuesday, {.time_ratio = 4}).stages.size(), 2u);
}

TEST(LogDifference, NamesWhatChangedInStructure) {
  const LogModel monday = Monday();
  LogModel tuesday;
  RunStage(&tuesday, StageOf(0, "scan", {"FileScanRDD", "Mapped"}, 500), 10);
  RunStage(&tuesday, StageOf(1, "scan", {"FileScanRDD", "Mapped"}, 500), 20);
  RunStage(&tuesday, StageOf(2, "join", {"Shuffled", "NativeZipped"}, 500), 30);
  const LogDifference difference = CompareLogs(monday, tuesday, {});
  ASSERT_EQ(difference.stages.size(), 1u);
  EXPECT_EQ(difference.stages[0].structure, "Zipped -> NativeZipped");
  EXPECT_THAT(difference.stages[0].figures, IsEmpty());
  EXPECT_FALSE(difference.SameStructureAndRows());
  const nlohmann::json json = ToJson(difference);
  EXPECT_EQ(json["stages"][0]["structure"], "Zipped -> NativeZipped");
  EXPECT_EQ(json["matched"], 3);
}

TEST(LogDifference, LeavesStagesOutThatNeverRan) {
  const LogModel monday = Monday();
  LogModel tuesday = Monday();
  tuesday.Apply(JobStart{7, 1, {StageOf(9, "skipped", {"X"}, 0)}});
  EXPECT_THAT(CompareLogs(monday, tuesday, {}).stages, IsEmpty());
}

}  // namespace
}  // namespace reprise
