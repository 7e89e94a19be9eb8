// The recorded rows of an operator's input or output, read as they are asked for.
#pragma once

#include <arrow/record_batch.h>

#include <memory>
#include <optional>

#include "dump/reader.h"

namespace reprise {

/// Which records to read.
struct RecordChoice {
  int stream = 0;                  ///< number of the input, or kOutputStream
  std::optional<int> partition;    ///< absent: all that were captured, one after another
  std::optional<int64_t> attempt;  ///< that of an attempt, whole or not; needs `partition`
  bool truncated = false;          ///< take records that a limit of the capture has cut off
};

/// Reads the batches, each verified by its size and checksum. Errors: no such stream; a partition
/// that was not captured or has no whole record; an output of which only the digest was kept.
Result<std::shared_ptr<arrow::RecordBatchReader>> ReadRecordedRows(
    const std::shared_ptr<const OperatorDump>& dump, const RecordChoice& choice);

}  // namespace reprise
