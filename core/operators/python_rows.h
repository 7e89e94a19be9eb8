// Rows on their way to Python: where its batches end.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/batch_bounds.h"
#include "plan/nested_type.h"

namespace reprise {

/// Rows that wait until they are a batch for Python: one ends where Spark's ends, since a function
/// that is given a batch can tell.
class PythonRows {
 public:
  struct SentColumn {
    int index;
    DataType type;
    std::optional<NestedType> nested;  ///< of arrays, maps and structs
  };

  /// Of a batch: `rows` at most, and none behind the row with which those of the columns `sent`
  /// come to `bytes` as Spark's Arrow writer counts them.
  PythonRows(int64_t rows, int64_t bytes, std::vector<SentColumn> sent)
      : rows_(rows), bytes_(bytes), sent_(std::move(sent)) {}

  bool empty() const { return waiting_.empty(); }
  /// There are enough for a batch, or so many bytes of values that no more should be kept:
  /// `bounds` are those of a batch of the core's.
  bool is_full(const BatchBounds& bounds) const;
  /// About what Take allocates.
  int64_t bytes() const { return waiting_.size() > 1 ? kept_bytes_ : 0; }

  /// Rows behind those that wait: plain columns without a selection. Errors: ReadableColumn's.
  Status Add(Batch batch, arrow::MemoryPool* pool);

  /// The first rows, up to where a batch ends. Only where there are some.
  Result<Batch> Take(arrow::MemoryPool* pool);

 private:
  Status Wait(Batch batch, bool is_first, arrow::MemoryPool* pool);
  Result<arrow::ArrayVector> Sent(const Batch& batch, arrow::MemoryPool* pool) const;
  Result<int64_t> CountedBytes(const Batch& batch, arrow::MemoryPool* pool) const;
  int64_t BytesMost(const Batch& batch) const;
  int64_t EndOf(const arrow::ArrayVector& sent, int64_t most) const;

  const int64_t rows_;
  const int64_t bytes_;
  const std::vector<SentColumn> sent_;
  std::deque<Batch> waiting_;
  int64_t waiting_rows_ = 0;
  int64_t kept_bytes_ = 0;
  int64_t sent_bytes_ = 0;  // until they are counted, no less than they are
  bool is_counted_ = false;
};

/// Reads the members "rows", "bytes" and "sent" of `arguments`, which are of `columns`: those of
/// the constructor; "rows" of 0 or less: there is no limit. Status::Invalid naming the member.
Result<PythonRows> ReadPythonRows(const nlohmann::json& arguments,
                                  const std::vector<Field>& columns);

}  // namespace reprise
