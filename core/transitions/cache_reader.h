// CacheReader: the bytes of a column of Spark's cache, from the first on.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>

#include "base/status.h"
#include "plan/unsafe_row.h"

namespace reprise {

/// How the values of a column are compressed, as the format of cached_columns.cc numbers it.
enum class CacheScheme : int32_t {
  kPlain = 0,
  kRuns = 1,
  kDictionary = 2,
  kBits = 3,
  kIntDeltas = 4,
  kLongDeltas = 5
};

/// Takes one piece after the other of a column's bytes.
class CacheReader {
 public:
  explicit CacheReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  template <typename T>
  Result<T> Take() {
    ARROW_ASSIGN_OR_RAISE(const auto bytes, Take(sizeof(T)));
    return LoadAs<T>(bytes.data());
  }

  Result<std::span<const uint8_t>> Take(int64_t size) {
    if (size < 0 || size > std::ssize(rest_)) {
      return Status::Invalid(size, " bytes are wanted where ", rest_.size(), " are left");
    }
    const auto taken = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(static_cast<size_t>(size));
    return taken;
  }

  std::span<const uint8_t> rest() const { return rest_; }

 private:
  std::span<const uint8_t> rest_;
};

}  // namespace reprise
