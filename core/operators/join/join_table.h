// The hash table of a join: from keys to the build rows that have them.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "operators/pool_vector.h"

namespace reprise {

class JoinKeyLayout;
class JoinKeys;

/// The order of the rows with equal keys: that in which they were added, or the other way round, in
/// which Spark's hashed relations give them (BytesToBytesMap, LongToUnsafeRowMap).
enum class ChainOrder { kEarliestFirst, kLatestFirst };

/// The build rows by key. Rows are numbered in the order in which they are added; those with equal
/// keys form a chain. Filled by one thread; after Finish it does not change and may be read by
/// several.
class JoinTable {
 public:
  static constexpr int32_t kNone = -1;

  virtual ~JoinTable() = default;
  JoinTable(const JoinTable&) = delete;
  JoinTable& operator=(const JoinTable&) = delete;

  /// Adds the next rows; those without a key only count. More than 2^31 - 2 rows are
  /// Status::CapacityError.
  Status Add(const JoinKeys& keys);

  /// Builds the table. Call once, after the last Add.
  virtual Status Finish() = 0;

  /// Numbers the rows anew so that those with equal keys stand side by side, which lets who goes
  /// through many matches of a key read memory as it lies; the order of each chain stays, also
  /// where the rows are added to another table in their new order. Sets `old_rows` to the old
  /// number of each. Gives false, and changes nothing, where keys have too few rows for it to pay.
  /// After Finish, before the table is shared.
  virtual Result<bool> Regroup(PoolVector<int32_t>*) { return false; }

  /// Sets heads[i] to the first build row whose key is that of row i, or to kNone. `keys` must be
  /// of the same layout.
  virtual Status Find(const JoinKeys& keys, int32_t* heads) const = 0;

  /// Bytes of memory that it has.
  virtual int64_t bytes() const { return next_.bytes() + is_null_.bytes(); }
  /// Bytes that Add allocates, about, for `rows` rows of `row_bytes` bytes together.
  virtual int64_t GrowthBytes(int64_t rows, int64_t row_bytes) const;
  /// Bytes that Finish allocates, at most.
  virtual int64_t FinishBytes() const { return row_count_ * static_cast<int64_t>(sizeof(int32_t)); }

  /// No two rows have equal keys.
  bool is_unique() const { return is_unique_; }
  /// The next row with the key of `row`, or kNone.
  int32_t Next(int32_t row) const { return is_unique_ ? kNone : next_[row]; }

  int32_t row_count() const { return row_count_; }
  /// Some row has no key.
  bool has_null_key() const { return has_null_key_; }

 protected:
  JoinTable(ChainOrder order, arrow::MemoryPool* pool)
      : order_(order), pool_(pool), next_(pool), is_null_(pool) {}

  virtual Status AddKeys(const JoinKeys& keys) = 0;

  bool IsNull(int64_t row) const { return has_null_key_ && is_null_[row] != 0; }
  /// For Finish: makes room for the chains. Rows are then linked in the order of RowToLink(0 …).
  Status StartChains();
  int32_t RowToLink(int32_t i) const {
    return order_ == ChainOrder::kLatestFirst ? i : row_count_ - 1 - i;
  }
  /// Puts `row` before `head`, the first of the rows with the same key so far, or kNone.
  void Link(int32_t row, int32_t head) {
    next_[row] = head;
    is_unique_ &= head == kNone;
  }
  /// Gives back what only duplicates need.
  void EndChains();

  /// Regroup, for a table that calls the function it is given with a reference to the first row of
  /// each chain.
  template <typename EachHead>
  Result<bool> RegroupChains(EachHead&& each_head, PoolVector<int32_t>* old_rows);

 private:
  /// Fewer rows stay in the cache anyway, and of fewer a key little is gained.
  static constexpr int32_t kRegroupRowsMin = 4096;
  static constexpr int64_t kRegroupRowsAKey = 4;

  const ChainOrder order_;
  arrow::MemoryPool* const pool_;
  PoolVector<int32_t> next_;
  PoolVector<uint8_t> is_null_;  // empty until the first row without a key
  int32_t row_count_ = 0;
  bool has_null_key_ = false;
  bool is_unique_ = true;
};

template <typename EachHead>
Result<bool> JoinTable::RegroupChains(EachHead&& each_head, PoolVector<int32_t>* old_rows) {
  if (is_unique_ || row_count_ < kRegroupRowsMin) return false;
  int64_t keys = 0;
  each_head([&](int32_t) { ++keys; });
  if (row_count_ < keys * kRegroupRowsAKey) return false;
  PoolVector<int32_t> next(pool_);
  PoolVector<uint8_t> has_key(pool_);
  RETURN_NOT_OK(next.ResizeUninitialised(row_count_));
  RETURN_NOT_OK(has_key.Resize(row_count_));
  RETURN_NOT_OK(old_rows->ResizeUninitialised(row_count_));
  int32_t number = 0;
  each_head([&](int32_t& head) {
    const int32_t first = number;
    for (int32_t row = head; row != kNone; row = next_[row]) {
      (*old_rows)[number++] = row;
      has_key[row] = 1;
    }
    // Rows that are added again in this order have the same chain.
    const bool backwards = order_ == ChainOrder::kLatestFirst;
    if (backwards) std::reverse(old_rows->data() + first, old_rows->data() + number);
    for (int32_t i = first; i < number; ++i) next[i] = backwards ? i - 1 : i + 1;
    next[backwards ? first : number - 1] = kNone;
    head = backwards ? number - 1 : first;
  });
  for (int32_t row = 0; row < row_count_; ++row) {
    if (has_key[row] != 0) continue;
    next[number] = kNone;
    (*old_rows)[number++] = row;
  }
  next_ = std::move(next);
  return true;
}

/// A table for keys of `layout`; its memory is `pool`'s.
std::unique_ptr<JoinTable> MakeJoinTable(const JoinKeyLayout& layout, ChainOrder order,
                                         arrow::MemoryPool* pool);

/// A table in which every row has the same key: all rows are one chain, the earliest first. For
/// joins without keys.
std::unique_ptr<JoinTable> MakeKeylessJoinTable(arrow::MemoryPool* pool);

/// The two that MakeJoinTable chooses from.
std::unique_ptr<JoinTable> MakeWordJoinTable(const JoinKeyLayout& layout, ChainOrder order,
                                             arrow::MemoryPool* pool);
std::unique_ptr<JoinTable> MakeRunJoinTable(ChainOrder order, arrow::MemoryPool* pool);

}  // namespace reprise
