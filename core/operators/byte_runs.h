// ByteRuns: runs of bytes that lie one after the other.
#pragma once

#include <cstring>
#include <string_view>

#include "operators/pool_vector.h"

namespace reprise {

/// Any number of strings, or of values as bytes, in memory of a pool. The pool must outlive them.
class ByteRuns {
 public:
  explicit ByteRuns(arrow::MemoryPool* pool) : bytes_(pool), ends_(pool) {}

  int64_t size() const { return ends_.size(); }
  /// Valid until the next one is appended.
  std::string_view operator[](int64_t run) const {
    return {bytes_.data() + BeginOf(run), static_cast<size_t>(ends_[run] - BeginOf(run))};
  }
  /// Bytes of the runs begin … end - 1.
  int64_t BytesOf(int64_t begin, int64_t end) const {
    return begin >= end ? 0 : ends_[end - 1] - BeginOf(begin);
  }

  Status Append(std::string_view run) {
    const int64_t begin = bytes_.size();
    RETURN_NOT_OK(bytes_.ResizeUninitialised(begin + static_cast<int64_t>(run.size())));
    if (!run.empty()) std::memcpy(bytes_.data() + begin, run.data(), run.size());
    RETURN_NOT_OK(ends_.ResizeUninitialised(ends_.size() + 1));
    ends_[ends_.size() - 1] = bytes_.size();
    return Status::OK();
  }

 private:
  int64_t BeginOf(int64_t run) const { return run == 0 ? 0 : ends_[run - 1]; }

  PoolVector<char> bytes_;
  PoolVector<int64_t> ends_;  // where each ends
};

}  // namespace reprise
