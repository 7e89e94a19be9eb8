// A task's memory with a fixed limit: what Spark is to an operator's memory in a cluster.
#pragma once

#include <algorithm>

#include "operators/task_memory.h"

namespace reprise {

/// Grants up to `limit_bytes` in all; 0: all that is allocated is over-committed.
class FixedMemory final : public MemoryManager {
 public:
  explicit FixedMemory(int64_t limit_bytes) : free_bytes_(limit_bytes) {}
  int64_t Acquire(int64_t bytes) override {
    const int64_t granted = std::min(bytes, free_bytes_);
    free_bytes_ -= granted;
    return granted;
  }
  void Release(int64_t bytes) override { free_bytes_ += bytes; }

 private:
  int64_t free_bytes_;
};

}  // namespace reprise
