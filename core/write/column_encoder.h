// Values of Arrow's columns as those of a Parquet column.
#pragma once

#include <arrow/array.h>
#include <parquet/column_writer.h>

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "write/file_layout.h"
#include "write/nested_leaves.h"

namespace reprise {

/// Memory that encoders use for the values of one column, kept for the next.
struct EncoderScratch {
  std::vector<uint8_t> values;
  std::vector<uint8_t> bytes;  ///< what the values of fixed length point to
  std::vector<int16_t> levels;
};

/// Writes all values of `array`, which has the Arrow type of the column's, or is a dictionary of
/// texts. A null in a column that has none, or an instant beyond those of INT96, is
/// Status::Invalid.
Status WriteValues(const arrow::Array& array, const WrittenColumn& column, EncoderScratch* scratch,
                   parquet::ColumnWriter* writer);

/// Writes a column that is below a nested one; Status::Invalid as of WriteValues.
Status WriteLeaf(const LeafColumn& leaf, EncoderScratch* scratch, parquet::ColumnWriter* writer);

/// Whether a column of floating-point numbers has one that is not a number.
bool HasNaN(const arrow::Array& array);

}  // namespace reprise
