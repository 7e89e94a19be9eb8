// Writes one column into blocks of UnsafeRows.
#pragma once

#include <arrow/array.h>

#include <memory>
#include <span>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// Rows to write: positions `first` to `first + count` among the rows that count.
struct RowsToWrite {
  int64_t first = 0;
  int64_t count = 0;
  const int32_t* selection = nullptr;  ///< of the whole batch; null: all rows
  uint8_t* bytes = nullptr;
  const int32_t* offsets = nullptr;  ///< of row `first`, `first` + 1, … in `bytes`
  int32_t* variable_ends = nullptr;  ///< bytes of each of the `count` rows that are written so far
};

/// One column; used for one batch after the other: Begin, then AddBytes and Write for each block.
class RowColumnWriter {
 public:
  virtual ~RowColumnWriter() = default;
  /// From now on writes `column`, which must live as long. A column of another type than the
  /// field's fails a check.
  virtual void Begin(const arrow::Array& column) = 0;
  /// Bytes of the variable part that every row needs.
  virtual int64_t constant_bytes() const { return 0; }
  virtual bool has_variable_bytes() const { return false; }
  /// Adds to each of `sizes`, the first of which is for position `first` among the rows that count,
  /// the bytes of the variable part that the row needs beyond constant_bytes().
  virtual void AddBytes(const int32_t* selection, int64_t first, std::span<int64_t> sizes) const {}
  /// Writes the field and sets its null bit; the null bits are zero before the first column.
  virtual void Write(const RowsToWrite& rows) const = 0;
  /// Upper bound of what AddBytes would add up to over rows `first` to `last` (physical rows, both
  /// included), `count` of them selected.
  virtual int64_t BytesBound(const arrow::Array& column, int64_t first, int64_t last,
                             int64_t count) const {
    return 0;
  }
};

/// A writer of field `index` of rows with `field_count` fields.
Result<std::unique_ptr<RowColumnWriter>> MakeRowColumnWriter(const Field& field, int index,
                                                             int field_count);

}  // namespace reprise
