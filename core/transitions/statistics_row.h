// StatisticsRow: what is known of the values of a batch of a cached table, as a row of Spark's.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "plan/unsafe_row.h"

namespace reprise {

/// An UnsafeRow that is written field by field: of each column its least value, its greatest one,
/// how many are null, how many there are and their bytes (Spark's PartitionStatistics).
class StatisticsRow {
 public:
  static constexpr int64_t kFieldsOfColumn = 5;

  explicit StatisticsRow(int64_t columns)
      : next_(NullBitsBytes(columns * kFieldsOfColumn)),
        bytes_(static_cast<size_t>(FixedRowBytes(columns * kFieldsOfColumn))) {}

  /// A value of up to 8 bytes.
  void AddWord(uint64_t word) {
    StoreAs(bytes_.data() + next_, word);
    next_ += kRowWordBytes;
    ++field_;
  }
  void AddNull() {
    bytes_[field_ / 8] |= static_cast<uint8_t>(1U << (field_ % 8));
    AddWord(0);
  }
  void Add(std::string_view value) {
    const size_t offset = bytes_.size();
    bytes_.resize(offset + static_cast<size_t>(RoundUpToWord(std::ssize(value))));
    if (!value.empty()) std::memcpy(bytes_.data() + offset, value.data(), value.size());
    AddWord(offset << 32 | value.size());
  }
  /// A decimal of more than 18 digits.
  void Add(__int128 value) {
    const size_t offset = bytes_.size();
    bytes_.resize(offset + kLongDecimalBytes);
    const uint64_t size = StoreBigEndian(value, bytes_.data() + offset);
    AddWord(static_cast<uint64_t>(offset) << 32 | size);
  }

  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  size_t field_ = 0;
  int64_t next_;  // where the next field's word stands
  std::vector<uint8_t> bytes_;
};

}  // namespace reprise
