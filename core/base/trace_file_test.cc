#include "base/trace_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/fragment_trace.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr TraceRange kLoreRange = {"outer", "test", {"rows"}, R"("loreId":5)"};
constexpr TraceRange kQuotedRange = {"a \"name\" with\nquotes", "test", {"partition", "", "bytes"}};

class TraceFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path() const { return folder_ / "trace.json"; }
  std::shared_ptr<TraceFile> File() const {
    return std::make_shared<TraceFile>(Path(), "executor 1", 2, 0);
  }
  static std::string TextOf(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  Json Events() const { return Json::parse(TextOf(Path())); }
  static Json Named(const Json& events, const std::string& name) {
    Json found = Json::array();
    for (const Json& event : events) {
      if (event["name"] == name) found.push_back(event);
    }
    return found;
  }
  static TraceTask Task(int64_t attempt, int64_t events_max = 100) {
    return {3, 7, attempt, events_max};
  }

  fs::path folder_;
};

bool Contains(const Json& outer, const Json& inner) {
  const double outer_start = outer["ts"];
  const double inner_start = inner["ts"];
  return outer["tid"] == inner["tid"] && outer_start <= inner_start &&
         inner_start + inner["dur"].get<double>() <= outer_start + outer["dur"].get<double>() + 1;
}

TEST_F(TraceFileTest, ATaskIsWrittenWhenItsLastFragmentEnds) {
  const auto file = File();
  FragmentTrace lower(file, Task(41));
  FragmentTrace upper(file, Task(41));
  {
    TraceScope outer(upper.recorder(), kLoreRange);
    TraceScope inner(lower.recorder(), kQuotedRange);
    outer.Count(12);
    inner.Count(1, 2, 3);
  }
  ASSERT_TRUE(upper.End().ok());
  EXPECT_FALSE(fs::exists(Path()));
  ASSERT_TRUE(lower.End().ok());

  const Json events = Events();
  ASSERT_EQ(events.size(), 8);
  EXPECT_EQ(events[0], Json::parse(R"({"ph":"M","pid":2,"name":"process_name",
                                       "args":{"name":"executor 1"}})"));
  EXPECT_EQ(events[1]["name"], "process_labels");
  EXPECT_EQ(events[3], Json::parse(R"({"ph":"M","pid":2,"tid":1,"name":"thread_name",
                                       "args":{"name":"task slot 1"}})"));
  const Json& task = events[5];
  EXPECT_EQ(task["name"], "task 3.7 attempt 41");
  EXPECT_EQ(task["cat"], "task");
  EXPECT_EQ(task["ph"], "X");
  EXPECT_EQ(task["args"], Json::parse(R"({"stage":3,"partition":7,"attempt":41})"));
  const Json& outer = events[6];
  EXPECT_EQ(outer["name"], "outer");
  EXPECT_EQ(outer["args"], Json::parse(R"({"loreId":5,"rows":12})"));
  const Json& inner = events[7];
  EXPECT_EQ(inner["name"], "a \"name\" with\nquotes");
  EXPECT_EQ(inner["args"], Json::parse(R"({"partition":1,"bytes":3})"));
  EXPECT_TRUE(Contains(task, outer));
  EXPECT_TRUE(Contains(outer, inner));
}

TEST_F(TraceFileTest, LanesAreUsedAgain) {
  const auto file = File();
  auto first = std::make_unique<FragmentTrace>(file, Task(1));
  auto second = std::make_unique<FragmentTrace>(file, Task(2));
  first.reset();
  const FragmentTrace third(file, Task(3));
  second.reset();
  const Json events = Events();
  EXPECT_EQ(Named(events, "task 3.7 attempt 1")[0]["tid"], 1);
  EXPECT_EQ(Named(events, "task 3.7 attempt 2")[0]["tid"], 2);
  EXPECT_EQ(file->LaneHere(Task(3)), 1);
}

TEST_F(TraceFileTest, AnotherThreadOfATaskHasALaneOfItsOwn) {
  const auto file = File();
  FragmentTrace trace(file, Task(1));
  std::thread([&] {
    trace.MoveToThisThread();
    const TraceScope there(trace.recorder(), kLoreRange);
  }).join();
  trace.MoveToThisThread();
  { const TraceScope here(trace.recorder(), kQuotedRange); }
  ASSERT_TRUE(trace.End().ok());
  const Json events = Events();
  const Json tasks = Named(events, "task 3.7 attempt 1");
  ASSERT_EQ(tasks.size(), 2);
  EXPECT_NE(tasks[0]["tid"], tasks[1]["tid"]);
  EXPECT_EQ(Named(events, "outer")[0]["tid"], 2);
  EXPECT_EQ(Named(events, std::string(kQuotedRange.name))[0]["tid"], 1);
  EXPECT_EQ(Named(events, "thread_name").size(), 2);
}

TEST_F(TraceFileTest, TasksAppendAndTheArrayIsAlwaysClosed) {
  const auto file = File();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&file, i] {
      for (int j = 0; j < 20; ++j) {
        FragmentTrace trace(file, Task(i * 20 + j));
        const TraceScope range(trace.recorder(), kLoreRange);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const Json events = Events();
  EXPECT_EQ(Named(events, "process_name").size(), 1);
  EXPECT_EQ(events.size(), 3 + 2 * Named(events, "thread_name").size() + 320);
}

TEST_F(TraceFileTest, IsItsOwnersAloneAndFollowsNoLink) {
  { const FragmentTrace trace(File(), Task(1)); }
  EXPECT_EQ(fs::status(Path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const std::string other = folder_ / "other";
  std::ofstream(other) << "somebody else's";
  fs::remove(Path());
  fs::create_symlink(other, Path());
  FragmentTrace trace(File(), Task(2));
  EXPECT_FALSE(trace.End().ok());
  EXPECT_EQ(TextOf(other), "somebody else's");
}

TEST_F(TraceFileTest, WhatIsTooMuchIsCounted) {
  FragmentTrace trace(File(), Task(1, /*events_max=*/2));
  for (int i = 0; i < 5; ++i) const TraceScope range(trace.recorder(), kLoreRange);
  ASSERT_TRUE(trace.End().ok());
  const Json events = Events();
  EXPECT_EQ(Named(events, "outer").size(), 2);
  EXPECT_EQ(Named(events, "task 3.7 attempt 1, incomplete")[0]["args"]["droppedRanges"], 3);
}

TEST_F(TraceFileTest, TimesCountFromTheStartOfTheApplication) {
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  const int64_t start = now() - 5000;
  auto file = std::make_shared<TraceFile>(Path(), "driver", 1, start);
  { const FragmentTrace trace(file, Task(1)); }
  const double ts = Named(Events(), "task 3.7 attempt 1")[0]["ts"];
  EXPECT_GE(ts, 4'990'000);
  EXPECT_LE(ts, static_cast<double>(now() - start + 10) * 1000);
}

TEST_F(TraceFileTest, AFileThatWasRemovedIsMadeAnew) {
  const auto file = File();
  { const FragmentTrace trace(file, Task(1)); }
  fs::remove(Path());
  { const FragmentTrace trace(file, Task(2)); }
  const Json events = Events();
  EXPECT_EQ(Named(events, "process_name").size(), 1);
  EXPECT_EQ(Named(events, "thread_name").size(), 1);
  EXPECT_EQ(Named(events, "task 3.7 attempt 2").size(), 1);
}

TEST_F(TraceFileTest, AnOlderFileIsReplaced) {
  std::ofstream(Path()) << "something else";
  { const FragmentTrace trace(File(), Task(1)); }
  EXPECT_EQ(Named(Events(), "task 3.7 attempt 1").size(), 1);
}

TEST_F(TraceFileTest, AFileWithoutATaskCanBeRead) {
  ASSERT_TRUE(File()->Start().ok());
  EXPECT_EQ(Events().size(), 3);
}

TEST_F(TraceFileTest, AFileThatCannotBeWrittenIsAnError) {
  const std::string path = folder_ / "absent" / "trace.json";
  FragmentTrace trace(std::make_shared<TraceFile>(path, "driver", 1, 0), Task(1));
  const Status status = trace.End();
  EXPECT_TRUE(status.IsIOError());
  EXPECT_EQ(status.message(), path + " cannot be opened: No such file or directory");
  EXPECT_TRUE(trace.End().ok());
}

TEST_F(TraceFileTest, AFullDiskLeavesWhatWasThere) {
  // A limit on the size of files is what a test can set.
  const auto file = File();
  { const FragmentTrace trace(file, Task(1)); }
  const std::string before = TextOf(Path());
  rlimit unlimited = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const rlimit limited = {before.size() + 50, unlimited.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  FragmentTrace trace(file, Task(2));
  const Status status = trace.End();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(status.message(), Path() + " cannot be written to: File too large");
  EXPECT_EQ(TextOf(Path()), before);
}

TEST_F(TraceFileTest, ThereIsOneFileForAProcess) {
  const TraceProcess process = {folder_ / "new", "app-1/2", "1", 0};
  const auto file = TraceFile::OfProcess(process);
  EXPECT_EQ(file->path(), (folder_ / "new" / "trace-app-1_2-1.json").string());
  EXPECT_EQ(TraceFile::OfProcess(process), file);
  { const FragmentTrace trace(file, Task(1)); }
  const Json events = Json::parse(TextOf(file->path()));
  EXPECT_EQ(events[0]["args"]["name"], "executor 1, app-1/2");
  EXPECT_EQ(events[0]["pid"], 2);
}

TEST_F(TraceFileTest, ADirectoryIsMadeOrRefused) {
  EXPECT_TRUE(PrepareTraceDirectory(folder_ / "a" / "b").ok());
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b"));
  EXPECT_TRUE(PrepareTraceDirectory(folder_ / "a" / "b").ok());
  const std::string file = folder_ / "file";
  std::ofstream(file) << "x";
  EXPECT_EQ(PrepareTraceDirectory(file).message(), file + " is not a directory");
  EXPECT_EQ(PrepareTraceDirectory(file + "/below").message(),
            file + "/below cannot be made: Not a directory");
}

}  // namespace
}  // namespace reprise
