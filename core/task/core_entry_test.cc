#include "task/core_entry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace reprise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kAWhile(150);
constexpr seconds kTooLong(20);

CoreEntry Entry(int64_t task, int64_t limit, std::function<bool()> cancelled = {}) {
  return {task, limit, /*reads_by_itself=*/true, std::move(cancelled)};
}

// Waits for a result with a time limit, so that a deadlock is a failure and not a hanging test.
template <typename T>
T Soon(std::future<T>& future) {
  EXPECT_EQ(future.wait_for(kTooLong), std::future_status::ready) << "it waits for ever";
  return future.get();
}

TEST(CoreEntry, ATaskWaitsUntilAnotherLeaves) {
  CoreEntry first = Entry(1, 1);
  ASSERT_TRUE(first.Begin().ok());
  auto second = std::async(std::launch::async, [] {
    CoreEntry entry = Entry(2, 1);
    const Status status = entry.Begin();
    return std::pair(status, entry.waited_ns());
  });
  EXPECT_EQ(second.wait_for(kAWhile), std::future_status::timeout);
  first.Leave();
  const auto [status, waited] = Soon(second);
  EXPECT_TRUE(status.ok());
  EXPECT_GE(waited, std::chrono::nanoseconds(kAWhile).count() / 2);
  EXPECT_EQ(first.waited_ns(), 0);
}

TEST(CoreEntry, FragmentsOfATaskCountOnce) {
  CoreEntry outer = Entry(1, 1);
  CoreEntry inner = Entry(1, 1);
  ASSERT_TRUE(outer.Begin().ok());
  ASSERT_TRUE(inner.Begin().ok());
  outer.Leave();
  auto other = std::async(std::launch::async, [] { return Entry(2, 1).Begin(); });
  EXPECT_EQ(other.wait_for(kAWhile), std::future_status::timeout) << "a fragment is still inside";
  inner.Leave();
  EXPECT_TRUE(Soon(other).ok());
}

TEST(CoreEntry, WithoutALimitNobodyWaits) {
  CoreEntry first = Entry(1, 0), second = Entry(2, 0);
  EXPECT_TRUE(first.Begin().ok());
  EXPECT_TRUE(second.Begin().ok());
}

TEST(CoreEntry, ATaskIsOutsideUntilItHasInputAndWhileItReads) {
  CoreEntry other = Entry(2, 1);
  ASSERT_TRUE(other.Begin().ok());
  CoreEntry reader(1, 1, /*reads_by_itself=*/false, {});
  EXPECT_TRUE(reader.Begin().ok()) << "nothing to compute with has come yet";
  const auto read = reader.Read([&]() -> Result<int> {
    other.Leave();
    return 7;
  });
  EXPECT_EQ(*read, 7);
  auto waits = std::async(std::launch::async, [&] { return other.Begin(); });
  EXPECT_EQ(waits.wait_for(kAWhile), std::future_status::timeout) << "the reader is inside now";
  // While the reader is outside the other one comes in, and out again.
  const bool came_in = reader.Outside([&] {
    const bool ok = Soon(waits).ok();
    other.Leave();
    return ok;
  });
  EXPECT_TRUE(came_in);
  reader.Leave();
}

TEST(CoreEntry, ACancelledTaskStopsWaiting) {
  CoreEntry first = Entry(1, 1);
  ASSERT_TRUE(first.Begin().ok());
  std::atomic<bool> cancelled = false;
  auto second = std::async(std::launch::async,
                           [&] { return Entry(2, 1, [&] { return cancelled.load(); }).Begin(); });
  cancelled = true;
  EXPECT_EQ(Soon(second).ToString(),
            "Cancelled: the task was cancelled while it waited to enter the core");
}

TEST(CoreEntry, ManyTasksPassWithoutMoreInsideThanAllowed) {
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::future<bool>> tasks;
  for (int task = 0; task < 8; ++task) {
    tasks.push_back(std::async(std::launch::async, [&, task] {
      CoreEntry entry = Entry(100 + task, 2);
      for (int round = 0; round < 50; ++round) {
        if (!entry.Begin().ok()) return false;
        const int now = ++inside;
        int before = most;
        while (before < now && !most.compare_exchange_weak(before, now)) {
        }
        std::this_thread::yield();
        --inside;
        entry.Outside([] { return true; });
        entry.Leave();
      }
      return true;
    }));
  }
  for (auto& task : tasks) EXPECT_TRUE(Soon(task));
  EXPECT_LE(most, 2);
}

// A task that waits for memory of another one, which waits to enter, would wait for ever if it
// stayed inside.
TEST(CoreEntry, WaitingForMemoryIsOutside) {
  struct Waiting final : MemoryManager {
    int64_t Acquire(int64_t bytes) override {
      asked.set_value();
      EXPECT_EQ(given.get_future().wait_for(kTooLong), std::future_status::ready);
      return bytes;
    }
    void Release(int64_t) override { given.set_value(); }
    std::promise<void> asked, given;
  };
  const auto waiting = std::make_shared<Waiting>();
  CoreEntry first = Entry(1, 1);
  const auto manager = OutsideCore(waiting, &first);
  ASSERT_TRUE(first.Begin().ok());
  auto second = std::async(std::launch::async, [&] {
    waiting->asked.get_future().wait();
    CoreEntry entry = Entry(2, 1);
    RETURN_NOT_OK(entry.Begin());
    waiting->Release(1);
    return Status::OK();
  });
  EXPECT_EQ(manager->Acquire(1), 1);
  EXPECT_TRUE(Soon(second).ok());
  first.Leave();
}

}  // namespace
}  // namespace reprise
