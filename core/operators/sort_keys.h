// Rows in an order: keys that compare as bytes.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "expressions/expression.h"
#include "operators/pool_vector.h"

namespace reprise {

/// A row's key: what of it fits into 16 bytes, first byte in the top, and the row's number.
struct SortItem {
  uint64_t high;
  uint64_t low;
  int32_t row;    ///< of the batch
  int32_t batch;  ///< whose batch that is
};

/// The keys of the rows of some batches.
class KeyedRows {
 public:
  explicit KeyedRows(arrow::MemoryPool* pool) : items_(pool), tail_ends_(pool), tails_(pool) {}

  PoolVector<SortItem>& items() { return items_; }
  const PoolVector<SortItem>& items() const { return items_; }
  /// Sorts the items; rows with equal keys keep the order in which they came.
  void Sort();
  /// Sorts the items; those with equal keys keep the order in which they stand.
  void SortStably();
  /// Whether the row of `left` is before that of `right`; of equal ones, whether it came before.
  bool IsBefore(const SortItem& left, const SortItem& right) const;
  /// Below 0, 0 or above 0, as the keys of two objects compare.
  static int Compare(const KeyedRows& left_rows, const SortItem& left, const KeyedRows& right_rows,
                     const SortItem& right);

  /// Rows that Copy adds from now on are of the next batch.
  void BeginBatch() { batch_begins_.push_back(tail_ends_.size()); }
  /// Adds the next row of the batch `batch_number`, of which there have been `row`; its key is that
  /// of an item of `from`.
  Status Copy(const KeyedRows& from, const SortItem& item, int32_t batch_number, int32_t row);

  /// Has one row from now on, with that key.
  Status Assign(const KeyedRows& from, const SortItem& item) {
    Clear(/*release=*/false);
    BeginBatch();
    return Copy(from, item, 0, 0);
  }

  /// Forgets all rows. With `release`, gives the memory back.
  void Clear(bool release);
  int64_t bytes() const;

 private:
  friend class SortKeys;
  std::string_view TailOf(const SortItem& item) const;

  PoolVector<SortItem> items_;
  // Where keys are longer than 16 bytes: the rest of each, found by the number in which rows came.
  PoolVector<int64_t> tail_ends_;
  PoolVector<char> tails_;
  std::vector<int64_t> batch_begins_;  // the number of each batch's first row
};

/// Encodes the keys of an order. Spark's order: nulls first or last as said, NaN above all and
/// equal to itself, -0.0 equal to 0.0, strings by unsigned bytes (SortOrder, RowOrdering).
class SortKeys {
 public:
  /// `ordering` is [{"expression":EXPR,"ascending":bool,"nullsFirst":bool}…] over the columns
  /// `input`. Status::Invalid names what is missing.
  static Result<SortKeys> Make(const nlohmann::json& ordering, const std::vector<Field>& input);

  /// Appends the keys of the selected rows of `batch` to `rows`, as rows 0, 1, … of the batch
  /// number `batch_number`, which must be the number of batches appended since the last Clear. An
  /// error is that of the first row that has one.
  Status Append(const Batch& batch, int32_t batch_number, arrow::MemoryPool* pool,
                KeyedRows* rows) const;

  /// Lets rows with equal keys follow in the order in which Spark's SortExec gives them: of one key
  /// that fits into eight bytes it keeps null rows apart, before the others, and each that comes
  /// moves the first of the others behind the last (UnsafeInMemorySorter.insertRecord, which sorts
  /// by radix). All rows must have been appended, and be sorted next; once.
  Status PlaceNulls(KeyedRows* rows, arrow::MemoryPool* pool) const;

  /// All keys of a row fit into a SortItem.
  bool fits() const { return fits_; }
  /// Keys may be longer than the columns that they are made of.
  bool may_widen() const { return may_widen_; }

 private:
  struct Key {
    std::unique_ptr<Expression> expression;
    bool ascending;
    bool nulls_first;
  };

  Status AppendAll(const Batch& batch, int32_t batch_number, arrow::MemoryPool* pool,
                   KeyedRows* rows) const;
  Status AppendPacked(EvalInput& input, int32_t batch_number, KeyedRows* rows) const;
  Status AppendLong(EvalInput& input, int32_t batch_number, KeyedRows* rows) const;

  std::vector<Key> keys_;
  bool fits_ = false;  // all keys of a row fit into 16 bytes
  bool may_widen_ = false;
};

}  // namespace reprise
