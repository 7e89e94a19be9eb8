#include "profile/wall_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "base/trace.h"

namespace reprise {
namespace {

using std::chrono::milliseconds;

// Of the thread that has the signal.
thread_local std::atomic<int64_t>* samples = nullptr;

void Sample(int, siginfo_t*, void*) {
  if (samples != nullptr) ++*samples;
}

class WallClocks : public testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action {};
    action.sa_sigaction = Sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ASSERT_EQ(sigaction(SIGVTALRM, &action, &before_), 0);
  }
  void TearDown() override {
    clock_.End();
    sigaction(SIGVTALRM, &before_, nullptr);
  }

  WallClock clock_;
  struct sigaction before_ {};
};

// Waits, as most threads do, and counts its samples meanwhile.
class Sleeper {
 public:
  Sleeper()
      : thread_([this] {
          samples = &count_;
          id_ = gettid();
          id_.notify_all();
          is_over_.wait(false);
        }) {
    id_.wait(0);
  }
  ~Sleeper() {
    is_over_ = true;
    is_over_.notify_all();
    thread_.join();
  }
  int32_t id() const { return id_; }
  int64_t count() const { return count_; }

 private:
  std::atomic<int64_t> count_ = 0;
  std::atomic<int32_t> id_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

constexpr std::string_view kThisProgram = "profile_test";
constexpr int64_t kInterval = 2'000'000;

void WaitFor(const Sleeper& sleeper, int64_t count) {
  for (int i = 0; i < 5000 && sleeper.count() < count; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_GE(sleeper.count(), count);
}

TEST_F(WallClocks, SampleTheThreadsThatWereAdded) {
  std::array<Sleeper, 20> sleepers;
  const Sleeper other;
  clock_.Add(sleepers[0].id());  // before it begins
  ASSERT_TRUE(clock_.Begin(kInterval, 0, kThisProgram).ok());
  for (const Sleeper& sleeper : sleepers) clock_.Add(sleeper.id());
  const auto begin = std::chrono::steady_clock::now();
  for (const Sleeper& sleeper : sleepers) WaitFor(sleeper, 50);
  const auto passed = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(sleepers[1].count() * kInterval, std::chrono::nanoseconds(passed).count() * 1.2 + 1e7);
  EXPECT_EQ(other.count(), 0);

  for (const Sleeper& sleeper : sleepers) clock_.Remove(sleeper.id());
  std::this_thread::sleep_for(milliseconds(20));  // a signal may be on its way
  const int64_t count = sleepers[3].count();
  clock_.Add(other.id());
  WaitFor(other, 10);
  EXPECT_EQ(sleepers[3].count(), count);

  clock_.End();
  std::this_thread::sleep_for(milliseconds(20));
  const int64_t at_end = other.count();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(other.count(), at_end);
  clock_.Remove(other.id());
}

TEST_F(WallClocks, OutliveThreads) {
  ASSERT_TRUE(clock_.Begin(kInterval, 0, kThisProgram).ok());
  int32_t ended = 0;
  {
    const Sleeper sleeper;
    ended = sleeper.id();
    clock_.Add(ended);
    WaitFor(sleeper, 5);
  }
  clock_.Remove(ended);
  clock_.Add(ended);  // it has no timer
  const Sleeper other;
  clock_.Add(other.id());
  WaitFor(other, 5);
  clock_.Remove(ended);
  clock_.Remove(other.id());
}

TEST_F(WallClocks, WalkAStackOnlyWhereItIsAnotherOne) {
  constexpr int64_t kProcessor = 3'000'000;
  ASSERT_TRUE(clock_.Begin(kInterval, kProcessor, kThisProgram).ok());
  std::atomic<int64_t> runner_samples = 0;
  std::atomic<int32_t> runner = 0;
  std::atomic<bool> is_over = false;
  std::thread running([&] {
    samples = &runner_samples;
    runner = gettid();
    while (!is_over) {
    }
  });
  const Sleeper sleeper;
  while (runner == 0) std::this_thread::yield();
  const int64_t begun = MonotonicNs();
  clock_.Add(runner);
  clock_.Add(sleeper.id());
  std::map<int32_t, std::vector<WallTick>> ticks;
  for (int i = 0; i < 5000 && (ticks[runner].size() < 50 || ticks[sleeper.id()].size() < 50); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
    for (const WallTick& tick : clock_.TakeTicks()) ticks[tick.thread].push_back(tick);
  }
  EXPECT_GE(ticks[runner].size(), 50u);
  EXPECT_GE(ticks[sleeper.id()].size(), 50u);
  // A stack at the beginning, and, of the one that runs, where others had its processor for long.
  EXPECT_GE(runner_samples, 1);
  EXPECT_GE(sleeper.count(), 1);
  EXPECT_LT(sleeper.count(), 25);
  for (const WallTick& tick : ticks[runner]) EXPECT_EQ(tick.waits_since, 0);
  for (const WallTick& tick : ticks[sleeper.id()]) {
    EXPECT_GE(tick.waits_since, begun);
    EXPECT_LT(tick.waits_since, tick.ns);
  }

  // Every tick while a chunk is ended; then each thread's first one.
  clock_.SetEndingChunk(true);
  std::this_thread::sleep_for(milliseconds(5));
  clock_.TakeTicks();
  const int64_t before = sleeper.count();
  WaitFor(sleeper, before + 10);
  EXPECT_TRUE(clock_.TakeTicks().empty());
  clock_.SetEndingChunk(false);
  const int64_t in_new_chunk = MonotonicNs();
  bool is_noted = false;
  for (int i = 0; i < 5000 && !is_noted; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
    for (const WallTick& tick : clock_.TakeTicks()) {
      if (tick.thread != sleeper.id()) continue;
      is_noted = true;
      EXPECT_GE(tick.waits_since, in_new_chunk);
    }
  }
  EXPECT_TRUE(is_noted);
  is_over = true;
  running.join();
}

TEST_F(WallClocks, CountThreadsForWhichTheKernelHasNoTimer) {
  ASSERT_TRUE(clock_.Begin(kInterval, 0, kThisProgram).ok());
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_SIGPENDING, &limit), 0);
  rlimit none = limit;
  none.rlim_cur = 0;
  ASSERT_EQ(setrlimit(RLIMIT_SIGPENDING, &none), 0);
  const Sleeper one;
  const Sleeper other;
  clock_.Add(one.id());
  clock_.Add(other.id());
  clock_.Remove(other.id());
  clock_.Add(other.id());
  EXPECT_EQ(clock_.threads_without(), 2);
  ASSERT_EQ(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
  EXPECT_EQ(one.count(), 0);
  clock_.Remove(one.id());
  clock_.Add(one.id());
  WaitFor(one, 3);
  EXPECT_EQ(clock_.threads_without(), 2);
  clock_.Remove(one.id());
  clock_.Remove(other.id());

  // A clock that begins then says so itself.
  clock_.End();
  ASSERT_EQ(setrlimit(RLIMIT_SIGPENDING, &none), 0);
  EXPECT_EQ(clock_.Begin(kInterval, 0, kThisProgram).message(),
            "the kernel has no timer for the wall clock: Resource temporarily unavailable");
  ASSERT_EQ(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
}

TEST_F(WallClocks, LeaveTheSignalToWhomItBelongs) {
  const std::string reason = clock_.Begin(kInterval, 0, "libasyncProfiler.so").message();
  EXPECT_THAT(reason, testing::StartsWith("libasyncProfiler.so does not handle SIGVTALRM, which"));
  signal(SIGVTALRM, SIG_DFL);  // which would end the process
  EXPECT_FALSE(clock_.Begin(kInterval, 0, kThisProgram).ok());
}

TEST_F(WallClocks, GiveTheSignalBack) {
  const auto is_sample = [] {
    struct sigaction action {};
    sigaction(SIGVTALRM, nullptr, &action);
    return action.sa_sigaction == Sample;
  };
  ASSERT_TRUE(clock_.Begin(kInterval, 0, kThisProgram).ok());
  EXPECT_FALSE(is_sample());
  // The profiler's own signals come through.
  const Sleeper sleeper;
  ASSERT_EQ(tgkill(getpid(), sleeper.id(), SIGVTALRM), 0);
  WaitFor(sleeper, 1);
  clock_.End();
  EXPECT_TRUE(is_sample());
}

TEST(TickLogs, AreBounded) {
  TickLog log;
  int64_t added = 0;
  while (log.Add({.ns = added + 1, .thread = 7, .waits_since = added})) ++added;
  EXPECT_EQ(added, 1 << 15);
  std::vector<WallTick> ticks = log.Take();
  ASSERT_EQ(ticks.size(), 1u << 15);
  EXPECT_EQ(ticks.back(), (WallTick{1 << 15, 7, (1 << 15) - 1}));
  EXPECT_TRUE(log.Take().empty());
  EXPECT_TRUE(log.Add({.ns = 9, .thread = 7}));
  EXPECT_EQ(log.Take().size(), 1u);
}

}  // namespace
}  // namespace reprise
