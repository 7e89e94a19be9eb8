// A part of a file that a task reads.
#pragma once

#include <arrow/scalar.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace reprise {

/// A part of a file: Spark's PartitionedFile.
struct FileSplit {
  std::string path;    ///< a URI, percent-encoded; or a plain path, taken as it is
  int64_t start = 0;   ///< first byte
  int64_t length = 0;  ///< in bytes
  /// Values of the partition columns; their types are ToArrow of the columns' types.
  std::vector<std::shared_ptr<arrow::Scalar>> partition_values;
  /// Of a text file: it is compressed, so that only Spark reads it.
  bool is_for_spark = false;
};

}  // namespace reprise
