#include "base/operator_log.h"

#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

#include "base/trace.h"

namespace reprise {

namespace {

constexpr size_t kChangesMax = 250'000;  // of a thread: 4 MB

// A thread's own: its lock is contended only while what was noted is taken.
struct ThreadLog {
  std::mutex mutex;
  std::vector<OperatorChange> changes;
  int64_t dropped = 0;
};

// Of all threads that have noted something and have not been taken from since they ended.
std::mutex logs_mutex;
std::vector<std::shared_ptr<ThreadLog>> logs;

std::shared_ptr<ThreadLog> NewLog() {
  auto log = std::make_shared<ThreadLog>();
  const std::scoped_lock lock(logs_mutex);
  logs.push_back(log);
  return log;
}

ThreadLog& LogOfThread() {
  thread_local const std::shared_ptr<ThreadLog> log = NewLog();
  return *log;
}

thread_local int32_t current = 0;
thread_local const int32_t this_thread = gettid();

}  // namespace

OperatorLog& OperatorLog::OfProcess() {
  static OperatorLog log;
  return log;
}

void OperatorLog::Switch(bool on) {
  is_on_.store(on, std::memory_order_relaxed);
  int64_t dropped = 0;
  Take(&dropped);
}

int32_t OperatorLog::Enter(int32_t lore_id, int64_t ns) {
  const int32_t before = std::exchange(current, lore_id);
  ThreadLog& log = LogOfThread();
  const std::scoped_lock lock(log.mutex);
  if (log.changes.size() < kChangesMax) {
    log.changes.push_back({ns, this_thread, lore_id});
  } else {
    ++log.dropped;
  }
  return before;
}

std::vector<OperatorChange> OperatorLog::Take(int64_t* dropped) {
  std::vector<OperatorChange> all;
  *dropped = 0;
  const std::scoped_lock lock(logs_mutex);
  for (const auto& log : logs) {
    std::vector<OperatorChange> changes;
    {
      const std::scoped_lock log_lock(log->mutex);
      changes.swap(log->changes);
      *dropped += std::exchange(log->dropped, 0);
    }
    all.insert(all.end(), changes.begin(), changes.end());
  }
  // Only this list knows those whose threads have ended.
  std::erase_if(logs, [](const auto& log) { return log.use_count() == 1 && log->changes.empty(); });
  return all;
}

OperatorScope::OperatorScope(int64_t lore_id) : is_on_(OperatorLog::is_on()) {
  if (!is_on_) return;
  before_ = OperatorLog::OfProcess().Enter(static_cast<int32_t>(lore_id), MonotonicNs());
}

OperatorScope::~OperatorScope() {
  if (is_on_) OperatorLog::OfProcess().Enter(before_, MonotonicNs());
}

}  // namespace reprise
