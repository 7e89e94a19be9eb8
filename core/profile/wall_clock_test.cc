#include "profile/wall_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <thread>
#include <vector>

#include "base/trace.h"

namespace reprise {
namespace {

using std::chrono::milliseconds;

// Of the thread that has the signal.
thread_local std::atomic<int64_t>* samples = nullptr;

void Sample(int, siginfo_t*, void*) {
  if (samples != nullptr) ++*samples;
}

std::atomic<int64_t> processor_count = 0;

void SampleProcessor(int, siginfo_t*, void*) { ++processor_count; }

// As the processor's timer has the profiler sample a thread.
void SampleProcessorOf(int32_t thread) {
  const int64_t before = processor_count;
  ASSERT_EQ(tgkill(getpid(), thread, SIGPROF), 0);
  while (processor_count == before) std::this_thread::yield();
}

class WallClocks : public testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action {};
    action.sa_sigaction = Sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ASSERT_EQ(sigaction(SIGVTALRM, &action, &before_), 0);
    action.sa_sigaction = SampleProcessor;
    ASSERT_EQ(sigaction(SIGPROF, &action, &processor_before_), 0);
  }
  void TearDown() override {
    clock_.End();
    sigaction(SIGVTALRM, &before_, nullptr);
    sigaction(SIGPROF, &processor_before_, nullptr);
  }

  WallClock clock_;
  struct sigaction before_ {};
  struct sigaction processor_before_ {};
};

// Waits, as most threads do, or runs, and counts its samples meanwhile.
template <bool kWaits>
class Sampled {
 public:
  Sampled()
      : thread_([this] {
          samples = &count_;
          id_ = gettid();
          id_.notify_all();
          while (!is_over_) {
            if (kWaits) is_over_.wait(false);
          }
        }) {
    id_.wait(0);
  }
  ~Sampled() {
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

using Sleeper = Sampled<true>;
using Runner = Sampled<false>;

constexpr std::string_view kThisProgram = "profile_test";
constexpr int64_t kInterval = 2'000'000;

void WaitFor(const auto& thread, int64_t count) {
  for (int i = 0; i < 5000 && thread.count() < count; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_GE(thread.count(), count);
}

TEST_F(WallClocks, SampleTheThreadsThatWereAdded) {
  std::array<Sleeper, 20> sleepers;
  const Sleeper other;
  clock_.Add(sleepers[0].id());  // before it begins
  ASSERT_TRUE(clock_.Begin(kInterval, false, kThisProgram).ok());
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
  ASSERT_TRUE(clock_.Begin(kInterval, false, kThisProgram).ok());
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
  ASSERT_TRUE(clock_.Begin(kInterval, true, kThisProgram).ok());
  const Sleeper sleeper;
  const int64_t begun = MonotonicNs();
  clock_.Add(sleeper.id());
  std::vector<WallTick> ticks;
  const auto take = [&] {
    std::this_thread::sleep_for(milliseconds(1));
    std::ranges::copy(clock_.TakeTicks(), std::back_inserter(ticks));
  };
  for (int i = 0; i < 5000 && ticks.size() < 50; ++i) take();
  EXPECT_GE(ticks.size(), 50u);
  EXPECT_GE(sleeper.count(), 1);
  EXPECT_LT(sleeper.count(), 25);
  for (const WallTick& tick : ticks) {
    EXPECT_EQ(tick.thread, sleeper.id());
    EXPECT_GE(tick.waits_since, begun);
    EXPECT_LT(tick.waits_since, tick.ns);
  }

  // Every tick while a chunk is ended; then the first one.
  clock_.SetEndingChunk(true);
  std::this_thread::sleep_for(milliseconds(5));
  clock_.TakeTicks();
  WaitFor(sleeper, sleeper.count() + 10);
  EXPECT_TRUE(clock_.TakeTicks().empty());
  clock_.SetEndingChunk(false);
  const int64_t in_new_chunk = MonotonicNs();
  ticks.clear();
  for (int i = 0; i < 5000 && ticks.empty(); ++i) take();
  ASSERT_FALSE(ticks.empty());
  EXPECT_GE(ticks.front().waits_since, in_new_chunk);
}

TEST_F(WallClocks, WalkNoStackOfAThreadThatTheProcessorSamples) {
  const Runner runner;
  SampleProcessorOf(runner.id());  // of what it did before
  ASSERT_TRUE(clock_.Begin(kInterval, true, kThisProgram).ok());
  clock_.Add(runner.id());
  WaitFor(runner, 10);
  EXPECT_TRUE(clock_.TakeTicks().empty());
  const auto expect_ticks_once_sampled = [&] {
    const int64_t before = MonotonicNs();
    SampleProcessorOf(runner.id());
    std::vector<WallTick> ticks;
    for (int i = 0; i < 5000 && ticks.size() < 20; ++i) {
      std::this_thread::sleep_for(milliseconds(1));
      std::ranges::copy(clock_.TakeTicks(), std::back_inserter(ticks));
    }
    ASSERT_GE(ticks.size(), 20u);
    EXPECT_GE(ticks.front().ns, before);
    for (const WallTick& tick : ticks) EXPECT_EQ(tick.waits_since, 0);
  };
  const auto expect_only_stacks = [&] {
    const int64_t begun = MonotonicNs();
    WaitFor(runner, runner.count() + 10);
    for (const WallTick& tick : clock_.TakeTicks()) EXPECT_LT(tick.ns, begun);
  };
  expect_ticks_once_sampled();

  // Samples of one chunk say nothing of another one.
  clock_.SetEndingChunk(true);
  clock_.SetEndingChunk(false);
  expect_only_stacks();
  expect_ticks_once_sampled();

  // Nor do those of one task of what the thread does next.
  clock_.Remove(runner.id());
  clock_.Add(runner.id());
  expect_only_stacks();
  clock_.Remove(runner.id());
}

TEST_F(WallClocks, WalkEveryStackWhereTheProcessorsSamplesAreNotSeen) {
  signal(SIGPROF, SIG_IGN);
  ASSERT_TRUE(clock_.Begin(kInterval, true, kThisProgram).ok());
  const Sleeper sleeper;
  clock_.Add(sleeper.id());
  WaitFor(sleeper, 10);
  EXPECT_TRUE(clock_.TakeTicks().empty());
  clock_.Remove(sleeper.id());
}

TEST(ProcessorSamples, SayWhenAThreadWasSampled) {
  ProcessorSamples seen;
  constexpr int64_t kMs = 1'000'000;
  EXPECT_FALSE(seen.HasSince(5, 0));
  seen.Note(5, 30 * kMs);
  EXPECT_TRUE(seen.HasSince(5, 29 * kMs));
  EXPECT_FALSE(seen.HasSince(5, 30 * kMs));
  EXPECT_FALSE(seen.HasSince(6, 0));
  seen.Note(5 + 4096, 40 * kMs);  // takes its place
  EXPECT_FALSE(seen.HasSince(5, 0));
  EXPECT_TRUE(seen.HasSince(5 + 4096, 39 * kMs));
}

TEST_F(WallClocks, CountThreadsForWhichTheKernelHasNoTimer) {
  ASSERT_TRUE(clock_.Begin(kInterval, false, kThisProgram).ok());
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
  EXPECT_EQ(clock_.Begin(kInterval, false, kThisProgram).message(),
            "the kernel has no timer for the wall clock: Resource temporarily unavailable");
  ASSERT_EQ(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
}

TEST_F(WallClocks, LeaveTheSignalToWhomItBelongs) {
  const std::string reason = clock_.Begin(kInterval, true, "libasyncProfiler.so").message();
  EXPECT_THAT(reason, testing::StartsWith("libasyncProfiler.so does not handle SIGVTALRM, which"));
  signal(SIGVTALRM, SIG_DFL);  // which would end the process
  EXPECT_FALSE(clock_.Begin(kInterval, false, kThisProgram).ok());
}

TEST_F(WallClocks, GiveTheSignalBack) {
  const auto handles = [](int signal, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    return action.sa_sigaction == handler;
  };
  ASSERT_TRUE(clock_.Begin(kInterval, true, kThisProgram).ok());
  EXPECT_FALSE(handles(SIGVTALRM, Sample));
  EXPECT_FALSE(handles(SIGPROF, SampleProcessor));
  // The profiler's own signals come through.
  const Sleeper sleeper;
  ASSERT_EQ(tgkill(getpid(), sleeper.id(), SIGVTALRM), 0);
  WaitFor(sleeper, 1);
  clock_.End();
  EXPECT_TRUE(handles(SIGVTALRM, Sample));
  EXPECT_TRUE(handles(SIGPROF, SampleProcessor));
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
