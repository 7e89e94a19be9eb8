// What a fragment's operators have given so far, for those who look while its task runs.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace reprise {

class MemoryUser;

/// One operator's part.
struct Activity {
  std::string name;  ///< MemoryUser::MemoryName
  int64_t batches = 0;
  int64_t rows = 0;
  int64_t last_rows = 0;   ///< of the last batch
  int64_t last_bytes = 0;  ///< of its values
  int64_t last_ns = 0;     ///< MonotonicNs() when it was given
};

/// Written by the task's thread, read by any.
class ActivityBoard {
 public:
  void Note(const MemoryUser& user, int64_t rows, int64_t bytes);
  /// In the order in which the operators gave their first batches.
  std::vector<Activity> Read() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<const MemoryUser*, Activity>> activities_;
};

}  // namespace reprise
