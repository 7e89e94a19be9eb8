#include "base/operator_log.h"

#include <unistd.h>

#include <mutex>
#include <utility>

#include "base/trace.h"

namespace reprise {

namespace {

constexpr size_t kChangesMax = 1'000'000;  // 16 MB

std::mutex mutex;
std::vector<OperatorChange> changes;
int64_t dropped_changes = 0;

thread_local int32_t current = 0;
thread_local const int32_t this_thread = gettid();

}  // namespace

OperatorLog& OperatorLog::OfProcess() {
  static OperatorLog log;
  return log;
}

void OperatorLog::Switch(bool on) {
  const std::scoped_lock lock(mutex);
  is_on_.store(on, std::memory_order_relaxed);
  changes = {};
  dropped_changes = 0;
}

int32_t OperatorLog::Enter(int32_t lore_id, int64_t ns) {
  const int32_t before = std::exchange(current, lore_id);
  const std::scoped_lock lock(mutex);
  if (changes.size() < kChangesMax) {
    changes.push_back({ns, this_thread, lore_id});
  } else {
    ++dropped_changes;
  }
  return before;
}

std::vector<OperatorChange> OperatorLog::Take(int64_t* dropped) {
  const std::scoped_lock lock(mutex);
  *dropped = std::exchange(dropped_changes, 0);
  return std::exchange(changes, {});
}

OperatorScope::OperatorScope(int64_t lore_id) : is_on_(OperatorLog::is_on()) {
  if (!is_on_) return;
  before_ = OperatorLog::OfProcess().Enter(static_cast<int32_t>(lore_id), MonotonicNs());
}

OperatorScope::~OperatorScope() {
  if (is_on_) OperatorLog::OfProcess().Enter(before_, MonotonicNs());
}

}  // namespace reprise
