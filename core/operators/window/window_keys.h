// WindowKeys: where partitions, and peers in them, begin in a sorted input.
#pragma once

#include "operators/window/row_changes.h"
#include "operators/window/window_spec.h"

namespace reprise {

/// Rows that begin something, by row: 1 for those that do.
struct WindowMarks {
  std::vector<uint8_t> partitions;
  std::vector<uint8_t> peers;  ///< a partition's first row too
};

/// The keys of partition and order of a window.
class WindowKeys {
 public:
  struct Columns {
    arrow::ArrayVector partition;
    arrow::ArrayVector order;
  };

  static Result<WindowKeys> Make(const WindowSpec& spec, const std::vector<Field>& input);

  Result<Columns> Evaluate(EvalInput& input) const;

  /// Marks rows, of which there are some; those before them are of the calls before.
  Result<WindowMarks> Mark(const Columns& columns, int64_t row_count, arrow::MemoryPool* pool);

 private:
  RowChanges partition_;
  RowChanges order_;
};

}  // namespace reprise
