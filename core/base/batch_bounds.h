// How large batches may become, measured on the values of their rows.
#pragma once

#include <arrow/array.h>
#include <arrow/memory_pool.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/batch.h"
#include "base/status.h"

namespace reprise {

/// How large a batch may become. It has a row at least, however large that is: one value that is
/// larger alone travels alone.
struct BatchBounds {
  int64_t rows = 0;
  int64_t bytes = 0;  ///< of values, as RowWidths counts them
};

/// What the rows of some columns take as plain values: fixed widths (a boolean counts 1), and of
/// strings and binary the length and an offset, dictionaries decoded. Validity does not count.
///
/// The columns must outlive the object.
class RowWidths {
 public:
  RowWidths() = default;
  explicit RowWidths(const arrow::ArrayVector& columns) {
    for (const auto& column : columns) Add(*column->data());
  }

  /// Adds a column.
  void Add(const arrow::ArrayData& data);

  /// What every row has.
  int64_t fixed_bytes() const { return fixed_bytes_; }
  /// All rows are of that width.
  bool is_fixed() const { return strings_.empty(); }

  /// The bytes of a row; below 0, of none: those that a row of nulls has.
  int64_t operator[](int64_t row) const {
    int64_t bytes = fixed_bytes_;
    if (row < 0) return bytes;
    for (const Strings& strings : strings_) bytes += strings.LengthOf(row);
    return bytes;
  }

  /// The bytes of all rows from row `begin` up to row `end`.
  int64_t BytesOf(int64_t begin, int64_t end) const;

  /// No row has more. Looks at all lengths.
  int64_t LongestRow() const;

  /// No `count` rows from row `begin` up to row `end` have more together. Looks at no row of a
  /// plain column.
  int64_t BoundOf(int64_t begin, int64_t end, int64_t count) const;

 private:
  struct Strings {
    const int32_t* offsets;  // of the values
    const int32_t* indices;  // null: a value a row
    int64_t value_count;     // of the column, or of its dictionary
    int64_t LengthOf(int64_t row) const {
      if (indices == nullptr) return offsets[row + 1] - offsets[row];
      // Indices under nulls may be anything.
      const auto index = static_cast<uint32_t>(indices[row]);
      return index < value_count ? offsets[index + 1] - offsets[index] : 0;
    }
    int64_t BytesOf(int64_t begin, int64_t end) const;
    int64_t Longest() const;
  };

  int64_t fixed_bytes_ = 0;
  std::vector<Strings> strings_;
};

/// RowWidths of the selected rows of `batch`, together.
int64_t PlainBytes(const Batch& batch);

/// Memory that the rows of a column have, without its dictionary: where they are a piece of a
/// larger column, those rows alone.
int64_t OwnBytes(const arrow::ArrayData& column);

/// What a copy of the selected rows takes, about. Of a piece of a larger batch ByteSize would say
/// what all of it has.
int64_t CopyBytes(const Batch& batch);

/// Whether the batch is within the bounds, or has one row.
bool IsWithin(const Batch& batch, const BatchBounds& bounds);

/// `count` of the selected rows, from the one in place `begin` on. No value is copied.
Result<Batch> PieceOf(const Batch& batch, int64_t begin, int64_t count, arrow::MemoryPool* pool);

/// Gives the selected rows of a batch in pieces that are within bounds.
class BatchCutter {
 public:
  void Start(Batch batch);
  bool has_more() const { return batch_.has_value(); }
  /// The next rows: as many as are within `bounds`, one at least.
  Result<Batch> Next(const BatchBounds& bounds, arrow::MemoryPool* pool);

 private:
  std::optional<Batch> batch_;
  RowWidths widths_;
  int64_t position_ = 0;  // of the next row among those selected
};

}  // namespace reprise
