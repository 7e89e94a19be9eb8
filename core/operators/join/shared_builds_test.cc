#include "operators/join/shared_builds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "operators/join/join_testing.h"

namespace reprise::testing {
namespace {

const std::vector<Field> kBuilt = Fields({"k integer"});

Result<SharedBuilds::Build> EmptyBuild() {
  JoinBuilder builder(kBuilt, {kBuilt[0].type}, ChainOrder::kEarliestFirst, true,
                      arrow::default_memory_pool());
  return builder.Finish();
}

TEST(SharedBuilds, ABuildIsMadeOnceAndKeptUntilReleased) {
  SharedBuilds builds;
  std::atomic<int> made = 0;
  const auto make = [&]() -> Result<SharedBuilds::Build> {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return EmptyBuild();
  };
  std::vector<std::thread> threads;
  std::vector<SharedBuilds::Build> got(4);
  for (auto& build : got) {
    threads.emplace_back([&] { build = Good(builds.GetOrMake(7, "k", make, {})); });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  for (const auto& build : got) EXPECT_EQ(build, got[0]);
  EXPECT_NE(Good(builds.GetOrMake(7, "other", make, {})), got[0]);
  EXPECT_NE(Good(builds.GetOrMake(8, "k", make, {})), got[0]);
  EXPECT_EQ(builds.size(), 3u);
  builds.Release(7);
  EXPECT_EQ(builds.size(), 1u);
  EXPECT_EQ(got[0].use_count(), 4);
}

TEST(SharedBuilds, AFailureIsOfItsMakerAlone) {
  SharedBuilds builds;
  const auto fail = []() -> Result<SharedBuilds::Build> { return Status::IOError("gone"); };
  EXPECT_EQ(builds.GetOrMake(1, "k", fail, {}).status().message(), "gone");
  EXPECT_EQ(builds.size(), 0u);
  EXPECT_NE(Good(builds.GetOrMake(1, "k", EmptyBuild, {})), nullptr);
}

TEST(SharedBuilds, WhoThrowsLeavesTheBuildToOneWhoWaits) {
  SharedBuilds builds;
  std::atomic<bool> other_waits = false;
  TaskContext context;
  context.outside = [&](const std::function<void()>& function) {
    other_waits = true;
    function();
  };
  SharedBuilds::Build got;
  std::thread other;
  const auto fail = [&]() -> Result<SharedBuilds::Build> {
    other = std::thread([&] { got = Good(builds.GetOrMake(1, "k", EmptyBuild, context)); });
    while (!other_waits) std::this_thread::yield();
    throw std::bad_alloc();
  };
  EXPECT_THROW((void)builds.GetOrMake(1, "k", fail, {}), std::bad_alloc);
  other.join();
  EXPECT_NE(got, nullptr);
  EXPECT_EQ(builds.size(), 1u);
}

TEST(SharedBuilds, ACancelledTaskStopsWaiting) {
  SharedBuilds builds;
  const auto make = [&]() -> Result<SharedBuilds::Build> {
    TaskContext cancelled;
    cancelled.cancelled = [] { return true; };
    const auto waiting = builds.GetOrMake(1, "k", EmptyBuild, cancelled);
    EXPECT_TRUE(waiting.status().IsCancelled());
    return EmptyBuild();
  };
  EXPECT_TRUE(builds.GetOrMake(1, "k", make, {}).ok());
}

// As with spark.reprise.concurrentTasks=1: whoever computes holds the permit, and the one who makes
// the build gives it away while it reads its input.
TEST(SharedBuilds, ATaskThatWaitsLetsTheOneThatMakesTheBuildCompute) {
  SharedBuilds builds;
  std::mutex permit;
  std::atomic<bool> other_waits = false;
  TaskContext context;
  context.outside = [&](const std::function<void()>& function) {
    permit.unlock();
    other_waits = true;
    function();
    permit.lock();
  };
  const auto make = [&]() -> Result<SharedBuilds::Build> {
    permit.unlock();  // reads its input
    while (!other_waits) std::this_thread::yield();
    permit.lock();
    return EmptyBuild();
  };
  SharedBuilds::Build made, waited_for;
  permit.lock();
  std::thread other([&] {
    const std::lock_guard computes(permit);
    waited_for = Good(builds.GetOrMake(1, "k", EmptyBuild, context));
  });
  made = Good(builds.GetOrMake(1, "k", make, context));
  permit.unlock();
  other.join();
  EXPECT_EQ(made, waited_for);
}

/// A source that is a broadcast.
class BroadcastSource final : public Operator {
 public:
  BroadcastSource(int64_t id, Batch batch, int* pulls, const TaskContext& context)
      : Operator({"source", "BroadcastSource", 0, "", "", kBuilt, {}, {}}, {}, context),
        id_(id),
        batch_(std::move(batch)),
        pulls_(pulls) {}
  std::optional<int64_t> broadcast_id() const override { return id_; }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (given_) return std::nullopt;
    given_ = true;
    ++*pulls_;
    return batch_;
  }
  int64_t id_;
  Batch batch_;
  int* pulls_;
  bool given_ = false;
};

Result<std::shared_ptr<arrow::RecordBatch>> JoinWithBroadcast(const std::string& type, int64_t id,
                                                              int* pulls,
                                                              TraceRecorder* trace = nullptr) {
  // A task's own pool, which is gone when the next task uses the build.
  arrow::ProxyMemoryPool pool(arrow::default_memory_pool());
  TaskContext context;
  context.pool = &pool;
  context.trace = trace;
  auto inputs = SourceOf(kBuilt, {BatchOf(kBuilt, {"[1, 2, 2, null]"})}, context);
  inputs.push_back(
      std::make_unique<BroadcastSource>(id, BatchOf(kBuilt, {"[2, 3]"}), pulls, context));
  ARROW_ASSIGN_OR_RAISE(auto join, MakeOperator(JoinSpecOf(type, "right", kBuilt, kBuilt, 1),
                                                std::move(inputs), context));
  auto rows = Drain(join.get());
  join.reset();
  return rows;
}

TEST(SharedBuilds, TasksShareTheBuildOfABroadcast) {
  int pulls = 0;
  for (int task = 0; task < 3; ++task) {
    ExpectColumn(*Good(JoinWithBroadcast("inner", 1001, &pulls)), 1, "[2, 2]");
  }
  EXPECT_EQ(pulls, 1);
  SharedBuilds::Instance().Release(1001);
  ExpectColumn(*Good(JoinWithBroadcast("semi", 1001, &pulls)), 0, "[2, 2]");
  EXPECT_EQ(pulls, 2);
  SharedBuilds::Instance().Release(1001);
}

TEST(SharedBuilds, ATraceShowsWhoMakesTheBuild) {
  int pulls = 0;
  std::vector<std::string> names;
  for (int task = 0; task < 2; ++task) {
    TraceRecorder trace(std::make_shared<std::atomic<int64_t>>(100));
    ASSERT_TRUE(JoinWithBroadcast("inner", 1002, &pulls, &trace).ok());
    for (const TraceEvent& event : trace.events()) {
      if (event.range->category != "build") continue;
      names.emplace_back(event.range->name);
      EXPECT_EQ(event.figures[0], 2) << "rows";
    }
  }
  SharedBuilds::Instance().Release(1002);
  EXPECT_EQ(names, (std::vector<std::string>{"make broadcast build", "take broadcast build",
                                             "take broadcast build"}));
}

TEST(SharedBuilds, UnmatchedRowsOfABroadcastCannotBeKept) {
  int pulls = 0;
  EXPECT_EQ(JoinWithBroadcast("right", 1002, &pulls).status().message(),
            "RepriseJoin: a broadcast side cannot be the one whose unmatched rows are kept");
}

}  // namespace
}  // namespace reprise::testing
