#include "profile/wall_clock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

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
  ASSERT_TRUE(clock_.Begin(kInterval, kThisProgram));
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
  ASSERT_TRUE(clock_.Begin(kInterval, kThisProgram));
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

TEST_F(WallClocks, LeaveTheSignalToWhomItBelongs) {
  EXPECT_FALSE(clock_.Begin(kInterval, "libasyncProfiler.so"));
  signal(SIGVTALRM, SIG_DFL);  // which would end the process
  EXPECT_FALSE(clock_.Begin(kInterval, kThisProgram));
}

}  // namespace
}  // namespace reprise
