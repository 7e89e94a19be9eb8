#include "task/fragment_task.h"

#include <arrow/array/array_primitive.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plan/unsafe_row.h"

namespace reprise {
namespace {

constexpr std::string_view kRowInput = R"({"leaf":0,"operator":{"kind":"row_input",
    "name":"RepriseRowToNative","output":[{"name":"a","type":"long","nullable":true}],
    "inputs":[],"arguments":{}}})";

// A filter a > 1 above the rows.
constexpr std::string_view kFilter = R"({"operator":{"kind":"filter","name":"RepriseFilter",
    "lore_id":5,"output":[{"name":"a","type":"long","nullable":true}],
    "inputs":[[{"name":"a","type":"long","nullable":true}]],
    "arguments":{"condition":{"function":"greater","type":"boolean","nullable":true,"arguments":[
      {"function":"column","type":"long","nullable":true,"attributes":{"index":0}},
      {"function":"literal","type":"long","nullable":false,"attributes":{"value":1}}]}}},
    "inputs":[{"leaf":0,"operator":{"kind":"row_input","name":"RepriseRowToNative",
      "output":[{"name":"a","type":"long","nullable":true}],"inputs":[],"arguments":{}}}]})";

std::string TaskOf(int batch_rows, bool memory_debug = true,
                   std::string_view leaf = R"({"rows":0})") {
  return fmt::format(
      R"({{"stage":3,"partition":7,"attempt":41,"settings":{{"spark.reprise.sql.batchRows":"{}",
          "spark.reprise.memory.debug":"{}"}},"leaves":[{}]}})",
      batch_rows, memory_debug, leaf);
}

// Rows of one long each: 0, 1, 2 … After `fail_after` rows an error instead.
class Numbers : public RowSource {
 public:
  explicit Numbers(int64_t count, int64_t fail_after = -1)
      : count_(count), fail_after_(fail_after) {}

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    if (next_ == fail_after_) return Status::ExecutionError("the source failed");
    int32_t filled = 0;
    while (filled < rows_max && next_ < count_ && next_ != fail_after_) {
      StoreAs<uint64_t>(rows, 0);
      StoreAs<int64_t>(rows + 8, next_++);
      rows += 16;
      lengths[filled++] = 16;
    }
    return Filled{filled, 0};
  }

 private:
  int64_t count_;
  int64_t fail_after_;
  int64_t next_ = 0;
};

std::vector<TaskSource> Sources(int64_t count, int64_t fail_after = -1) {
  std::vector<TaskSource> sources;
  sources.emplace_back(std::unique_ptr<RowSource>(std::make_unique<Numbers>(count, fail_after)));
  return sources;
}

std::string OpenError(std::string_view fragment, std::string_view task,
                      std::vector<TaskSource> rows) {
  return FragmentTask::Open(fragment, task, std::move(rows), {}).status().message();
}

TEST(FragmentTask, TurnsRowsIntoBatchesAndBack) {
  auto task = FragmentTask::Open(kRowInput, TaskOf(2), Sources(5), {}).ValueOrDie();
  std::vector<int64_t> numbers;
  while (auto batch = task->Next().ValueOrDie()) {
    const auto rows = task->ToRows(*batch).ValueOrDie();
    for (int i = 0; i < rows.row_count; ++i) {
      numbers.push_back(LoadAs<int64_t>(rows.bytes + rows.offsets[i] + 8));
    }
    numbers.push_back(-1);
  }
  EXPECT_EQ(numbers, (std::vector<int64_t>{0, 1, -1, 2, 3, -1, 4, -1}));
  EXPECT_FALSE(task->Next().ValueOrDie());
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
}

TEST(FragmentTask, ReportsMetricsInPreOrderAndDropsBatchesWithoutRows) {
  auto task = FragmentTask::Open(kFilter, TaskOf(2), Sources(6), {}).ValueOrDie();
  ASSERT_EQ(task->metric_count(), 8);
  std::vector<int64_t> metrics(8, -1);
  task->Metrics(metrics);
  EXPECT_EQ(metrics, std::vector<int64_t>(8, 0));
  int batches = 0;
  while (auto batch = task->Next().ValueOrDie()) {
    EXPECT_EQ(batch->selected_count(), 2);
    ++batches;
  }
  EXPECT_EQ(batches, 2);  // of 2 and 3, and of 4 and 5
  task->Metrics(metrics);
  EXPECT_EQ(metrics[0], 4);  // rows of the filter
  EXPECT_GT(metrics[3], 0);  // own time
  EXPECT_EQ(metrics[4], 6);  // rows of its input
  EXPECT_EQ(metrics[5], 3);
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
}

TEST(FragmentTask, ClosesTwiceAndAfterAFailure) {
  auto task = FragmentTask::Open(kRowInput, TaskOf(2), Sources(5, 2), {}).ValueOrDie();
  EXPECT_TRUE(task->Next().ValueOrDie());
  EXPECT_EQ(task->Next().status().message(), "RepriseRowToNative: the source failed");
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
}

TEST(FragmentTask, WhatOthersHaveReadStaysUntilItIsClosed) {
  auto task = FragmentTask::Open(kRowInput, TaskOf(2), Sources(5), {}).ValueOrDie();
  std::optional<Batch> kept = task->Next().ValueOrDie();
  EXPECT_TRUE(task->Finish(CaptureEnd::kSucceeded).ok());
  EXPECT_TRUE(task->is_finished());
  EXPECT_EQ(static_cast<const arrow::Int64Array&>(*kept->columns[0]).Value(1), 1);
  kept.reset();
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
}

TEST(FragmentTask, ReadsAnExchangeOfSparksWhereOneOfTheCoresWasExpected) {
  // Spark's columns come as rows where something stands around what gives them.
  for (const std::string kind : {"shuffle_read", "broadcast_read", "column_input"}) {
    std::string fragment(kRowInput);
    fragment.replace(fragment.find("row_input"), 9, kind);
    auto task = FragmentTask::Open(fragment, TaskOf(9), Sources(5), {}).ValueOrDie();
    EXPECT_EQ(task->Next().ValueOrDie()->selected_count(), 5);
    std::vector<int64_t> metrics(task->metric_count());
    task->Metrics(metrics);
    EXPECT_EQ(metrics[0], 5);
    EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  }
}

TEST(FragmentTask, StopsWhenTheTaskIsCancelled) {
  bool cancelled = false;
  auto task =
      FragmentTask::Open(kRowInput, TaskOf(2), Sources(5), {.cancelled = [&] { return cancelled; }})
          .ValueOrDie();
  EXPECT_TRUE(task->Next().ValueOrDie());
  cancelled = true;
  EXPECT_TRUE(task->Next().status().IsCancelled());
}

TEST(FragmentTask, SaysHowMuchMemoryWasNotGivenBack) {
  std::optional<Batch> kept;
  auto task = FragmentTask::Open(kRowInput, TaskOf(2), Sources(5), {}).ValueOrDie();
  kept = task->Next().ValueOrDie();
  const Status closed = task->Close(CaptureEnd::kSucceeded);
  EXPECT_TRUE(closed.IsInvalid());
  EXPECT_THAT(closed.message(),
              testing::MatchesRegex("stage 3, partition 7, attempt 41: [1-9][0-9]* bytes were not "
                                    "given back at the end of the fragment; [0-9]+ of them by "
                                    "RepriseRowToNative"));
  task.reset();
  // The memory is still good, and can be given back.
  EXPECT_EQ(static_cast<const arrow::Int64Array&>(*kept->columns[0]).Value(1), 1);
}

// Grants everything, and counts.
struct CountingManager final : MemoryManager {
  int64_t Acquire(int64_t bytes) override {
    used += bytes;
    asked += 1;
    return bytes;
  }
  void Release(int64_t bytes) override { used -= bytes; }
  int64_t used = 0;
  int asked = 0;
};

TEST(FragmentTask, GivesBackWhatWasGranted) {
  const auto manager = std::make_shared<CountingManager>();
  auto task = FragmentTask::Open(kFilter, TaskOf(2), Sources(6), {.memory = manager}).ValueOrDie();
  EXPECT_TRUE(task->Next().ok());
  EXPECT_GE(manager->used, int64_t{1} << 20);
  EXPECT_EQ(manager->asked, 1);
  EXPECT_GT(task->Figures().peak_bytes, 0);
  const int64_t granted = manager->used;
  const int64_t released = *task->Spill(granted);
  EXPECT_GT(released, 0) << "nothing is spilled, but what is not used goes back";
  EXPECT_EQ(manager->used, granted - released);
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_EQ(manager->used, 0);
  EXPECT_EQ(*task->Spill(1), 0);
}

TEST(FragmentTask, GivesBackWhatWasGrantedThoughMemoryLeaks) {
  const auto manager = std::make_shared<CountingManager>();
  auto task =
      FragmentTask::Open(kRowInput, TaskOf(2, false), Sources(5), {.memory = manager}).ValueOrDie();
  auto kept = task->Next().ValueOrDie();
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_EQ(manager->used, 0);
  kept.reset();
  EXPECT_EQ(manager->used, 0);
}

TEST(FragmentTask, OnlyWarnsOfMemoryWithoutMemoryDebug) {
  auto task = FragmentTask::Open(kRowInput, TaskOf(2, false), Sources(5), {}).ValueOrDie();
  const auto kept = task->Next().ValueOrDie();
  testing::internal::CaptureStderr();
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::StartsWith("reprise: stage 3, partition 7, attempt 41: "));
}

TEST(FragmentTask, MakesTheSliceOfARangeThatItsPartitionSays) {
  constexpr std::string_view kRange = R"({"leaf":0,"operator":{"kind":"range",
      "name":"RepriseRange","output":[{"name":"id","type":"long","nullable":false}],
      "inputs":[],"arguments":{"start":0,"end":80,"step":5,"slices":8}}})";
  auto task = FragmentTask::Open(kRange, TaskOf(2, true, "{}"), {}, {}).ValueOrDie();
  auto batch = task->Next().ValueOrDie();
  const auto rows = task->ToRows(*batch).ValueOrDie();
  ASSERT_EQ(rows.row_count, 2);
  EXPECT_EQ(LoadAs<int64_t>(rows.bytes + rows.offsets[0] + 8), 70);
  EXPECT_EQ(LoadAs<int64_t>(rows.bytes + rows.offsets[1] + 8), 75);
  batch.reset();
  EXPECT_FALSE(task->Next().ValueOrDie());
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_EQ(OpenError(kRange, TaskOf(2, true, R"({"rows":0})"), Sources(1)),
            "RepriseRange: is of kind range, but leaf 0 of the task is rows");
}

TEST(FragmentTask, RefusesLeavesThatTheTaskDoesNotHave) {
  EXPECT_EQ(OpenError(kRowInput, TaskOf(2, true, ""), Sources(1)),
            "RepriseRowToNative: reads leaf 0, but the task has 0");
  EXPECT_EQ(OpenError(kRowInput, TaskOf(2, true, R"({"files":[]})"), Sources(1)),
            "RepriseRowToNative: is of kind row_input, but leaf 0 of the task is files");
  EXPECT_EQ(OpenError(kRowInput, TaskOf(2, true, R"({"rows":1})"), Sources(1)),
            "RepriseRowToNative: source 1 of leaf 0 is missing; the task has 1");
  EXPECT_EQ(OpenError("nonsense", TaskOf(2), Sources(1)), "fragment: malformed JSON");
}

class FragmentTaskTrace : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string TracedTaskOf(int batch_rows) const {
    auto task = nlohmann::json::parse(TaskOf(batch_rows));
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    task["settings"]["spark.reprise.trace.path"] = folder_;
    task["process"] = {
        {"application", "app"}, {"executor", "0"}, {"startMs", now / std::chrono::milliseconds(1)}};
    return task.dump();
  }
  // The events of ranges, in the order of the file: an outer range stands before those in it.
  std::vector<nlohmann::json> Ranges() const {
    const auto all = nlohmann::json::parse(std::ifstream(folder_ + "/trace-app-0.json"));
    std::vector<nlohmann::json> ranges;
    for (const auto& event : all) {
      if (event["ph"] == "X") ranges.push_back(event);
    }
    return ranges;
  }
  // "next{RepriseFilter{…}}": which ranges lie in which, by time.
  static std::string Nesting(const std::vector<nlohmann::json>& ranges) {
    std::string text;
    std::vector<double> ends;
    for (const auto& range : ranges) {
      const double start = range["ts"];
      for (; !ends.empty() && ends.back() <= start; ends.pop_back()) text += "}";
      const double end = start + range["dur"].get<double>();
      if (!ends.empty()) {
        EXPECT_LE(end, ends.back() + 0.002) << range;
      }
      text += range["name"].get<std::string>() + "{";
      ends.push_back(end);
    }
    return text + std::string(ends.size(), '}');
  }

  std::string folder_;
};

TEST_F(FragmentTaskTrace, ShowsWhoPullsWhom) {
  auto task = FragmentTask::Open(kFilter, TracedTaskOf(3), Sources(4), {}).ValueOrDie();
  auto batch = task->Next().ValueOrDie();
  EXPECT_TRUE(task->ToRows(*batch).ok());
  batch.reset();
  while (task->Next().ValueOrDie()) {
  }
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());

  const auto ranges = Ranges();
  const std::string filter_pull = "RepriseFilter [loreId=5]{RepriseRowToNative{";
  EXPECT_EQ(Nesting(ranges), "task 3.7 attempt 41{open{}next{" + filter_pull +
                                 "rows from Spark{}}}}toRows{}next{" + filter_pull +
                                 "rows from Spark{}rows from Spark{}}}}next{" + filter_pull +
                                 "}}}close{}}");
  const auto& filter = ranges[3];
  EXPECT_EQ(filter["cat"], "operator");
  EXPECT_EQ(filter["args"], nlohmann::json::parse(R"({"operator":"RepriseFilter","kind":"filter",
      "loreId":5,"stage":3,"partition":7,"attempt":41,"rows":1,"bytes":24,"batch":0})"))
      << filter;
  EXPECT_EQ(ranges[5]["args"]["rows"], 3);
  EXPECT_EQ(ranges[6]["name"], "toRows");
  EXPECT_EQ(ranges[6]["args"], nlohmann::json::parse(R"({"rows":1,"bytes":16})"));
}

TEST_F(FragmentTaskTrace, ShowsTheMemoryThatIsAskedFor) {
  const auto manager = std::make_shared<CountingManager>();
  auto task = FragmentTask::Open(kFilter, TracedTaskOf(3), Sources(4), {.memory = manager});
  ASSERT_TRUE(task.ok());
  EXPECT_TRUE((*task)->Close(CaptureEnd::kSucceeded).ok());
  const auto ranges = Ranges();
  EXPECT_EQ(Nesting(ranges),
            "task 3.7 attempt 41{open{ask Spark for memory{}}close{give memory back{}}}");
  EXPECT_EQ(ranges[2]["args"], nlohmann::json::parse(R"({"bytes":1048576,"granted":1048576})"));
}

TEST_F(FragmentTaskTrace, ATraceThatCannotBeWrittenFailsNothing) {
  std::ofstream(folder_) << "a file";
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    auto task = FragmentTask::Open(kFilter, TracedTaskOf(3), Sources(4), {}).ValueOrDie();
    EXPECT_TRUE(task->Next().ok());
    EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "reprise: spark.reprise.trace.path: " + folder_ +
                "/trace-app-0.json cannot be opened: Not a directory; the trace lacks tasks (this "
                "is said once)\n");
}

TEST_F(FragmentTaskTrace, WithoutThePathNothingIsWritten) {
  auto task = FragmentTask::Open(kFilter, TaskOf(3), Sources(4), {}).ValueOrDie();
  EXPECT_EQ(task->trace(), nullptr);
  EXPECT_TRUE(task->Next().ok());
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

}  // namespace
}  // namespace reprise
