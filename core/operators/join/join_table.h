// The hash table of a join: from keys to the build rows that have them.
#pragma once

#include <memory>

#include "operators/join/join_keys.h"
#include "operators/pool_vector.h"

namespace reprise {

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
      : order_(order), next_(pool), is_null_(pool) {}

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

 private:
  const ChainOrder order_;
  PoolVector<int32_t> next_;
  PoolVector<uint8_t> is_null_;  // empty until the first row without a key
  int32_t row_count_ = 0;
  bool has_null_key_ = false;
  bool is_unique_ = true;
};

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
