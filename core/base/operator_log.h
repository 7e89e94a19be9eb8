// Which operator computes on which thread, and since when: what a profiler's samples are joined
// with.
//
// Off until a profile is taken; then operators of a fragment note each change at the granularity of
// batches. The times are those of MonotonicNs, the clock of the profiler's samples, so that a
// sample on a thread at a time belongs to exactly one operator.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace reprise {

/// From `ns` on the thread computes in the operator; LORE id 0: in none.
struct OperatorChange {
  int64_t ns = 0;
  int32_t thread = 0;  ///< as the kernel numbers it
  int32_t lore_id = 0;
  bool operator==(const OperatorChange&) const = default;
};

class OperatorLog {
 public:
  static OperatorLog& OfProcess();

  /// Switches noting on or off; off forgets what was noted.
  void Switch(bool on);
  static bool is_on() { return is_on_.load(std::memory_order_relaxed); }

  /// From now on the calling thread computes in this operator. Returns the one it was in.
  int32_t Enter(int32_t lore_id, int64_t ns);

  /// What was noted since the last call, each thread's in the order of time. What nobody takes is
  /// bounded: beyond 250,000 changes of a thread new ones are dropped and counted.
  std::vector<OperatorChange> Take(int64_t* dropped);

 private:
  static inline std::atomic<bool> is_on_ = false;
};

/// The time that this object lives belongs to an operator, save what nested scopes take.
class OperatorScope {
 public:
  explicit OperatorScope(int64_t lore_id);
  ~OperatorScope();
  OperatorScope(const OperatorScope&) = delete;
  OperatorScope& operator=(const OperatorScope&) = delete;

 private:
  const bool is_on_;
  int32_t before_ = 0;
};

}  // namespace reprise
