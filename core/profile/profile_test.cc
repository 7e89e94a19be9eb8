// Recordings are read, taken apart and shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <thread>

#include "base/operator_log.h"
#include "base/trace.h"
#include "dump/file.h"
#include "profile/jfr_chunk.h"
#include "profile/jfr_file.h"
#include "profile/jfr_slice.h"
#include "profile/profile_request.h"
#include "profile/recording_splitter.h"
#include "profile/recording_testing.h"
#include "profile/sample_stacks.h"
#include "profile/slow_tasks.h"
#include "profile/thread_groups.h"

namespace reprise {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(Recordings, AreReadByTheirOwnDescription) {
  std::vector<std::pair<size_t, size_t>> counts;
  int64_t cpu = 0;
  const auto extent = ReadJfrFile(kExample, 0, [&](JfrChunk& chunk) {
                        counts.emplace_back(chunk.samples().size(), chunk.spans().size());
                        for (const JfrSample& sample : chunk.samples()) {
                          cpu += sample.kind == SampleKind::kCpu;
                        }
                        return Status::OK();
                      }).ValueOrDie();
  EXPECT_EQ(extent.end, 51704);
  EXPECT_EQ(extent.torn_bytes, 0);
  ASSERT_EQ(counts.size(), 2u);
  // The numbers that the JDK's `jfr summary` gives: 292 + 49 samples, 8 spans.
  EXPECT_EQ(counts[0].first + counts[1].first, 341u);
  EXPECT_EQ(counts[0].second + counts[1].second, 8u);
  EXPECT_EQ(cpu, 49);
}

TEST(JfrPool, FindsNumbersInARowWithGapsAndFarApart) {
  const std::vector<std::vector<uint64_t>> pools = {
      {}, {5, 6, 7}, {20, 7, 5, 9}, {3, uint64_t{1} << 62, UINT64_MAX}};
  for (const std::vector<uint64_t>& numbers : pools) {
    JfrPool pool;
    for (const uint64_t number : numbers) pool.Add(number, {});
    pool.Sort();
    for (const uint64_t number : numbers) {
      const size_t at = pool.Find(number);
      ASSERT_LT(at, numbers.size()) << number;
      EXPECT_EQ(pool.entries()[at].number, number);
    }
    for (const uint64_t none : {0, 4, 8, 21, 1000}) EXPECT_EQ(pool.Find(none), JfrPool::kNone);
  }
}

TEST_F(Recordings, SamplesBelongToTasks) {
  const auto all = ReadStacks({kExample}, {}).ValueOrDie();
  EXPECT_EQ(all.cpu_samples, 49);
  EXPECT_EQ(all.tasks.size(), 8u);
  EXPECT_EQ(Covered(all, "CPU", "R.hotOne"), 22);
  EXPECT_EQ(Covered(all, "CPU", "R.hotTwo"), 23);
  SampleFilter stage_1;
  stage_1.tasks = {2, 3, 6, 7};
  const auto one = ReadStacks({kExample}, stage_1).ValueOrDie();
  EXPECT_EQ(Covered(one, "CPU", "R.hotOne"), 0);
  EXPECT_EQ(Covered(one, "CPU", "R.hotTwo"), 23);
  SampleFilter thread;
  thread.thread = "worker-?";
  EXPECT_EQ(Covered(ReadStacks({kExample}, thread).ValueOrDie(), "CPU", "R.hotOne"), 22);
  EXPECT_EQ(Covered(all, "wall clock, waiting", "idle") > 0, true);
}

TEST_F(Recordings, AreTakenApartByThreadAndTime) {
  const std::string copy = CopyOfExample();
  RecordingSplitter splitter(copy, folder_.string(), 1 << 30);
  std::vector<TaskInterval> tasks;
  for (const JfrSpan& span : SpansOfExample()) {
    tasks.push_back({.thread = static_cast<int64_t>(span.thread),
                     .start = span.start,
                     .end = span.end,
                     .task = *ParseTaskTag(span.tag)});
  }
  // An operator computes from the middle of the first task on.
  const TaskInterval& first = tasks[0];
  const auto thread = static_cast<int32_t>(first.thread);
  splitter.Add({{(first.start + first.end) / 2, thread, 5}, {first.end, thread, 0}});
  ASSERT_TRUE(splitter.Split(tasks).ok());
  ASSERT_EQ(splitter.stages().size(), 2u);
  const SliceFigures zero = splitter.stages().at({0, 0});
  const SliceFigures one = splitter.stages().at({1, 0});
  EXPECT_EQ(zero.cpu_samples + one.cpu_samples + splitter.other().cpu_samples, 49);
  const auto stage_0 = ReadStacks({zero.file}, {}).ValueOrDie();
  EXPECT_EQ(Covered(stage_0, "CPU", "R.hotOne"), 22);
  EXPECT_EQ(Covered(stage_0, "CPU", "R.hotTwo"), 0);
  EXPECT_EQ(stage_0.tasks.size(), 4u);
  EXPECT_EQ(stage_0.tasks.at(first.task.task).end_ns, first.end);
  EXPECT_GT(stage_0.operator_samples.at(5), 0);
  EXPECT_EQ(Covered(stage_0, "CPU", "[loreId=5]") > 0, true);
  const auto stage_1 = ReadStacks({one.file}, {}).ValueOrDie();
  EXPECT_EQ(Covered(stage_1, "CPU", "R.hotTwo"), 23);
  EXPECT_TRUE(stage_1.operator_samples.empty());
  EXPECT_LT(zero.bytes + one.bytes, 51704 + 20000);

  // Names that are known are not written again.
  const ShownStages shown = {{{0, 0}, {"name loreId=5 RepriseFilter [loreId=5]"}}};
  ASSERT_TRUE(splitter.Split(tasks, shown).ok());
  const int64_t bytes_with_names = splitter.stages().at({0, 0}).bytes;
  EXPECT_GT(bytes_with_names, zero.bytes);
  ASSERT_TRUE(splitter.Split(tasks, shown).ok());
  EXPECT_EQ(splitter.stages().at({0, 0}).bytes, bytes_with_names);
  splitter.Finish({0, 0});
  const auto named = ReadStacks({zero.file}, {}).ValueOrDie();
  EXPECT_EQ(Covered(named, "CPU", "RepriseFilter [loreId=5]") > 0, true);
  EXPECT_EQ(named.cpu_samples, stage_0.cpu_samples);
  // The place on disk has been given back, and nothing is read twice.
  ASSERT_TRUE(splitter.Split(tasks).ok());
  EXPECT_EQ(splitter.stages().size(), 1u);
}

TEST_F(Recordings, ThreadsThatATaskStartsBelongToIt) {
  const std::string copy = CopyOfExample();
  RecordingSplitter splitter(copy, folder_.string(), 1 << 30);
  std::set<int64_t> threads;
  for (const JfrSpan& span : SpansOfExample()) threads.insert(static_cast<int64_t>(span.thread));
  ASSERT_EQ(threads.size(), 2u);
  const TaskTag task{17, {3, 0}, 0};
  TaskTag helper = task;
  helper.is_helper = true;
  ASSERT_TRUE(splitter
                  .Split({{.thread = *threads.begin(), .start = 0, .task = task},
                          {.thread = *threads.rbegin(), .start = 0, .task = helper}})
                  .ok());
  const auto stage =
      ReadStacks({splitter.stages().at({3, 0}).file}, {.by_task = true}).ValueOrDie();
  EXPECT_EQ(Covered(stage, "CPU", "R.hotOne") + Covered(stage, "CPU", "R.hotTwo"), 45);
  const int64_t below = Covered(stage, "CPU", "thread worker-*");
  EXPECT_GT(below, 10);
  EXPECT_LT(below, 35);
  ASSERT_EQ(stage.tasks.size(), 1u);
  int64_t of_task = 0;
  for (const auto& [stack, weight] : stage.tasks.at(17).stacks) of_task += weight;
  EXPECT_EQ(of_task, stage.cpu_samples + stage.wall_samples);
}

// A thread whose name says "TID 17" belongs to task 17 while that runs; worker-1 is renamed to it.
TEST_F(Recordings, ThreadsNamedAfterATaskBelongToIt) {
  std::string bytes = ReadWholeFile(kExample).ValueOrDie();
  const std::string name = "worker-1";
  for (size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at)) {
    bytes.replace(at, name.size(), "w TID 17");
  }
  RecordingSplitter splitter(Write("recording.jfr", bytes), folder_.string(), 1 << 30);
  // The task runs on a thread that the recording does not have.
  ASSERT_TRUE(splitter.Split({{.thread = 1, .start = 0, .task = {17, {3, 0}, 0}}}).ok());
  const auto stage = ReadStacks({splitter.stages().at({3, 0}).file}, {}).ValueOrDie();
  EXPECT_GT(Covered(stage, "CPU", "thread w TID *"), 10);
  EXPECT_EQ(Covered(stage, "CPU", "thread w TID *"), stage.cpu_samples);
}

TEST_F(Recordings, KeepToTheirBound) {
  const std::string copy = CopyOfExample();
  RecordingSplitter splitter(copy, folder_.string(), 20'000);
  ASSERT_TRUE(splitter.Split({}).ok());
  EXPECT_EQ(splitter.other().dropped_chunks, 1);
  EXPECT_EQ(splitter.other().bytes,
            static_cast<int64_t>(std::filesystem::file_size(splitter.other().file)));
  EXPECT_GT(ReadStacks({splitter.other().file}, {}).ValueOrDie().cpu_samples, 0);
}

TEST_F(Recordings, CutAnywhereAreReadUpToThereOrRefused) {
  const std::string whole = ReadWholeFile(kExample).ValueOrDie();
  for (size_t size = 0; size < whole.size(); size += 613) {
    const std::string file = Write("cut.jfr", std::string_view(whole).substr(0, size));
    const auto sampled = ReadStacks({file}, {});
    if (sampled.ok()) {
      EXPECT_TRUE(size == 0 || sampled->torn_bytes > 0) << size;
      continue;
    }
    EXPECT_THAT(sampled.status().message(), StartsWith(file + ": offset ")) << size;
  }
}

TEST_F(Recordings, DamagedBytesNeverCrash) {
  const std::string whole = ReadWholeFile(kExample).ValueOrDie();
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto sampled = ReadStacks({Write("damaged.jfr", damaged)}, {});
    if (sampled.ok()) continue;
    EXPECT_THAT(sampled.status().message(), HasSubstr("damaged.jfr: ")) << "seed " << seed;
  }
}

TEST_F(Recordings, ErrorsNameFileAndPlace) {
  const auto error = [this](std::string_view bytes) {
    const std::string file = Write("bad.jfr", bytes);
    const std::string message = ReadStacks({file}, {}).status().message();
    return message.substr(file.size() - std::string_view("bad.jfr").size());
  };
  EXPECT_EQ(error("no recording"), "bad.jfr: offset 0: the header of a chunk is cut off");
  std::string whole = ReadWholeFile(kExample).ValueOrDie();
  EXPECT_EQ(error("x" + whole.substr(1)), "bad.jfr: offset 0: expected a chunk of a JFR recording");
  whole[5] = 1;
  EXPECT_EQ(error(whole), "bad.jfr: offset 0: the chunk has version 1, expected version 2");
  EXPECT_EQ(ReadStacks({"/nowhere.jfr"}, {}).status().message(),
            "/nowhere.jfr: cannot read: No such file or directory");
}

TEST_F(Recordings, ShowWhySomeTasksAreSlow) {
  const auto tasks = ReadStacks({kExample}, {}).ValueOrDie().tasks;
  const SlowAndMedian chosen = ChooseTasks(tasks);
  EXPECT_EQ(chosen.slow, (std::set<int64_t>{1}));  // 282 ms
  EXPECT_EQ(chosen.median.size(), 1u);
  const std::string html = (folder_ / "slow.html").string();
  EXPECT_EQ(WriteSlowTasksPage({kExample}, {"title", "", "samples"}, html).ValueOrDie(), 1);
  EXPECT_THAT(ReadWholeFile(html).ValueOrDie(),
              HasSubstr("1 slow of 8 tasks (282 ms on average) against 1 median ones"));
  EXPECT_TRUE(ChooseTasks({{7, {}}}).slow.empty());
  const SlowAndMedian two = ChooseTasks({{7, {.end_ns = 5}}, {8, {.end_ns = 3}}});
  EXPECT_EQ(two.slow, (std::set<int64_t>{7}));
  EXPECT_EQ(two.median, (std::set<int64_t>{8}));
  EXPECT_EQ(Scaled({{{1}, 3}, {{2}, 1}}, 0.4), (NumberedStacks{{{1}, 1}}));
}

TEST(OperatorLog, NotesWhichOperatorComputes) {
  OperatorLog& log = OperatorLog::OfProcess();
  int64_t dropped = 0;
  { const OperatorScope unseen(1); }
  log.Switch(true);
  {
    const OperatorScope outer(2);
    const OperatorScope inner(3);
  }
  const auto changes = log.Take(&dropped);
  log.Switch(false);
  std::vector<int32_t> ids;
  for (const OperatorChange& change : changes) ids.push_back(change.lore_id);
  EXPECT_EQ(ids, (std::vector<int32_t>{2, 3, 2, 0}));
  EXPECT_LE(changes.front().ns, changes.back().ns);
  EXPECT_LE(changes.back().ns, MonotonicNs());
  EXPECT_EQ(dropped, 0);
}

TEST(OperatorLog, KeepsEachThreadsChangesInTheirOrder) {
  OperatorLog& log = OperatorLog::OfProcess();
  log.Switch(true);
  std::vector<std::thread> threads;
  for (int32_t number = 1; number <= 4; ++number) {
    threads.emplace_back([number] {
      for (int i = 0; i < 1000; ++i) const OperatorScope scope(number);
    });
  }
  int64_t dropped = 0;
  std::map<int32_t, std::vector<OperatorChange>> by_thread;
  const auto take = [&] {
    for (const OperatorChange& change : log.Take(&dropped)) {
      by_thread[change.thread].push_back(change);
    }
  };
  take();
  for (std::thread& thread : threads) thread.join();
  take();
  log.Switch(false);
  ASSERT_EQ(by_thread.size(), 4u);
  for (const auto& [thread, changes] : by_thread) {
    EXPECT_EQ(changes.size(), 2000u);
    EXPECT_TRUE(std::ranges::is_sorted(changes, {}, &OperatorChange::ns));
    EXPECT_EQ(changes.back().lore_id, 0);
  }
  EXPECT_EQ(dropped, 0);
}

TEST(Tags, SayWhatTheySaid) {
  const auto task = ParseTaskTag(TagOf(TaskTag{17, {3, 1}, 4}));
  ASSERT_TRUE(task);
  EXPECT_EQ(task->task, 17);
  EXPECT_EQ(task->stage, (StageAttemptId{3, 1}));
  EXPECT_EQ(task->partition, 4);
  EXPECT_FALSE(task->is_helper);
  EXPECT_EQ(TagOf(TaskTag{17, {3, 1}, 4, true}), "task=17 stage=3.1 partition=4 helper");
  EXPECT_TRUE(ParseTaskTag("task=17 stage=3.1 partition=4 helper")->is_helper);
  EXPECT_FALSE(ParseTaskTag("task=17 stage=3.1 partition=4 other"));
  EXPECT_FALSE(ParseTaskTag("task=17 stage=3"));
  EXPECT_EQ(ParseOperatorTag(OperatorTag(5)), 5);
  const auto name = ParseNameTag("name codegen=2 Filter [loreId=4]");
  ASSERT_TRUE(name);
  EXPECT_TRUE(name->is_codegen);
  EXPECT_EQ(name->text, "Filter [loreId=4]");
}

TEST(Threads, HaveGroupsAndPools) {
  EXPECT_EQ(ThreadGroup("GC Thread#0", false), "garbage collection");
  EXPECT_EQ(ThreadGroup("C2 CompilerThread0", true), "compilation");
  EXPECT_EQ(ThreadGroup("dispatcher-event-loop-1", true), "idle");
  EXPECT_EQ(ThreadGroup("dispatcher-event-loop-1", false), "remote calls");
  EXPECT_EQ(ThreadGroup("Cleaner-0", false), "other threads");
  EXPECT_EQ(ThreadGroup("dag-scheduler-event-loop", false), "scheduling");
  EXPECT_EQ(ThreadGroup("dag-scheduler-event-loop", true), "idle");
  EXPECT_EQ(ThreadGroup("task-result-getter-3", false), "task results");
  EXPECT_EQ(ThreadPool("dispatcher-event-loop-12"), "dispatcher-event-loop-*");
  EXPECT_EQ(RunnerName({}), "Executor task launch worker");
  const std::vector<TaskTag> tasks = {{9, {4, 1}, 0}, {7, {4, 1}, 2}, {9, {4, 1}, 0}};
  EXPECT_EQ(RunnerName(tasks), "Executor task launch worker in stage 4.1 (TID 7, 9)");
  const std::vector<TaskTag> five = {{9}, {10}, {11}, {12}, {13}};
  EXPECT_EQ(RunnerName(five),
            "Executor task launch worker in stage 0.0 (TID 9, 10, 11 and 2 more)");
  EXPECT_FALSE(IsNamedAfterLastTask("Executor task launch worker-3"));
  EXPECT_TRUE(FitsPattern("Executor task*", "Executor task launch worker for task 3"));
  EXPECT_TRUE(FitsPattern("*a?c*", "xxabc"));
  EXPECT_FALSE(FitsPattern("a*b", "abc"));
}

}  // namespace
}  // namespace reprise
