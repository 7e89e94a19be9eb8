// The file into which a replay writes its output rows.
#pragma once

#include <arrow/record_batch.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// Writes record batches to one file, which is replaced if it exists. Arrays, maps, structs and
/// intervals are Arrow's (transitions/nested_column.h) where the file can hold them; Parquet holds
/// no intervals and no struct without fields, which stay the bytes of Spark's rows.
class OutputFile {
 public:
  virtual ~OutputFile() = default;
  virtual Status Write(const arrow::RecordBatch& records) = 0;
  virtual Status Close() = 0;

  /// A file of the kind that the name's ending says: ".parquet" (zstd), ".arrow" (IPC file).
  /// Status::Invalid for another ending.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path,
                                                    const std::vector<Field>& schema);
};

}  // namespace reprise
